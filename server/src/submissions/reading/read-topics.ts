import { createHash } from "node:crypto";
import type { Finding } from "@greenlit/engine/finding.ts";
import { clusterTopics, topicsAlgorithm } from "@greenlit/engine/topics.ts";
import type { App } from "../../app.ts";
import { compactIssue } from "../issues/issue.ts";
import { findFinishedAsset, type AssetIds } from "./read-asset.ts";
import { readAllIssues } from "./read-issues.ts";

/** Issues that belong together. Made on reading: the same issues always give the same topics. */
export async function readTopics(app: App, ids: AssetIds) {
  const { assetId, completedAt } = await findFinishedAsset(app, ids);
  const issues = await readAllIssues(app, ids);
  const { topics, orphanIds } = clusterTopics(
    issues.map((row) => ({
      ...(row.finding as Finding),
      id: row.issueId,
      ruleCode: row.ruleCode,
      severity: row.severity,
    })),
  );
  const orphans = new Set(orphanIds);
  return {
    assetId,
    topics: topics.map((topic) => ({
      topicId: topicIdOf(topic.issueIds),
      ...topic,
      issueCount: topic.issueIds.length,
    })),
    orphanIssues: issues.filter(({ issueId }) => orphans.has(issueId)).map(compactIssue),
    metadata: {
      ...topicsAlgorithm,
      generatedAt: (completedAt ?? app.now()).toISOString(),
      totalIssues: issues.length,
      clusteredIssueCount: issues.length - orphans.size,
      orphanIssueCount: orphans.size,
    },
  };
}

/** A name that stays the same as long as the topic has the same issues. */
function topicIdOf(issueIds: string[]): string {
  const hex = createHash("sha256").update(issueIds.toSorted().join()).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
