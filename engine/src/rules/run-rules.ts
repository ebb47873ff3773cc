import vm from "node:vm";
import type { CheckInput, CheckKind, Hit } from "../checks/check-kind.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Context, Rule, Sidekick } from "../sidekick.ts";
import type { AssetText } from "../text/asset-text.ts";
import type { Lexicons } from "../text/concepts/lexicon.ts";
import { expectPattern } from "../text/text-search.ts";
import { lexiconsOf } from "./rule-lexicons.ts";
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

/** One of several judgements of the same file. */
export type MarketPlan = { plan: readonly PlannedRule[]; context: Context };

/** A pattern that runs away must cost its rule, not the file. */
const ruleTimeoutMs = 5_000;
let isWatched = true;
let sandbox: { context: vm.Context; script: vm.Script } | undefined;

/**
 * For a process that is ended from outside when it takes too long, after which another judges the file and watches. To
 * watch takes a new process longer than all rules take on a sentence.
 */
export function runRulesUnwatched(): void {
  isWatched = false;
}

/** All at once, because a watched run costs more than most rules; one by one when something in there runs away. */
export function runRules(markets: readonly MarketPlan[], file: Omit<Judgement, "context">): Hit[][][] {
  for (const { plan } of markets) expectPatterns(plan.map(({ rule }) => rule));
  const shared = new Map<Lexicons, Map<Rule, Hit[]>>();
  const runAll = (watch: (rule: Rule, run: () => Hit[]) => Hit[]) =>
    markets.map(({ plan, context }) => {
      const lexicons = lexiconsOf(plan);
      const known = shared.get(lexicons) ?? new Map<Rule, Hit[]>();
      shared.set(lexicons, known);
      const runRule = ruleRunner({ ...file, context }, lexicons);
      const run = (planned: PlannedRule) => {
        const { hits, readsContext } = runRule(planned);
        if (!readsContext) known.set(planned.rule, hits);
        return hits;
      };
      return plan.map((planned) =>
        watch(planned.rule, () => (isAboutSector(planned, file) ? (known.get(planned.rule) ?? run(planned)) : [])),
      );
    });
  if (!isWatched) return runAll((_rule, run) => run());
  return runWithin(() => runAll((_rule, run) => run())) ?? runAll((rule, run) => runWithin(run) ?? [notJudged(rule)]);
}

function isAboutSector({ rule, mustShowSector }: PlannedRule, { text }: Pick<Judgement, "text">): boolean {
  return !mustShowSector || showsSector(text, rule.sectors);
}

/** Without a time limit: for our own texts. */
export function runUnwatched(plan: readonly PlannedRule[], judgement: Judgement): Hit[][] {
  const runRule = ruleRunner(judgement, lexiconsOf(plan));
  return plan.map((planned) => (isAboutSector(planned, judgement) ? runRule(planned).hits : []));
}

/** `readsContext`: in another market it may find something else. */
function ruleRunner(
  { evidence, text, context }: Judgement,
  lexicons: Lexicons,
): (planned: PlannedRule) => { hits: Hit[]; readsContext: boolean } {
  let readsContext = false;
  let undeclared: readonly string[] = [];
  // One for all rules: hundreds are asked about every file, and most of them look at next to nothing.
  const input: CheckInput<never> = {
    evidence,
    parameters: {} as never,
    // Noticed rather than declared by the kind: a forgotten declaration would give one market the findings of another.
    get context() {
      readsContext = true;
      return context;
    },
    get undeclared() {
      readsContext = true;
      return undeclared;
    },
    text,
    lexicons,
  };
  return (planned) => {
    readsContext = false;
    undeclared = planned.undeclared;
    input.parameters = parametersOf(planned.rule) as never;
    const hits = planned.kind.run(input);
    return { hits, readsContext };
  };
}

const parameters = new WeakMap<Rule, object>();

function parametersOf(rule: Rule): object {
  const before = parameters.get(rule);
  if (before !== undefined) return before;
  const { kind: _kind, ...own } = rule.check;
  parameters.set(rule, own);
  return own;
}

const expectedRules = new WeakSet<Rule>();

/** Registers patterns, so that the first search finds all of them in one pass. */
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
