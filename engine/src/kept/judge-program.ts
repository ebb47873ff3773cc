import { writeSync } from "node:fs";
import { readLines } from "../jail/lines.ts";
import { expectPatterns } from "../rules/run-rules.ts";
import { prepareLexicons } from "../rules/rule-lexicons.ts";
import type { Sidekick } from "../sidekick.ts";
import { createKeptJudge } from "./judge-kept.ts";
import type { JudgeAnswer, JudgementRequest, JudgementResult, JudgeSetup, JudgeTask } from "./judge-pool.ts";
import { unpackEvidence } from "./kept-evidence.ts";
import { rewordEvidence } from "./reword.ts";

/** The same list for the same wish: what was worked out about it is kept with it. */
const lists = new Map<string, readonly Sidekick[]>();
const maxLists = 100;

/** The program that judge-pool.ts starts: the packs on the first line of stdin, then one task a line; answers on descriptor 3. */
const lines = readLines(process.stdin, 2 ** 30);
const { sidekicks } = JSON.parse((await lines.next()).value ?? "null") as JudgeSetup;
// One index of words and one of patterns, for whatever some of their rules look for.
prepareLexicons(sidekicks);
expectPatterns(sidekicks.flatMap(({ rules }) => rules));

for await (const line of lines) {
  const task = JSON.parse(line) as JudgeTask;
  send(judge(task, sidekicks));
}

function judge({ taskId, evidence, judgements }: JudgeTask, packs: readonly Sidekick[]): JudgeAnswer {
  try {
    const kept = unpackEvidence(Buffer.from(evidence, "base64"));
    const asItIs = createKeptJudge(kept);
    const wanted = judgements.map(({ context, today, wantsMeasurements, rewording, ...choice }) => {
      const reworded = rewording === undefined ? null : rewordEvidence(kept.evidence, rewording);
      return {
        judge: reworded === null ? asItIs : createKeptJudge({ ...kept, evidence: reworded }),
        options: { sidekicks: chosen(packs, choice), context, today },
        wantsMeasurements: wantsMeasurements === true,
        isReworded: reworded !== null,
      };
    });
    const together = asItIs.judgeAll(wanted.filter(({ judge }) => judge === asItIs).map(({ options }) => options));
    const results = wanted.map(({ judge, options, wantsMeasurements, isReworded }): JudgementResult => {
      const judged = judge === asItIs ? together.shift() : judge.judge(options);
      if (judged === undefined) throw new Error("A judgement is missing.");
      return { ...judged, measurements: wantsMeasurements ? judge.measure(options.context) : null, isReworded };
    });
    return { taskId, results };
  } catch (error) {
    return { taskId, error: error instanceof Error ? error.message : String(error) };
  }
}

type Chosen = Pick<JudgementRequest, "sidekickIds" | "ruleCodes">;

function chosen(packs: readonly Sidekick[], { sidekickIds, ruleCodes }: Chosen): readonly Sidekick[] {
  const key = JSON.stringify([sidekickIds, ruleCodes]);
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list = choose(packs, { sidekickIds, ...(ruleCodes && { ruleCodes }) });
  if (lists.size >= maxLists) lists.clear();
  lists.set(key, list);
  return list;
}

function choose(packs: readonly Sidekick[], { sidekickIds, ruleCodes }: Chosen): readonly Sidekick[] {
  const own = sidekickIds === null ? packs : packs.filter(({ sidekickId }) => sidekickIds.includes(sidekickId));
  if (ruleCodes === undefined) return own;
  return own.map((pack) => ({ ...pack, rules: pack.rules.filter(({ code }) => ruleCodes.includes(code)) }));
}

function send(answer: JudgeAnswer): void {
  const bytes = Buffer.from(`${JSON.stringify(answer)}\n`);
  let written = 0;
  while (written < bytes.length) written += writeSync(3, bytes, written);
}
