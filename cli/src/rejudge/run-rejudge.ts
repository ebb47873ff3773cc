import { writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { Context } from "@greenlit/engine/sidekick.ts";
import { createProgressBar } from "../check/progress-bar.ts";
import { print, table } from "../print.ts";
import { connect, type ServiceOptions } from "../submit/service-options.ts";
import { parseTime } from "./time-option.ts";

export type RejudgeCommand = ServiceOptions & {
  since?: string;
  until?: string;
  context?: Context;
  apply?: boolean;
  csv?: string;
  json?: boolean;
};

const pollMs = 500;

/** Starts a run, follows it to its end and shows what differs by rule. */
export async function runRejudge(options: RejudgeCommand): Promise<void> {
  const greenlit = connect(options);
  const filter = {
    ...(options.since !== undefined && { since: parseTime(options.since, "--since") }),
    ...(options.until !== undefined && { until: parseTime(options.until, "--until") }),
  };
  const { brand, product, jurisdictions, ...rest } = options.context ?? {};
  const context = {
    ...rest,
    ...(brand !== undefined && { brand }),
    ...(product !== undefined && { product }),
    ...(jurisdictions !== undefined && { jurisdictions: [...jurisdictions] }),
  };
  let run = await greenlit.call("createRejudge", {
    body: { dryRun: options.apply !== true, filter, ...(options.context && { context }) },
  });
  const params = { rejudge_id: run.rejudgeId };
  const bar = createProgressBar({ isShown: process.stderr.isTTY && !options.json, total: 1 });
  const draw = bar.next("judging");
  while (run.state === "waiting" || run.state === "working") {
    await setTimeout(pollMs);
    run = await greenlit.call("readRejudge", { params });
    draw(run.progressPercent / 100);
  }
  bar.clear();
  if (options.csv !== undefined)
    await writeFile(options.csv, await (await greenlit.call("exportRejudge", { params })).text());
  print(options, run, [
    ...describeRules(run.rules),
    describeCounts({
      judged: run.doneCount,
      changed: run.changedCount,
      verb: run.dryRun ? "would change" : "changed",
    }),
    ...(run.skippedCount > 0 ? [`${run.skippedCount} were not judged: no evidence is kept of them.`] : []),
    ...(run.dryRun && run.changedCount > 0 ? ["Nothing was changed. Use --apply to replace the results."] : []),
  ]);
}

export function describeCounts({ judged, changed, verb }: { judged: number; changed: number; verb: string }): string {
  return `${judged} asset${judged === 1 ? "" : "s"} judged, ${changed} of them ${verb}.`;
}

export type RuleChanges = {
  ruleCode: string;
  new: number;
  gone: number;
  changed: number;
  samples: { change: string; filename: string; summary: string }[];
};

export function describeRules(rules: readonly RuleChanges[]): string[] {
  if (rules.length === 0) return [];
  const rows = rules.map((rule) => [rule.ruleCode, rule.new, rule.gone, rule.changed]);
  const samples = rules.flatMap(({ ruleCode, samples: [sample] }) =>
    sample === undefined ? [] : [`  ${ruleCode}: ${sample.change} in ${sample.filename}: ${sample.summary}`],
  );
  return [...table(["rule", "new", "gone", "changed"], rows), "", "For example:", ...samples, ""];
}
