import { clusterTopics } from "@greenlit/engine/topics.ts";
import { severities, type Severity } from "@greenlit/engine/finding.ts";
import type { MarketFinding } from "@greenlit/engine/markets/verdict.ts";

export type MarketTopic = {
  title: string;
  severity: Severity;
  /** Where it is open. */
  markets: { market: string; severity: Severity; count: number }[];
};

/**
 * The open findings of all markets as topics, and how each market sees them; the gravest first, then those of most
 * markets. A finding that is like no other is a topic by itself.
 */
export function topicsOf(judged: readonly { market: string; findings: readonly MarketFinding[] }[]): MarketTopic[] {
  const known = new Map<string, MarketFinding>();
  for (const { findings } of judged)
    for (const finding of findings)
      if (finding.isOpen && !known.has(finding.fingerprint)) known.set(finding.fingerprint, finding);
  const { topics, orphanIds } = clusterTopics([...known].map(([id, finding]) => ({ ...finding, id })));
  const groups = [
    ...topics.map(({ title, issueIds }) => ({ title, ids: issueIds })),
    ...orphanIds.map((id) => ({ title: known.get(id)?.ruleSummary ?? "", ids: [id] })),
  ];
  const groupOf = new Map(groups.flatMap(({ ids }, index) => ids.map((id) => [id, index] as const)));
  const seen = groups.map((): MarketTopic["markets"] => []);
  for (const { market, findings } of judged) {
    const own = new Map<number, { market: string; severity: Severity; count: number }>();
    for (const { fingerprint, severity, isOpen } of findings) {
      const group = groupOf.get(fingerprint);
      if (!isOpen || group === undefined) continue;
      const entry = own.get(group);
      own.set(group, { market, severity: worse(entry?.severity, severity), count: (entry?.count ?? 0) + 1 });
    }
    for (const [group, entry] of own) seen[group]?.push(entry);
  }
  return groups
    .map(({ title }, index): MarketTopic => {
      const markets = seen[index] ?? [];
      return { title, severity: markets.map(({ severity }) => severity).reduce(worse), markets };
    })
    .toSorted(
      (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || b.markets.length - a.markets.length,
    );
}

function worse(a: Severity | undefined, b: Severity): Severity {
  return a !== undefined && severities.indexOf(a) < severities.indexOf(b) ? a : b;
}
