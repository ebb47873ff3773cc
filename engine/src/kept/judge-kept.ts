import { neededEvidence } from "../checks/needed-evidence.ts";
import type { Finding } from "../finding.ts";
import { type Measurements, measurementsOf } from "../measurements.ts";
import { judgeRules, planRules } from "../rules/judge.ts";
import type { Context, Sidekick } from "../sidekick.ts";
import { type AssetText, assetText } from "../text/asset-text.ts";
import { withHeardNames } from "../text/heard-names.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { KeptEvidence } from "./kept-evidence.ts";

export type KeptJudgement = {
  findings: Finding[];
  /** Rules that concern the file and could not be judged: what they need was not gathered when it was analysed. */
  unjudgedRules: string[];
  /** How many rules were judged. */
  ruleCount: number;
};

/** Judges one asset's kept evidence as often as needed: what does not depend on the context is worked out once. */
export function createKeptJudge(kept: KeptEvidence) {
  const gathered = new Set(kept.gathered);
  const readings = new Map<string, { evidence: Evidence; text: AssetText }>();

  function readingFor(context: Context): { evidence: Evidence; text: AssetText } {
    const names = JSON.stringify([context.brand, context.product]);
    const known = readings.get(names);
    if (known !== undefined) return known;
    const evidence = withHeardNames(kept.evidence, context);
    const reading = { evidence, text: assetText(evidence) };
    readings.set(names, reading);
    return reading;
  }

  return {
    /** What the same rules would find in the file itself. */
    judge({ sidekicks, context, today }: JudgeOptions): KeptJudgement {
      const planned = planRules(sidekicks, { probe: kept.evidence.probe, context, today });
      const isJudged = ({ kind, rule }: (typeof planned)[number]) =>
        neededEvidence(kind, rule).every((key) => key === "probe" || gathered.has(key));
      const plan = planned.filter(isJudged);
      return {
        findings: judgeRules(plan, { ...readingFor(context), context }),
        unjudgedRules: planned.filter((rule) => !isJudged(rule)).map(({ rule }) => rule.code),
        ruleCount: plan.length,
      };
    },
    measure(context: Context): Measurements {
      return measurementsOf(readingFor(context).evidence, context);
    },
  };
}

export type JudgeOptions = { sidekicks: readonly Sidekick[]; context: Context; today: string };
