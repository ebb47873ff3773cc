import type { Finding, Severity } from "../finding.ts";
import type { Coverage } from "./coverage.ts";

/** Worst first. `not_assessed` is no better than any other: nobody knows. */
export const verdicts = [
  "blocked",
  "changes_needed",
  "needs_human",
  "not_assessed",
  "conditional",
  "clear_with_notes",
  "clear",
] as const;
export type Verdict = (typeof verdicts)[number];

/** A finding of one market, with what the people who reviewed the asset decided about it. */
export type MarketFinding = Finding & {
  /** False: resolved or dismissed. */
  isOpen: boolean;
  /** What the rule allows it under, like `post_watershed`; empty: under nothing. */
  conditions: readonly string[];
};

/** What one market's findings amount to. Few rules never make an asset clear. */
export function verdictOf(findings: readonly MarketFinding[], coverage: Coverage): Verdict {
  const open = findings.filter(({ isOpen }) => isOpen);
  const unconditional = open.filter(({ conditions }) => conditions.length === 0);
  const has = (severity: Severity) => unconditional.some((finding) => finding.severity === severity);
  if (has("CRITICAL")) return "blocked";
  if (has("MAJOR")) return "changes_needed";
  if (unconditional.some(({ needsHuman }) => needsHuman)) return "needs_human";
  if (!coverage.isSufficient) return "not_assessed";
  if (open.length > unconditional.length) return "conditional";
  return open.length > 0 ? "clear_with_notes" : "clear";
}

/** The conditions under which a market may be cleared. */
export function conditionsOf(findings: readonly MarketFinding[]): string[] {
  return [...new Set(findings.filter(({ isOpen }) => isOpen).flatMap(({ conditions }) => conditions))].toSorted();
}

export type Fix = {
  fingerprint: string;
  ruleCode: string;
  severity: Severity;
  summary: string;
  recommendation: string;
  /** Markets that it keeps from being cleared. */
  markets: string[];
  /** Of them those where nothing else does. */
  unlocks: string[];
};

/** What to change first: the fixes that unlock most markets, then those that concern most. */
export function rankFixes(markets: readonly { market: string; findings: readonly MarketFinding[] }[]): Fix[] {
  const fixes = new Map<string, Fix>();
  for (const { market, findings } of markets) {
    const blocking = findings.filter(
      ({ isOpen, conditions, severity }) =>
        isOpen && conditions.length === 0 && (severity === "CRITICAL" || severity === "MAJOR"),
    );
    for (const { fingerprint, ruleCode, severity, summary, recommendation } of blocking) {
      const fix = fixes.get(fingerprint) ?? {
        fingerprint,
        ruleCode,
        severity,
        summary,
        recommendation,
        markets: [],
        unlocks: [],
      };
      fix.markets.push(market);
      if (blocking.length === 1) fix.unlocks.push(market);
      fixes.set(fingerprint, fix);
    }
  }
  return [...fixes.values()].toSorted(
    (a, b) => b.unlocks.length - a.unlocks.length || b.markets.length - a.markets.length,
  );
}
