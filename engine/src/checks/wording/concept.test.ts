import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Finding } from "../../finding.ts";
import { judgeRules, planRules } from "../../rules/judge.ts";
import { makeSidekick } from "../../testing/sidekicks.ts";
import { documentSaying, filmSaying, makeSuper } from "../../testing/text-evidence.ts";
import { assetText } from "../../text/asset-text.ts";
import type { Lexicons } from "../../text/concepts/lexicon.ts";

const lexicons: Lexicons = {
  cure: { name: "cure", version: "1", words: ["cure", "heal", "no more"], includes: [], notIn: [] },
  disease: { name: "disease", version: "1", words: ["gout"], includes: ["joint-disease"], notIn: [] },
  "joint-disease": {
    name: "joint-disease",
    version: "1",
    words: ["arthritis", "tennis elbow", "stroke"],
    includes: [],
    notIn: ["stroke of luck"],
  },
  licence: { name: "licence", version: "1", words: ["licensed medicine"], includes: [], notIn: [] },
};

function judge(evidence: Evidence, check: Record<string, unknown>): Finding[] {
  const sidekick = { ...makeSidekick({ check: { kind: "concept", ...check } }), lexicons };
  const plan = planRules([sidekick], { probe: evidence.probe, context: {}, today: "2026-01-01" });
  return judgeRules(plan, { evidence, text: assetText(evidence), context: {} });
}

const counts = (check: Record<string, unknown>, ...texts: string[]) =>
  texts.map((text) => judge(documentSaying(text), check).length);

const curing = { find: { all: ["cure", "disease"], within: "clause" } };

test("a claim is found in every form of its words, across commas and line breaks", () => {
  assert.deepEqual(
    counts(
      curing,
      "Cures tennis\nelbow.",
      "A bracelet that heals bunions, GOUT and shingles.",
      "It healed my arthritis!",
      "No more arthritis.",
    ),
    [1, 1, 1, 1],
  );
});

test("a claim that is denied, asked, reported, conditional or in another sense is none", () => {
  assert.deepEqual(
    counts(
      curing,
      "Our tea does not cure arthritis.",
      "There is no evidence that honey cures gout.",
      "Does honey cure gout?",
      "The watchdog ruled that the advert must not say it cures gout.",
      "Healing by a stroke of luck.",
      "Cures bacon. Gout is painful.",
    ),
    [0, 0, 0, 0, 0, 0],
  );
});

test("the quote is what the slots matched, and names their concepts", () => {
  const [finding] = judge(documentSaying("Our honey heals even the worst tennis elbow."), curing);

  assert.equal(finding?.location?.quote, "heals even the worst tennis elbow");
  assert.match(finding?.severityReasoning ?? "", /“heals” \(cure\) and “tennis elbow” \(disease\)/);
});

test("what spares a claim counts in its sentence, or where the rule says", () => {
  const near = { ...curing, unless: ["licence"] };
  const anywhere = { ...curing, unless: { asset: ["licence"] } };
  const text = "Cures gout. A licensed medicine.";

  assert.deepEqual(counts(near, text, "A licensed medicine that cures gout."), [1, 0]);
  assert.deepEqual(counts(anywhere, text), [0]);
});

test("what a claim needs may stand anywhere, and its absence is named", () => {
  const check = { ...curing, needs: [{ words: ["based on"] }], missing: "a stated basis" };

  assert.deepEqual(counts(check, "Cures gout. Based on a trial of 200 people."), [0]);
  assert.equal(judge(documentSaying("Cures gout."), check)[0]?.summary, "“Cures gout” comes without a stated basis.");
});

test("what must open a post does not help at its end", () => {
  const check = { ...curing, needs: ["licence"], needsWithin: "opening", missing: "the licence up front" };

  assert.deepEqual(
    counts(check, "Licensed medicine. Cures gout.", `Cures gout. ${"Read on for more. ".repeat(8)}Licensed medicine.`),
    [0, 1],
  );
});

test("concepts make the duty of required wording arise, unless they are denied", () => {
  const warning = "Always read the label and follow the directions for use";
  const check = { ...curing, kind: "wording", required: [warning], missing: "the mandatory statement" };

  assert.deepEqual(
    counts(check, "Cures gout.", "Does not cure gout.", `Cures gout. ${warning}.`, "Good morning."),
    [1, 0, 0, 0],
  );
});

test("amounts are compared in digits, in words and per week", () => {
  const check = { find: { all: [{ words: ["lose"] }, { value: "weight", over: 1, per: "week" }] } };

  assert.deepEqual(
    counts(
      check,
      "Lose 10 kg in two weeks!",
      "Lose a stone in a fortnight.",
      "In three weeks I lost twenty pounds.",
      "Lose 2 kg in four weeks.",
      "Lose up to 2lb a week.",
      "Lose ten pounds on the lottery.",
    ),
    [1, 1, 1, 0, 0, 0],
  );
});

test("terms in order and near one another are not found the other way round or far apart", () => {
  const check = { find: { inOrder: [{ words: ["free"] }, { words: ["pay"] }], near: 3 } };

  assert.deepEqual(
    counts(
      check,
      "A free phone, just pay postage.",
      "Pay nothing, it is free.",
      "Free, if at some later time you pay.",
    ),
    [1, 0, 0],
  );
});

test("two supers are one screen while both are shown, and never one sentence", () => {
  const film = (start: number) =>
    filmSaying({ screen: [makeSuper("Cures", 1, 4), makeSuper("gout", start, start + 2)] });

  assert.equal(judge(film(2), { find: { all: ["cure", "disease"], within: "screen" } }).length, 1);
  assert.equal(judge(film(8), { find: { all: ["cure", "disease"], within: "screen" } }).length, 0);
  assert.equal(judge(film(2), { find: { all: ["cure", "disease"], within: "sentence" } }).length, 0);
  assert.equal(judge(film(8), { find: { all: ["cure", "disease"], within: "asset" } }).length, 1);
});

test("among hundreds of matches in a long text the near ones are found, before and after", () => {
  const filler = "It heals wood. ".repeat(300);
  const long = (sentence: string) => `${filler}${sentence} ${filler}`;
  const near = { find: { all: ["disease", "cure"], within: "screen", near: 2 } };
  const anywhere = { find: { all: ["disease", "cure"], within: "asset" } };
  const spared = { find: "disease", unless: { screen: ["licence"] } };

  assert.deepEqual(counts(near, long("Gout. Cure it."), long("A cure for gout.")), [1, 1]);
  assert.deepEqual(counts(near, `Gout. ${"Wood and water. ".repeat(40)}${filler}`), [0]);
  assert.deepEqual(counts(anywhere, `Gout. ${"Wood and water. ".repeat(40)}${filler}`), [1]);
  assert.deepEqual(counts(spared, long("Gout. A licensed medicine."), `Gout. ${filler}A licensed medicine.`), [0, 1]);
});
