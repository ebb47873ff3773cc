import assert from "node:assert/strict";
import { test } from "node:test";
import { falseAlarms, missed, readCorpus } from "./corpus.ts";
import { loadPacks } from "./load-packs.ts";
import { prepareLexicons } from "./rule-lexicons.ts";

const packs = await loadPacks();
// One index for all packs, or each of them has its own and reads every text anew.
prepareLexicons(packs.map(({ sidekick }) => sidekick));

test("honest texts raise nothing above INFO", async () => {
  const texts = await readCorpus("clean");

  const alarms = falseAlarms(packs, texts).map(
    ({ id, finding }) => `${id} ${finding.severity} ${finding.ruleCode}: ${finding.summary}`,
  );

  assert.ok(texts.length >= 150);
  assert.deepEqual(alarms, []);
});

test("at least nine of ten offending texts are found by their rule", async (context) => {
  const texts = await readCorpus("offending");

  const lost = missed(packs, texts);

  assert.ok(texts.length >= 150);
  const recall = 1 - lost.length / texts.length;
  context.diagnostic(
    `recall ${recall.toFixed(3)}; missed ${lost.map(({ id, expects }) => `${id} ${expects}`).join(", ")}`,
  );
  assert.ok(recall >= 0.9, `recall ${recall.toFixed(3)}`);
});
