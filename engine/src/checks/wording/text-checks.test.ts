import assert from "node:assert/strict";
import { test } from "node:test";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Finding } from "../../finding.ts";
import { judgeRules, planRules } from "../../rules/judge.ts";
import { makeSidekick } from "../../testing/sidekicks.ts";
import { documentSaying, filmSaying, makeSuper } from "../../testing/text-evidence.ts";
import { assetText } from "../../text/asset-text.ts";

function judge(evidence: Evidence, check: { kind: string } & Record<string, unknown>): Finding[] {
  const plan = planRules([makeSidekick({ check })], { probe: evidence.probe, context: {}, today: "2026-01-01" });
  return judgeRules(plan, { evidence, text: assetText(evidence), context: {} });
}

const phrase = { kind: "phrase", anyOf: ["miracle cure"] };

test("words across a line break, with odd spaces, dashes and quotes, are the same words", () => {
  const found = ["A MIRACLE\ncure!", "miracle-cure", "miracle\u00A0\u00A0cure", "“miracle cure”"].map(
    (text) => judge(documentSaying(text), phrase).length,
  );

  assert.deepEqual(found, [1, 1, 1, 1]);
});

test("a part of a longer word is not the phrase", () => {
  assert.deepEqual(judge(documentSaying("Miracle cured ham, a miracle curer."), phrase), []);
});

test("a phrase is found on its page, and a repeat of it is not a second problem", () => {
  const [finding, ...others] = judge(documentSaying("Nothing here.", "A miracle cure. Truly a Miracle Cure."), phrase);

  assert.equal(others.length, 0);
  assert.equal(finding?.location?.page, 2);
  assert.match(finding?.severityReasoning ?? "", /once more/);
});

test("a phrase that runs from one breath into the next has the time of both", () => {
  const evidence = filmSaying({
    speech: [
      ["It is a miracle", 1, 3.5],
      ["cure for colds.", 3.6, 6],
    ],
  });

  const [finding] = judge(evidence, phrase);

  assert.deepEqual([finding?.location?.startSeconds, finding?.location?.endSeconds], [1, 6]);
  assert.match(finding?.summary ?? "", /^The voice says: “It is a miracle cure for colds\.”/);
});

test("two supers that only stand beside one another do not make a phrase", () => {
  const evidence = filmSaying({ screen: [makeSuper("A miracle", 1, 3), makeSuper("cure for ham", 5, 7)] });

  assert.equal(judge(evidence, { kind: "phrase", anyOf: ["/miracle cure/"] }).length, 0);
});

test("words nearby make a phrase harmless; words elsewhere do so only where the rule says", () => {
  const near = { ...phrase, noneOf: ["there is no"] };
  const anywhere = { ...phrase, unlessAnywhere: ["trade only"] };

  assert.equal(judge(documentSaying("There is no miracle cure."), near).length, 0);
  assert.equal(judge(documentSaying(`There is no doubt. ${"x ".repeat(80)} A miracle cure.`), near).length, 1);
  assert.equal(judge(documentSaying("A miracle cure.", "For trade only."), anywhere).length, 0);
});

test("a finding in doubtful speech asks a person to listen", () => {
  const evidence = filmSaying({ speech: [["a miracle cure", 1, 2]] });
  evidence.speech?.segments.forEach((segment) => (segment.isDoubtful = true));

  const [finding] = judge(evidence, phrase);

  assert.equal(finding?.needsHuman, true);
  assert.match(finding.severityReasoning, /listen to this passage before you decide/);
});

test("words with a pause of more than 1.5 s between them are no phrase", () => {
  assert.equal(
    judge(
      filmSaying({
        speech: [
          ["a miracle", 1, 2],
          ["cure", 3, 4],
        ],
      }),
      phrase,
    ).length,
    1,
  );
  assert.equal(
    judge(
      filmSaying({
        speech: [
          ["a miracle", 1, 2],
          ["cure", 4, 5],
        ],
      }),
      phrase,
    ).length,
    0,
  );
});

const claim = { kind: "claim", anyOf: ["number one"], needs: ["based on"], missing: "a stated basis" };

test("a claim with its qualifier anywhere is fine; without one it says what is missing", () => {
  assert.deepEqual(judge(documentSaying("We are number one.", "Based on sales 2025."), claim), []);

  const [finding] = judge(documentSaying("We are number one."), claim);

  assert.equal(finding?.summary, "“We are number one” comes without a stated basis.");
  assert.match(finding?.severityReasoning ?? "", /a stated basis is nowhere in this file/);
});

test("a qualifier on the same screen counts; one that comes later is pointed at", () => {
  const onScreen = { ...claim, within: "screen" };
  const screen = (start: number) => [
    makeSuper("We are number one", 1, 4),
    makeSuper("Based on sales 2025", start, start + 3),
  ];

  assert.deepEqual(judge(filmSaying({ screen: screen(2) }), onScreen), []);
  const [finding] = judge(filmSaying({ screen: screen(9) }), onScreen);

  assert.match(finding?.severityReasoning ?? "", /not shown at the same time \(“Based on” comes only at 9\.0 s\)/);
});

const warning =
  "Don't invest unless you're prepared to lose all the money you invest. This is a high-risk investment and you should not expect to be protected if something goes wrong.";
const wording = { kind: "wording", anyOf: ["bitcoin"], required: [warning], missing: "the risk warning" };

test("required wording is found whatever its quotes, dashes, case and two slips of reading", () => {
  const variants = [
    warning,
    warning.replaceAll("'", "’").toUpperCase(),
    warning.replace("unless", "unIess").replace("protected", "protectcd"),
    warning.replace("high-risk", "high – risk").replaceAll(" ", "\n"),
    warning.replaceAll("o", "0").replaceAll("i", "l").replaceAll("s", "5"),
  ];

  assert.deepEqual(
    variants.map((text) => judge(documentSaying(`Buy bitcoin. ${text}`), wording).length),
    [0, 0, 0, 0, 0],
  );
});

test("required wording is asked for by a concept, and not where the concept is denied or spared", () => {
  const byConcept = {
    ...wording,
    anyOf: undefined,
    find: { all: [{ words: ["buy"] }, { words: ["bitcoin", "ether"] }] },
    unless: [{ words: ["magazine"] }],
  };

  const texts = [
    "Buy some ether.",
    "You cannot buy ether here.",
    "Buy the magazine about bitcoin.",
    `Buy ether. ${warning}`,
  ];

  assert.deepEqual(
    texts.map((text) => judge(documentSaying(text), byConcept).length),
    [1, 0, 0, 0],
  );
});

test("an altered warning is quoted with its distance, a missing one is given word for word", () => {
  const altered =
    "Don't invest unless you can lose the money. This is a high-risk investment and you should not expect protection.";

  const [changed] = judge(documentSaying(`Buy bitcoin. ${altered}`), wording);
  const [missing] = judge(documentSaying("Buy bitcoin."), wording);

  assert.match(changed?.summary ?? "", /differs from the required one: “Don't invest unless you can lose/);
  assert.match(missing?.recommendation ?? "", /^Use exactly: “Don't invest unless you're prepared/);
});

test("a finding quotes one word as one, and words without the stop before them", () => {
  const [one] = judge(documentSaying("Our potent ale."), { kind: "phrase", anyOf: ["potent"] });
  const [several] = judge(documentSaying("It is late. Vote for Ames!"), {
    kind: "phrase",
    anyOf: ["/[.] vote for ames/"],
  });

  assert.match(one?.severityReasoning ?? "", /^The word “potent” is in the text\./);
  assert.match(several?.severityReasoning ?? "", /^The words “Vote for Ames” are in the text\./);
});

test("of several accepted wordings a missing one is given in its first form, and said to have others", () => {
  const required = ["Your home may be repossessed.", "Your home or property may be repossessed."];

  const [missing] = judge(documentSaying("Buy a home."), { ...wording, anyOf: ["buy"], required });

  assert.equal(
    missing?.recommendation,
    "Use exactly: “Your home may be repossessed.”, or another of the wordings that are accepted.",
  );
  assert.match(
    missing?.severityReasoning ?? "",
    /“Your home may be repossessed\.” Nothing in the file comes near it\./,
  );
});

test("a qualifier that a document lacks is missing beside the claim, not from the screen", () => {
  const claim = {
    kind: "claim",
    anyOf: ["superfood"],
    needs: ["contributes to"],
    within: "screen",
    missing: "a claim",
  };

  const [finding] = judge(documentSaying("A superfood."), claim);

  assert.match(finding?.severityReasoning ?? "", /a claim is not beside it/);
});

test("required wording may be split over two supers", () => {
  const [first = "", second = ""] = warning.split(/(?<=invest\.) /);
  const screen = [makeSuper("Buy bitcoin", 0, 8), makeSuper(first, 1, 8), makeSuper(second, 4, 9)];

  assert.deepEqual(judge(filmSaying({ screen }), wording), []);
});

test("a spoken warning may be heard a little differently", () => {
  const heard = warning.replace("high-risk", "high risk").replace("something", "some thing").replace("you're", "your");

  assert.deepEqual(judge(filmSaying({ speech: [[`Buy bitcoin. ${heard}`, 0, 12]] }), wording), []);
});
