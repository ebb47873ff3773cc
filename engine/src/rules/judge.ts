import vm from "node:vm";
import type { AssetText } from "../text/asset-text.ts";
import type { CheckInput, CheckKind, Hit } from "../checks/check-kind.ts";
import { findCheckKind } from "../checks/kinds.ts";
import { expectPattern } from "../text/text-search.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { type Finding, nowhere } from "../finding.ts";
import { fingerprintOf, numberDuplicates } from "../fingerprint.ts";
import type { Context, Rule, Sidekick } from "../sidekick.ts";
import { applicabilityOf, lowerSeverity } from "./context.ts";
import { restsOnDoubt } from "./doubtful-speech.ts";
import { joinMeaning } from "./join-meaning.ts";
import { choosePrecedents } from "./precedents.ts";
import type { Lexicons } from "../text/concepts/lexicon.ts";
import { lexiconsOf, prepareLexicons } from "./rule-lexicons.ts";
import { expectSectorCues, showsSector } from "./sectors.ts";

/** A rule of a chosen sidekick that concerns this file. */
export type PlannedRule = {
  sidekick: Sidekick;
  rule: Rule;
  kind: CheckKind;
  undeclared: string[];
  mustShowSector: boolean;
};

export type Judgement = { evidence: Evidence; text: AssetText; context: Context };

/** A pattern that runs away must cost its rule, not the file. */
const ruleTimeoutMs = 5_000;
let sandbox: { context: vm.Context; script: vm.Script } | undefined;

/** Which rules have something to say about this kind of file in this context, today. */
export function planRules(
  sidekicks: readonly Sidekick[],
  options: { probe: Evidence["probe"]; context: Context; today: string },
): PlannedRule[] {
  return sidekicks.flatMap((sidekick) =>
    sidekick.rules.flatMap((rule) => {
      const kind = findCheckKind(rule.check.kind);
      if (kind === undefined) throw new Error(`${rule.code} names the check ${rule.check.kind}, which does not exist.`);
      if (!kind.appliesTo.includes(options.probe.kind)) return [];
      const applicability = applicabilityOf(rule, options.context, options.today);
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
  return completeAll(plan, joinMeaning(plan, hitsOf(plan, judgement), judgement), judgement);
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
  const lexicons = lexiconsOf(plan);
  const hits = plan.map((planned) => runRule(planned, judgement, lexicons));
  completeAll(plan, joinMeaning(plan, hits, judgement), judgement);
}

const expectedRules = new WeakSet<Rule>();

/** Looked for in one pass, together with the first that is looked for. */
export function expectPatterns(rules: readonly Rule[]): void {
  for (const rule of rules) {
    if (expectedRules.has(rule)) continue;
    expectedRules.add(rule);
    if (rule.sectors.length > 0) expectSectorCues();
    Object.values(rule.check).filter(Array.isArray).forEach(expectStrings);
  }
}

function expectStrings(value: unknown): void {
  if (typeof value === "string") expectPattern(value);
  else if (Array.isArray(value)) value.forEach(expectStrings);
}

/** All at once, because a watched run costs more than most rules; one by one when something in there runs away. */
function hitsOf(plan: readonly PlannedRule[], judgement: Judgement): Hit[][] {
  expectPatterns(plan.map(({ rule }) => rule));
  const lexicons = lexiconsOf(plan);
  const run = (planned: PlannedRule) => runRule(planned, judgement, lexicons);
  return (
    runWithin(() => plan.map(run)) ?? plan.map((planned) => runWithin(() => run(planned)) ?? [notJudged(planned.rule)])
  );
}

function runRule(
  { rule, kind, undeclared, mustShowSector }: PlannedRule,
  { evidence, text, context }: Judgement,
  lexicons: Lexicons,
): Hit[] {
  if (mustShowSector && !showsSector(text, rule.sectors)) return [];
  const { kind: _kind, ...parameters } = rule.check;
  const input: CheckInput<never> = {
    evidence,
    parameters: parameters as never,
    context,
    undeclared,
    text,
    lexicons,
  };
  return kind.run(input);
}

/** Two problems of one rule that are the same by name get a number each. */
function withDistinctIdentities(hits: readonly Hit[]): Hit[] {
  return numberDuplicates(hits, {
    nameOf: ({ identity }) => fingerprintOf({ ruleCode: "", identity }),
    rename: (hit, count) => ({ ...hit, identity: `${hit.identity} number ${count}` }),
  });
}

/** Null: it took too long and was stopped. */
function runWithin<Result>(run: () => Result): Result | null {
  // Not made before the first rule: a snapshot of this code cannot hold a second context.
  const { context, script } = (sandbox ??= { context: vm.createContext(), script: new vm.Script("run()") });
  try {
    context["run"] = run;
    return script.runInContext(context, { timeout: ruleTimeoutMs }) as Result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    return null;
  }
}

function notJudged(rule: Rule): Hit {
  return {
    summary: `The rule ${rule.code} could not be judged on this file.`,
    headline: "Not judged: the rule took too long",
    reasoning: `Its patterns ran for more than ${ruleTimeoutMs / 1000} s and were stopped.`,
    identity: "not judged",
    severity: "INFO",
    needsHuman: true,
    recommendation: "Look at this file yourself for this rule, and simplify the rule's patterns.",
  };
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
