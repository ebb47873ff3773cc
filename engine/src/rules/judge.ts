import type { Hit } from "../checks/check-kind.ts";
import { findCheckKind } from "../checks/kinds.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { type Finding, nowhere } from "../finding.ts";
import { fingerprintOf, numberDuplicates } from "../fingerprint.ts";
import type { Context, Sidekick } from "../sidekick.ts";
import { applicabilityIn, lowerSeverity } from "./context.ts";
import { restsOnDoubt } from "./doubtful-speech.ts";
import { joinMeaning } from "./join-meaning.ts";
import { choosePrecedents } from "./precedents.ts";
import { prepareLexicons } from "./rule-lexicons.ts";
import {
  expectPatterns,
  type Judgement,
  type MarketPlan,
  type PlannedRule,
  runRules,
  runUnwatched,
} from "./run-rules.ts";

/** Which rules have something to say about this kind of file in this context, today. */
export function planRules(
  sidekicks: readonly Sidekick[],
  options: { probe: Evidence["probe"]; context: Context; today: string },
): PlannedRule[] {
  const applicabilityOf = applicabilityIn(options.context, options.today);
  return sidekicks.flatMap((sidekick) =>
    sidekick.rules.flatMap((rule) => {
      const kind = findCheckKind(rule.check.kind);
      if (kind === undefined) throw new Error(`${rule.code} names the check ${rule.check.kind}, which does not exist.`);
      if (!kind.appliesTo.includes(options.probe.kind)) return [];
      const applicability = applicabilityOf(rule);
      if (!applicability.applies) return [];
      const { undeclared, mustShowSector } = applicability;
      const isOpenWhere = undeclared.includes("jurisdiction") || undeclared.includes("destination");
      return rule.whenUndeclared === "quiet" && isOpenWhere
        ? []
        : [{ sidekick, rule, kind, undeclared, mustShowSector }];
    }),
  );
}

/** Everything that these rules find, as complete findings, in the order of the rules. */
export function judgeRules(plan: readonly PlannedRule[], judgement: Judgement): Finding[] {
  const { context, ...file } = judgement;
  return judgeMarkets([{ plan, context }], file)[0] ?? [];
}

/** The same for several markets: what a rule finds without a look at the context is worked out once for all of them. */
export function judgeMarkets(markets: readonly MarketPlan[], file: Omit<Judgement, "context">): Finding[][] {
  return runRules(markets, file).map((hits, index) => {
    const { plan = [], context = {} } = markets[index] ?? {};
    const judgement = { ...file, context };
    return completeAll(plan, joinMeaning(plan, hits, judgement), judgement);
  });
}

function completeAll(plan: readonly PlannedRule[], hits: readonly Hit[][], judgement: Judgement): Finding[] {
  return plan.flatMap((planned, index) =>
    withDistinctIdentities(hits[index] ?? []).map((hit) => complete(hit, planned, judgement)),
  );
}

/** Judges our own text without a time limit, so that the code and what the rules need are ready for a snapshot. */
export function rehearseRules(sidekicks: readonly Sidekick[], judgement: Judgement & { today: string }): void {
  const { evidence, context, today } = judgement;
  prepareLexicons(sidekicks);
  expectPatterns(sidekicks.flatMap(({ rules }) => rules));
  const plan = planRules(sidekicks, { probe: evidence.probe, context, today });
  completeAll(plan, joinMeaning(plan, runUnwatched(plan, judgement), judgement), judgement);
}

/** Two problems of one rule that are the same by name get a number each. */
function withDistinctIdentities(hits: readonly Hit[]): Hit[] {
  return numberDuplicates(hits, {
    nameOf: ({ identity }) => fingerprintOf({ ruleCode: "", identity }),
    rename: (hit, count) => ({ ...hit, identity: `${hit.identity} number ${count}` }),
  });
}

function complete(hit: Hit, planned: PlannedRule, judgement: Judgement): Finding {
  const { sidekick, rule, undeclared } = planned;
  const full = hit.severity ?? rule.severity;
  const open = undeclared.length > 0 ? rule.whenUndeclared : null;
  const isDoubtful = restsOnDoubt(hit, judgement.evidence.speech);
  const listen = isDoubtful ? "The words could not be heard for sure: listen to this passage before you decide." : "";
  const severity = open === "lower" ? lowerSeverity(full) : open === "info" || open === "quiet" ? "INFO" : full;
  return {
    ruleCode: rule.code,
    ruleVersion: rule.version,
    ruleSummary: rule.summary,
    sidekickId: sidekick.sidekickId,
    sidekickName: sidekick.name,
    packVersion: sidekick.packVersion,
    summary: hit.summary,
    severity,
    severityReasoning: [hit.reasoning, listen, rule.why, explainUndeclared(planned, full, severity)]
      .filter((sentence) => sentence !== "")
      .join(" "),
    severityReasoningHeadline: hit.headline,
    needsHuman: (hit.needsHuman ?? false) || isDoubtful || rule.needsHuman || open === "ask",
    precedents: choosePrecedents(rule, { context: judgement.context, hit }),
    fingerprint: fingerprintOf({ ruleCode: rule.code, identity: hit.identity }),
    location: hit.location === undefined ? null : placeOf(hit.location),
    measurement: hit.measurement ?? null,
    recommendation: hit.recommendation ?? rule.fix,
    citation: hit.citation ?? rule.citation,
  };
}

/** Times to the millisecond: what arithmetic leaves behind them is nothing that was measured. */
function placeOf(location: NonNullable<Hit["location"]>): Finding["location"] {
  const round = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 1000) / 1000);
  const place = { ...nowhere, ...location };
  return { ...place, startSeconds: round(place.startSeconds), endSeconds: round(place.endSeconds) };
}

function explainUndeclared({ rule, undeclared }: PlannedRule, full: string, severity: string): string {
  if (undeclared.length === 0) return "";
  const missing = undeclared.join(" or ");
  if (rule.whenUndeclared === "ask") return `A person should decide, because no ${missing} was declared.`;
  if (full === severity) return "";
  return `Rated ${severity} instead of ${full}, because no ${missing} was declared.`;
}
