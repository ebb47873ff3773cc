import { createKeptJudge } from "@greenlit/engine/kept/judge-kept.ts";
import { unpackEvidence } from "@greenlit/engine/kept/kept-evidence.ts";
import { coverageOf, type Coverage } from "@greenlit/engine/markets/coverage.ts";
import { loadMarkets, type Market } from "@greenlit/engine/markets/markets.ts";
import { conditionsOf, rankFixes, verdictOf, type Fix, type Verdict } from "@greenlit/engine/markets/verdict.ts";
import type { Context, Sidekick } from "@greenlit/engine/sidekick.ts";
import { CommandError } from "../command-error.ts";
import { table } from "../print.ts";

export type MarketVerdicts = {
  markets: {
    market: string;
    name: string;
    verdict: Verdict;
    conditions: string[];
    coverage: Coverage;
    rules: string[];
  }[];
  fixes: Fix[];
};

/** `UK:tv,US:online`, or `all`. */
export async function chooseMarkets(names: string): Promise<Market[]> {
  const known = await loadMarkets();
  if (names.toLowerCase() === "all") return known;
  return names.split(",").map((name) => {
    const market = known.find((candidate) => candidate.market.toLowerCase() === name.trim().toLowerCase());
    if (market) return market;
    throw new CommandError(
      `There is no market "${name.trim()}". There are: ${known.map(({ market: each }) => each).join(", ")}.`,
    );
  });
}

/** What each market would say about a file whose evidence was just gathered. */
export function judgeMarkets(
  keptEvidence: string,
  options: { markets: readonly Market[]; sidekicks: readonly Sidekick[]; context: Context },
): MarketVerdicts {
  const kept = unpackEvidence(Buffer.from(keptEvidence, "base64"));
  const judge = createKeptJudge(kept);
  const today = new Date().toISOString().slice(0, 10);
  const { sidekicks } = options;
  const conditions = new Map(sidekicks.flatMap(({ rules }) => rules.map((rule) => [rule.code, rule.conditions ?? []])));
  const results = judge.judgeAll(
    options.markets.map((market) => ({ sidekicks, context: { ...options.context, ...market.context }, today })),
  );
  const judged = options.markets.map((market, index) => {
    const { findings = [], unjudgedRules = [] } = results[index] ?? {};
    const own = findings.map((finding) => ({
      ...finding,
      isOpen: true,
      conditions: conditions.get(finding.ruleCode) ?? [],
    }));
    const mediaKind = kept.evidence.probe.kind;
    const coverage = coverageOf(market, { sidekicks, mediaKind, today, unjudgedRules: new Set(unjudgedRules) });
    return { market, findings: own, coverage };
  });
  return {
    markets: judged.map(({ market, findings, coverage }) => ({
      market: market.market,
      name: market.name,
      verdict: verdictOf(findings, coverage),
      conditions: conditionsOf(findings),
      coverage,
      rules: [...new Set(findings.map(({ ruleCode }) => ruleCode))],
    })),
    fixes: rankFixes(judged.map(({ market, findings }) => ({ market: market.market, findings }))),
  };
}

export function describeMarkets({ markets, fixes }: MarketVerdicts): string[] {
  const rows = markets.map(({ market, verdict, conditions, coverage, rules }) => [
    market,
    verdict,
    coverage.placeRules,
    [...conditions, ...rules].join(", "),
  ]);
  return [
    ...table(["market", "verdict", "rules", "because of"], rows),
    ...fixes.slice(0, 5).map(({ ruleCode, unlocks, markets: concerned, recommendation }) => {
      const effect = unlocks.length > 0 ? `unlocks ${unlocks.join(", ")}` : `concerns ${concerned.join(", ")}`;
      return `fix ${ruleCode} (${effect}): ${recommendation}`;
    }),
  ];
}
