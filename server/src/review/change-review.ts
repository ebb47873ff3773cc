import type { Kysely } from "kysely";
import type { App } from "../app.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Tables } from "../db/tables.ts";
import { Failure } from "../failure.ts";
import { announce } from "../realtime/announce.ts";
import { checkMode } from "../submissions/check-mode.ts";
import type { AssetIds } from "../submissions/reading/read-asset.ts";
import type { Caller } from "../workspaces/caller.ts";
import { hasRole } from "../people/role.ts";
import { lockReview, readReview, refuseClaimed, refuseOutsider, type ReviewRow } from "./review.ts";

type Ids = Omit<AssetIds, "workspaceId">;

const claimMs = 15 * 60 * 1000;

/** Who has it and until when it is due. What is left out stays. */
export async function changeReview(
  app: App,
  options: Ids & { caller: Caller; assigneeId?: string | null | undefined; dueAt?: Date | null | undefined },
) {
  const { assigneeId, dueAt } = options;
  return change(app, options, async (trx, review) => {
    if (assigneeId) await requireReviewer(trx, { personId: assigneeId, workspaceId: review.workspaceId });
    return {
      set: { ...(assigneeId !== undefined && { assigneeId }), ...(dueAt !== undefined && { dueAt }) },
      action: "review.changed",
      detail: { assigneeId, dueAt: dueAt?.toISOString() ?? dueAt },
    };
  });
}

/** Keeps it from the others for minutes; the same holder claims again to go on. */
export async function claimReview(app: App, options: Ids & { caller: Caller }) {
  const { id } = options.caller.actor;
  return change(app, options, async (_trx, review) => {
    const now = app.now();
    refuseClaimed(review, { holderId: id, now });
    const isNew = review.claimedBy !== id || review.claimedUntil === null || review.claimedUntil <= now;
    return {
      set: {
        claimedBy: id,
        claimedUntil: new Date(now.getTime() + claimMs),
        ...(review.state === "awaiting_review" && { state: "in_review" as const }),
      },
      ...(isNew && { action: "review.claimed" }),
    };
  });
}

/** Only by its holder, or by an admin when the holder is away. */
export async function releaseReview(app: App, options: Ids & { caller: Caller }): Promise<void> {
  const { actor } = options.caller;
  await change(app, options, async (_trx, review) => {
    if (!hasRole(actor.role, "admin")) refuseClaimed(review, { holderId: actor.id, now: app.now() });
    const wasClaimed = review.claimedBy !== null;
    return { set: { claimedBy: null, claimedUntil: null }, ...(wasClaimed && { action: "review.released" }) };
  });
}

type ReviewChange = {
  set: Partial<Pick<ReviewRow, "assigneeId" | "dueAt" | "claimedBy" | "claimedUntil" | "state">>;
  action?: string;
  detail?: Record<string, unknown>;
};

async function change(
  app: App,
  { caller, submissionId, assetId }: Ids & { caller: Caller },
  decide: (trx: Kysely<Tables>, review: ReviewRow) => Promise<ReviewChange>,
) {
  const { workspaceId, actor } = caller;
  const ids = { workspaceId, submissionId, assetId };
  await app.db.transaction().execute(async (trx) => {
    const review = await lockReview(app, trx, ids);
    checkMode(caller, review);
    refuseOutsider(review, actor.markets);
    const now = app.now();
    const { set, action, detail } = await decide(trx, review);
    await trx
      .updateTable("reviews")
      .set({ ...set, updatedAt: now })
      .where("reviewId", "=", review.reviewId)
      .where("workspaceId", "=", workspaceId)
      .execute();
    await announce(trx, { workspaceId, event: "review.changed", data: { ...ids, reviewId: review.reviewId } });
    const target = { kind: "review", id: review.reviewId };
    const changes = action === undefined ? [] : [{ action, target, detail: { assetId, ...detail } }];
    await recordAudit(trx, { workspaceId, actor, now, changes });
  });
  return readReview(app, ids);
}

async function requireReviewer(
  trx: Kysely<Tables>,
  { personId, workspaceId }: { personId: string; workspaceId: string },
): Promise<void> {
  const member = await trx
    .selectFrom("memberships")
    .innerJoin("people", "people.personId", "memberships.personId")
    .select("role")
    .where("memberships.personId", "=", personId)
    .where("workspaceId", "=", workspaceId)
    .where("disabledAt", "is", null)
    .executeTakeFirst();
  if (!member || !hasRole(member.role, "reviewer"))
    throw new Failure("invalid_request", "The assignee must be a reviewer, approver or admin of this workspace.", {
      details: [{ path: "assigneeId", message: "must be somebody who may review here" }],
    });
}
