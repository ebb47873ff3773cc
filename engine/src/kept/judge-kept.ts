import { neededEvidence } from "../checks/needed-evidence.ts";
import type { Finding } from "../finding.ts";
import { type Measurements, measurementsOf } from "../measurements.ts";
import { judgeMarkets, planRules } from "../rules/judge.ts";
import type { PlannedRule } from "../rules/run-rules.ts";
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

  /** What the same rules would find in the file itself, in each of these contexts. */
  function judgeAll(wanted: readonly JudgeOptions[]): KeptJudgement[] {
    const judged = wanted.map((options) => ({
      ...planFor(kept, options),
      context: options.context,
      reading: readingFor(options.context),
    }));
    const findings = new Map<(typeof judged)[number], Finding[]>();
    for (const [reading, group] of Map.groupBy(judged, (each) => each.reading))
      for (const [index, found] of judgeMarkets(group, reading).entries())
        if (group[index] !== undefined) findings.set(group[index], found);
    return judged.map((each) => ({
      findings: findings.get(each) ?? [],
      unjudgedRules: [...each.unjudgedRules],
      ruleCount: each.plan.length,
    }));
  }

  return {
    judgeAll,
    judge(options: JudgeOptions): KeptJudgement {
      const [judged] = judgeAll([options]);
      if (judged === undefined) throw new Error("One judgement was asked for and none came.");
      return judged;
    },
    measure(context: Context): Measurements {
      return measurementsOf(readingFor(context).evidence, context);
    },
  };
}

export type JudgeOptions = { sidekicks: readonly Sidekick[]; context: Context; today: string };

type Plan = { plan: readonly PlannedRule[]; unjudgedRules: readonly string[] };

/** Thousands of assets are judged in a handful of contexts: what holds for all of them is worked out once. */
const plans = new WeakMap<readonly Sidekick[], Map<string, Plan>>();
const maxPlans = 200;

function planFor({ evidence: { probe }, gathered }: KeptEvidence, options: JudgeOptions): Plan {
  const { sidekicks, context, today } = options;
  // Names of brands choose no rules, and nearly every asset has its own.
  const { brand: _brand, product: _product, ...chosenBy } = context;
  const key = JSON.stringify([probe.kind, gathered, chosenBy, today]);
  const known = plans.get(sidekicks) ?? new Map<string, Plan>();
  plans.set(sidekicks, known);
  const before = known.get(key);
  if (before !== undefined) return before;
  const has = new Set(gathered);
  const planned = planRules(sidekicks, { probe, context, today });
  const isJudged = ({ kind, rule }: PlannedRule) =>
    neededEvidence(kind, rule).every((needed) => needed === "probe" || has.has(needed));
  const plan = {
    plan: planned.filter(isJudged),
    unjudgedRules: planned.filter((rule) => !isJudged(rule)).map(({ rule }) => rule.code),
  };
  if (known.size >= maxPlans) known.clear();
  known.set(key, plan);
  return plan;
}
