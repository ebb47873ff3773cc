import { nowhere, type Finding, type Location, type Severity } from "@greenlit/engine/finding.ts";
import type { App } from "../app.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { uuidv7 } from "../db/uuid.ts";
import { announce } from "../realtime/announce.ts";
import { checkMode } from "../submissions/check-mode.ts";
import { fullIssue, type FullIssue } from "../submissions/issues/issue.ts";
import { insertIssues } from "../submissions/issues/make-issues.ts";
import { takeReferenceNumbers } from "../submissions/issues/reference-numbers.ts";
import { findAsset, type AssetIds } from "../submissions/reading/read-asset.ts";
import type { Caller } from "../workspaces/caller.ts";
import { lockReview, recountReview, refuseClaimed, refuseOutsider } from "./review.ts";

/** The sidekick of what people find themselves. */
export const reviewersId = "7d0f5b0a-2c1e-4a57-9f3b-6e8d4c2a1b90";

export type ReportedIssue = {
  summary: string;
  severity: Severity;
  ruleCode: string | undefined;
  reasoning: string | undefined;
  recommendation: string | undefined;
  location: Partial<Location> | undefined;
};

/** An issue that a reviewer found and no rule did. It is one of the asset's issues from then on. */
export async function reportIssue(
  app: App,
  options: Omit<AssetIds, "workspaceId"> & { caller: Caller; issue: ReportedIssue },
): Promise<FullIssue> {
  const { caller, submissionId, assetId, issue } = options;
  const { workspaceId, actor } = caller;
  const ids = { workspaceId, submissionId, assetId };
  const asset = await findAsset(app, ids);
  return app.db.transaction().execute(async (trx) => {
    const review = await lockReview(app, trx, ids);
    checkMode(caller, review);
    refuseOutsider(review, actor.markets);
    const now = app.now();
    refuseClaimed(review, { holderId: actor.id, now });
    const issueId = uuidv7(now.getTime());
    const finding = findingOf(issue, { issueId, name: actor.name });
    const numbers = await takeReferenceNumbers(trx, { asset, fingerprints: [finding.fingerprint] });
    const { position } = await trx
      .selectFrom("issues")
      .select((where) => where.fn.coalesce(where.fn.max<number>("position"), where.lit(-1)).as("position"))
      .where("assetId", "=", assetId)
      .where("workspaceId", "=", workspaceId)
      .executeTakeFirstOrThrow();
    const row = {
      issueId,
      assetId,
      workspaceId,
      position: position + 1,
      referenceNumber: numbers.get(finding.fingerprint) ?? 0,
      fingerprint: finding.fingerprint,
      ruleCode: finding.ruleCode,
      severity: issue.severity,
      status: "OPEN" as const,
      sidekickId: reviewersId,
      finding,
      reopened: false,
      earlierIssueId: null,
      createdAt: now,
      updatedAt: now,
    };
    await insertIssues(trx, [row]);
    await trx
      .updateTable("assets")
      .set((where) => ({ issueCount: where(where.fn.coalesce("issueCount", where.lit(0)), "+", 1) }))
      .where("assetId", "=", assetId)
      .where("workspaceId", "=", workspaceId)
      .execute();
    await recountReview(trx, { assetId, workspaceId, now });
    await announce(trx, {
      workspaceId,
      event: "review.changed",
      data: { submissionId, assetId, reviewId: review.reviewId },
    });
    const detail = { assetId, severity: issue.severity, ruleCode: finding.ruleCode };
    const target = { kind: "issue", id: issueId };
    await recordAudit(trx, { workspaceId, actor, now, changes: [{ action: "issue.reported", target, detail }] });
    return fullIssue(row);
  });
}

function findingOf(issue: ReportedIssue, { issueId, name }: { issueId: string; name: string | null }): Finding {
  const by = name === null ? "a reviewer" : name;
  return {
    ruleCode: issue.ruleCode ?? "REVIEWER",
    ruleVersion: "1",
    ruleSummary: "Found by a reviewer",
    sidekickId: reviewersId,
    sidekickName: "Reviewers",
    packVersion: "1",
    summary: issue.summary,
    severity: issue.severity,
    severityReasoning: issue.reasoning ?? `Set by ${by}.`,
    severityReasoningHeadline: `${issue.severity} by ${by}`,
    needsHuman: false,
    precedents: [],
    fingerprint: `reviewer-${issueId}`,
    location: issue.location ? { ...nowhere, ...issue.location } : null,
    measurement: null,
    recommendation: issue.recommendation ?? "",
    citation: null,
  };
}
