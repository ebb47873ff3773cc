import { severities, type Finding, type Severity } from "./finding.ts";

export const topicsAlgorithm = { algorithm: "shared-rule-or-moment", algorithmVersion: "1" };

export type TopicIssue = { id: string; ruleCode: string } & Pick<
  Finding,
  "severity" | "summary" | "severityReasoningHeadline" | "sidekickId" | "location"
>;

export type Topic = {
  title: string;
  summary: string;
  severity: Severity;
  issueIds: string[];
  ruleCodes: string[];
};

/**
 * Groups issues that a reviewer would deal with together: those of one rule, and those of one sidekick at the same
 * moment or on the same words. The same issues in the same order give the same topics.
 */
export function clusterTopics(issues: readonly TopicIssue[]): { topics: Topic[]; orphanIds: string[] } {
  const parents = issues.map((_, index) => index);
  const rootOf = (index: number): number => (parents[index] === index ? index : rootOf(parents[index] ?? index));
  for (const [i, a] of issues.entries())
    for (let j = 0; j < i; j++) {
      const b = issues[j];
      if (b && areRelated(a, b)) parents[rootOf(i)] = rootOf(j);
    }

  const groups = [...Map.groupBy(issues.entries(), ([index]) => rootOf(index)).values()].map((group) =>
    group.map(([, issue]) => issue),
  );
  return {
    topics: groups.filter((group) => group.length > 1).map(describe),
    orphanIds: groups.filter((group) => group.length === 1).flatMap((group) => group.map(({ id }) => id)),
  };
}

function areRelated(a: TopicIssue, b: TopicIssue): boolean {
  if (a.ruleCode === b.ruleCode) return true;
  if (a.sidekickId !== b.sidekickId || !a.location || !b.location) return false;
  if (a.location.quote !== null && a.location.quote === b.location.quote) return true;
  return overlapShare(a.location, b.location) >= 0.5;
}

/** How much of the shorter of two stretches of time lies in the other. */
function overlapShare(a: NonNullable<Finding["location"]>, b: NonNullable<Finding["location"]>): number {
  if (a.startSeconds === null || a.endSeconds === null || b.startSeconds === null || b.endSeconds === null) return 0;
  const shared = Math.min(a.endSeconds, b.endSeconds) - Math.max(a.startSeconds, b.startSeconds);
  const shorter = Math.min(a.endSeconds - a.startSeconds, b.endSeconds - b.startSeconds);
  return shorter > 0 ? shared / shorter : 0;
}

function describe(group: TopicIssue[]): Topic {
  const worst =
    group.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))[0] ?? group[0];
  const summaries = [...new Set(group.map(({ summary }) => summary))];
  return {
    title: worst?.severityReasoningHeadline ?? "",
    summary: summaries.slice(0, 3).join(" ") + (summaries.length > 3 ? ` And ${summaries.length - 3} more.` : ""),
    severity: worst?.severity ?? "INFO",
    issueIds: group.map(({ id }) => id),
    ruleCodes: [...new Set(group.map(({ ruleCode }) => ruleCode))],
  };
}
