import { sql, type Kysely } from "kysely";
import type { App } from "../app.ts";
import { recordAudit, type Change } from "../audit/record-audit.ts";
import type { ReasonCode } from "../db/people-tables.ts";
import type { IssueStatus, Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { hasRole, requireRole } from "../people/role.ts";
import { announce } from "../realtime/announce.ts";
import { checkMode } from "../submissions/check-mode.ts";
import type { IssueRow } from "../submissions/issues/issue.ts";
import type { AssetIds } from "../submissions/reading/read-asset.ts";
import type { Caller } from "../workspaces/caller.ts";
import { keepSubmission, lockReview, recountReview, refuseClaimed, refuseForeignMarkets } from "./review.ts";
import { readReviewRules } from "./rules.ts";

export type IssueDecision = {
  status: IssueStatus;
  reason: string | undefined;
  reasonCode: ReasonCode | undefined;
};

type DecidedIssue = Pick<IssueRow, "issueId" | "status" | "severity" | "referenceNumber" | "ruleCode">;

/**
 * Decides about issues of one asset, one or ten thousand: all of them, their history, the review's counts and an audit
 * entry each, or nothing.
 */
export async function decideIssues(
  app: App,
  options: Omit<AssetIds, "workspaceId"> & {
    caller: Caller;
    decision: IssueDecision;
    find: (trx: Kysely<Tables>) => Promise<DecidedIssue[]>;
  },
): Promise<{ decided: number; proposed: number; issueIds: string[] }> {
  const { caller, submissionId, assetId, decision } = options;
  const { workspaceId, actor } = caller;
  return app.db.transaction().execute(async (trx) => {
    await keepSubmission(trx, { workspaceId, submissionId });
    const issues = await options.find(trx);
    const review = await lockReview(app, trx, { workspaceId, submissionId, assetId });
    checkMode(caller, review);
    refuseForeignMarkets(review.markets, actor.markets);
    const now = app.now();
    refuseClaimed(review, { holderId: actor.id, now });
    const waitsForSecond = await findProposals(trx, { caller, issues, decision });

    const changes = issues
      .map((issue) => ({ issue, isProposed: waitsForSecond(issue) }))
      .map(({ issue, isProposed }) => ({
        changeId: uuidv7(now.getTime()),
        issueId: issue.issueId,
        referenceNumber: issue.referenceNumber,
        ruleCode: issue.ruleCode,
        fromStatus: issue.status,
        toStatus: isProposed ? ("AWAITING_HUMAN_INPUT" as const) : decision.status,
        proposedStatus: isProposed ? decision.status : null,
      }));
    const told = changes.filter(
      ({ fromStatus, toStatus, proposedStatus }) =>
        fromStatus !== toStatus ||
        proposedStatus !== null ||
        decision.reason !== undefined ||
        decision.reasonCode !== undefined,
    );
    await sql`
      insert into issue_status_changes (change_id, issue_id, workspace_id, from_status, to_status, reason, reason_code,
          proposed_status, key_id, person_id, created_at)
        select "changeId", "issueId", ${workspaceId}, "fromStatus", "toStatus", ${decision.reason ?? null},
            ${decision.reasonCode ?? null}, "proposedStatus", ${actor.kind === "key" ? actor.id : null}::uuid,
            ${actor.kind === "person" ? actor.id : null}::uuid, ${now}
          from jsonb_to_recordset(${JSON.stringify(told)}) as new ("changeId" uuid, "issueId" uuid, "fromStatus" text,
            "toStatus" text, "proposedStatus" text)`.execute(trx);
    await sql`
      update issues set status = new."toStatus", updated_at = ${now}
        from jsonb_to_recordset(${JSON.stringify(changes)}) as new ("issueId" uuid, "toStatus" text)
        where issues.issue_id = new."issueId" and issues.workspace_id = ${workspaceId}`.execute(trx);

    await recountReview(trx, { assetId, workspaceId, now });
    if (actor.kind === "person" && review.state === "awaiting_review")
      await trx
        .updateTable("reviews")
        .set({ state: "in_review" })
        .where("reviewId", "=", review.reviewId)
        .where("workspaceId", "=", workspaceId)
        .execute();
    if (told.length > 0)
      await announce(trx, {
        workspaceId,
        event: "review.changed",
        data: { submissionId, assetId, reviewId: review.reviewId },
      });
    const entries: Change[] = told.map(
      ({ issueId, referenceNumber, ruleCode, fromStatus, toStatus, proposedStatus }) => ({
        action: proposedStatus === null ? "issue.decided" : "issue.dismissal_proposed",
        target: { kind: "issue", id: issueId },
        detail: {
          assetId,
          referenceNumber,
          ruleCode,
          fromStatus,
          toStatus,
          reason: decision.reason ?? null,
          reasonCode: decision.reasonCode ?? null,
        },
      }),
    );
    await recordAudit(trx, { workspaceId, actor, now, changes: entries });
    const proposed = changes.filter(({ proposedStatus }) => proposedStatus !== null).length;
    return { decided: changes.length - proposed, proposed, issueIds: changes.map(({ issueId }) => issueId) };
  });
}

/**
 * Dismissing a CRITICAL issue takes an approver. Where the workspace wants a second person, the first one's dismissal is
 * a proposal, and somebody else, an approver, makes it true by dismissing it too.
 */
async function findProposals(
  trx: Kysely<Tables>,
  { caller, issues, decision }: { caller: Caller; issues: readonly DecidedIssue[]; decision: IssueDecision },
): Promise<(issue: DecidedIssue) => boolean> {
  const { workspaceId, actor } = caller;
  const isCritical = ({ severity, status }: DecidedIssue) => severity === "CRITICAL" && status !== "DISMISSED";
  const critical = decision.status === "DISMISSED" ? issues.filter(isCritical) : [];
  if (critical.length === 0) return () => false;
  const { secondPersonForCritical } = await readReviewRules(trx, workspaceId);
  if (!secondPersonForCritical) {
    requireRole(actor, "approver");
    return () => false;
  }
  const { rows } = await sql<{ issueId: string; proposedStatus: string | null; personId: string | null }>`
    select distinct on (issue_id) issue_id, proposed_status, person_id from issue_status_changes
      where workspace_id = ${workspaceId} and issue_id = any(${critical.map(({ issueId }) => issueId)}::uuid[])
      order by issue_id, created_at desc, change_id desc`.execute(trx);
  const proposals = new Map(rows.map((row) => [row.issueId, row]));
  const maySecond = actor.kind === "person" && hasRole(actor.role, "approver");
  return (issue) => {
    if (!critical.includes(issue)) return false;
    const proposal = proposals.get(issue.issueId);
    const isSeconded = maySecond && proposal?.proposedStatus === "DISMISSED" && proposal.personId !== actor.id;
    return !isSeconded;
  };
}
