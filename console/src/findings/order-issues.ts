import type { Issue, Topics } from "@greenlit/sdk/src/generated.ts";
import { severities } from "../ui/severity.tsx";

export type Order = "severity" | "time" | "topic";

/** The order in which a reviewer goes through the findings. */
export function orderIssues(
  issues: readonly Issue[],
  { order, topics }: { order: Order; topics: Topics | undefined },
): Issue[] {
  const topicOf = new Map(topics?.topics.flatMap(({ issueIds }, index) => issueIds.map((id) => [id, index] as const)));
  const place = (issue: Issue) => issue.location?.startSeconds ?? (issue.location?.page ?? 0) * 1000;
  const rank = (issue: Issue) => severities.indexOf(issue.severity);
  return issues.toSorted((a, b) => {
    const byTopic =
      order === "topic"
        ? (topicOf.get(a.id) ?? Number.MAX_SAFE_INTEGER) - (topicOf.get(b.id) ?? Number.MAX_SAFE_INTEGER)
        : 0;
    if (byTopic !== 0) return byTopic;
    const bySeverity = order === "time" ? 0 : rank(a) - rank(b);
    return bySeverity || place(a) - place(b) || a.referenceNumber - b.referenceNumber;
  });
}
