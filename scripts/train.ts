import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { describeScores } from "@greenlit/engine/models/meaning/describe-scores.ts";
import { headsFile, writeHeads } from "@greenlit/engine/models/meaning/heads-file.ts";
import { learn, trainingHash } from "@greenlit/engine/models/meaning/learn.ts";
import { ablation, learningCurve } from "@greenlit/engine/models/meaning/probe-training.ts";
import { readTrainingTexts, type TrainingText } from "@greenlit/engine/models/meaning/training-texts.ts";

/**
 * Trains the heads of all topics from rulepacks/texts and writes rulepacks/meaning/heads.bin. `--curve` and `--ablate`
 * write nothing: they print what more texts, and each group of features, are worth.
 */
const { values } = parseArgs({ options: { curve: { type: "boolean" }, ablate: { type: "boolean" } } });
const texts = await readTrainingTexts();
process.stderr.write(`${texts.length} texts\n`);
if (values.curve === true) print(learningCurve(texts));
if (values.ablate === true) print(ablation(texts));
if (values.curve !== true && values.ablate !== true) await train(texts);

async function train(texts: readonly TrainingText[]): Promise<void> {
  const startedAt = performance.now();
  const { stored, scored, topics } = learn(texts, {
    trainedFrom: await trainingHash(),
    onFold: (fold) => process.stderr.write(`round ${fold} scored\n`),
  });
  mkdirSync(dirname(headsFile), { recursive: true });
  writeHeads(headsFile, stored);
  print(describeScores(scored, { topics, heads: stored.heads }));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stderr.write(
    `Wrote rulepacks/meaning/heads.bin: ${topics.length} heads, ${stored.features} features, ${seconds} s.\n`,
  );
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}
