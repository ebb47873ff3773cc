import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeText } from "../../rules/self-test.ts";
import { makeSidekick } from "../../testing/sidekicks.ts";
import { trainingHash } from "./learn.ts";
import { builtInMeaning } from "./meaning-model.ts";
import { findNearDuplicates } from "./near-duplicates.ts";
import { readTrainingTexts } from "./training-texts.ts";

const texts = await readTrainingTexts();

test("the weights belong to the texts and the trainer of today", async () => {
  assert.equal(builtInMeaning().header.trainedFrom, await trainingHash(), "Run `npm run train`.");
});

test("every topic has sixty texts of each label, each with an id of its own", () => {
  const ids = new Set(texts.map(({ id }) => id));
  const thin = builtInMeaning().header.heads.filter(({ topic }) =>
    (["offending", "honest"] as const).some(
      (label) => texts.filter((text) => text.topic === topic && text.label === label).length < 59,
    ),
  );

  assert.equal(ids.size, texts.length);
  assert.deepEqual(thin, []);
});

test("no training text is nearly another one", () => {
  assert.deepEqual(findNearDuplicates(texts, 0.6), []);
});

const rule = makeSidekick({ check: { kind: "meaning", topic: "gambling-harm" } });
const context = { jurisdictions: ["UK"], sector: "gambling", channel: "social" };
const claim = "Rent due Friday? One good Thursday night on Larkspin and your landlord can stop calling.";

test("an insinuation without any fixed word asks for a person, with its words and a like example", () => {
  const [finding] = judgeText(rule, { text: claim, context, on: "document" }, rule.rules);

  assert.equal(finding?.needsHuman, true);
  assert.match(finding?.severityReasoningHeadline ?? "", /^Reads like gambling harm: “/);
  assert.match(finding?.severityReasoning ?? "", /nearest known example is “.+” \(.+\)/);
  assert.ok(claim.includes(finding?.location?.quote ?? "nowhere"));
});

test("line breaks and spaces change nothing", () => {
  const judge = (text: string) => judgeText(rule, { text, context, on: "document" }, rule.rules).length;

  assert.equal(judge(claim.replaceAll(" ", "\n")), judge(claim));
});

test("a long honest document is not alarmed about by chance", () => {
  const honest = texts.filter(({ topic }) => topic === "none").map(({ text }) => text);
  const document = Array.from({ length: 5 }, () => honest.slice(0, 120).join("\n\n")).join("\n\n");

  assert.deepEqual(judgeText(rule, { text: document, context, on: "document" }, rule.rules), []);
});

test("figures without a word, like a counter in the picture, sound like nothing", () => {
  const personal = makeSidekick({ check: { kind: "meaning", topic: "personal-data" } });

  for (const text of ["12", "00:12:07", "1 2 3 4 5 6 7 8 9"])
    assert.deepEqual(judgeText(personal, { text, context: {}, on: "screen" }, personal.rules), []);
});
