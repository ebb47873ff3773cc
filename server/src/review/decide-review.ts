import type { Kysely } from "kysely";
import type { App } from "../app.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { ReviewDecision, ReviewRules } from "../db/people-tables.ts";
import type { Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { Failure } from "../failure.ts";
import { requireRole } from "../people/role.ts";
import { announce } from "../realtime/announce.ts";
import { checkMode } from "../submissions/check-mode.ts";
import type { AssetIds } from "../submissions/reading/read-asset.ts";
import { recordEvent } from "../webhooks/record-event.ts";
import type { Caller } from "../workspaces/caller.ts";
import {
  describeDecision,
  isApproval,
  lockReview,
  refuseClaimed,
  refuseForeignMarkets,
  type ReviewRow,
} from "./review.ts";
import { readReviewRules } from "./rules.ts";

type NewDecision = {
  decision: ReviewDecision;
  reason: string | undefined;
  conditions: string[];
  /** Empty: the markets of the review. */
  markets: string[];
};

/** A decision about an asset. It is a row of its own; the one before it is superseded and stays. */
export async function decideReview(
  app: App,
  options: Omit<AssetIds, "workspaceId"> & { caller: Caller; decision: NewDecision },
) {
  const { caller, submissionId, assetId, decision } = options;
  const { workspaceId, actor } = caller;
  return app.db.transaction().execute(async (trx) => {
    const review = await lockReview(app, trx, { workspaceId, submissionId, assetId });
    checkMode(caller, review);
    // A reviewer who is not sure hands it on; everything else decides.
    requireRole(actor, decision.decision === "escalated" ? "reviewer" : "approver");
    checkDecision(decision);
    const now = app.now();
    refuseClaimed(review, { holderId: actor.id, now });
    const markets = decision.markets.length > 0 ? decision.markets : review.markets;
    refuseForeignMarkets(markets, actor.markets);
    if (isApproval(decision.decision))
      checkApproval({
        caller,
        review,
        rules: await readReviewRules(trx, workspaceId),
        keyMakerId: await findKeyMaker(trx, review),
      });

    const decisionId = uuidv7(now.getTime());
    const row = await trx
      .insertInto("reviewDecisions")
      .values({
        decisionId,
        reviewId: review.reviewId,
        workspaceId,
        decision: decision.decision,
        reason: decision.reason ?? null,
        conditions: decision.conditions,
        markets,
        actorKind: actor.kind,
        actorId: actor.id,
        actorName: actor.name,
        createdAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await trx
      .updateTable("reviewDecisions")
      .set({ supersededBy: decisionId })
      .where("reviewId", "=", review.reviewId)
      .where("workspaceId", "=", workspaceId)
      .where("supersededBy", "is", null)
      .where("decisionId", "!=", decisionId)
      .execute();
    await trx
      .updateTable("reviews")
      .set({ state: decision.decision, decidedAt: now, updatedAt: now, claimedBy: null, claimedUntil: null })
      .where("reviewId", "=", review.reviewId)
      .where("workspaceId", "=", workspaceId)
      .execute();
    const described = describeDecision(row);
    const data = eventData({ caller, review, described });
    await recordEvent(trx, { workspaceId, submissionId, assetId, type: "asset.review.decided", data, now });
    await announce(trx, {
      workspaceId,
      event: "review.changed",
      data: { submissionId, assetId, reviewId: review.reviewId, state: decision.decision },
    });
    const target = { kind: "review", id: review.reviewId };
    const detail = { assetId, ...decision, markets, fromState: review.state };
    await recordAudit(trx, { workspaceId, actor, now, changes: [{ action: "review.decided", target, detail }] });
    return described;
  });
}

function checkDecision({ decision, reason, conditions }: NewDecision): void {
  const path =
    decision === "approved_with_conditions" && conditions.length === 0
      ? "conditions"
      : (decision === "rejected" || decision === "changes_requested") && !reason?.trim()
        ? "reason"
        : undefined;
  if (path)
    throw new Failure("invalid_request", `The decision ${decision} needs ${path}.`, {
      details: [{ path, message: `is required for ${decision}` }],
    });
}

/** The person who made the key that submitted the asset: they can submit by it as well as by themselves. */
async function findKeyMaker(trx: Kysely<Tables>, review: ReviewRow): Promise<string | null> {
  if (review.uploaderKind !== "key" || review.uploaderId === null) return null;
  const key = await trx
    .selectFrom("apiKeys")
    .select("createdBy")
    .where("keyId", "=", review.uploaderId)
    .where("workspaceId", "=", review.workspaceId)
    .executeTakeFirst();
  return key?.createdBy ?? null;
}

function checkApproval(options: {
  caller: Caller;
  review: ReviewRow;
  rules: ReviewRules;
  keyMakerId: string | null;
}): void {
  const { review, rules, keyMakerId } = options;
  const { actor } = options.caller;
  if (rules.keyMayNotApprove && actor.kind === "key")
    throw new Failure(
      "person_required",
      "In this workspace an API key alone may not approve. Sign in and decide there.",
    );
  if (rules.uploaderMayNotApprove && [review.uploaderId, keyMakerId].includes(actor.id))
    throw new Failure(
      "own_upload",
      "You submitted this asset, yourself or by a key that you made, and who submits may not approve. Ask somebody else.",
    );
  if (rules.openCriticalBlocksApproval && review.criticalCount > 0)
    throw new Failure(
      "open_critical_issues",
      `${review.criticalCount} CRITICAL ${review.criticalCount === 1 ? "issue is" : "issues are"} neither resolved nor dismissed. Decide about them first.`,
    );
}

function eventData(options: {
  caller: Caller;
  review: ReviewRow;
  described: ReturnType<typeof describeDecision>;
}): Record<string, unknown> {
  const { caller, review, described } = options;
  return {
    asset_id: review.assetId,
    submission_id: review.submissionId,
    workspace_id: review.workspaceId,
    review_id: review.reviewId,
    decision_id: described.decisionId,
    decision: described.decision,
    reason: described.reason,
    conditions: described.conditions,
    markets: described.markets,
    decided_by: described.decidedBy,
    filename: review.filename,
    version_group_id: review.versionGroupId,
    version_number: review.versionNumber,
    livemode: caller.mode === "live",
  };
}
