import { sql } from "kysely";
import type { App } from "../app.ts";
import type { Mode } from "../db/tables.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { evidenceOfSubmission } from "../evidence/read-evidence.ts";
import { removeRenditions } from "../renditions/keep-rendition.ts";
import { carryOutRemovals, planRemovals } from "../uploads/removals.ts";
import { removeUnusedMedia } from "../uploads/remove-unused-media.ts";
import type { Actor, Caller } from "../workspaces/caller.ts";
import { checkMode } from "./check-mode.ts";
import { closeHold } from "./running/credits.ts";
import { submissionNotFound } from "./reading/read-submission.ts";

export const cancelChannel = "greenlit_cancel";

/** What a caller asks for; a 404 where there is nothing, a 403 for a key of the other mode. */
export async function deleteSubmission(
  app: App,
  { caller, submissionId }: { caller: Caller; submissionId: string },
): Promise<void> {
  const { workspaceId, actor } = caller;
  const mayRemove = (submission: { mode: Mode }) => {
    checkMode(caller, submission);
    return true;
  };
  if (!(await removeSubmission(app, { workspaceId, submissionId, mayRemove, actor }))) throw submissionNotFound();
}

/**
 * Removes results at once and the bytes unless another submission uses them. Running work is cancelled. False when
 * there is no such submission or, now that it is locked, it may not be removed.
 */
export async function removeSubmission(
  app: App,
  options: {
    workspaceId: string;
    submissionId: string;
    mayRemove: (submission: { mode: Mode; completedAt: Date | null }) => boolean;
    /** Left out: retention removes it. */
    actor?: Actor;
  },
): Promise<boolean> {
  const { workspaceId, submissionId } = options;
  const removals = await app.db.transaction().execute(async (trx) => {
    const submission = await trx
      .selectFrom("submissions")
      .select(["mode", "completedAt"])
      .where("submissionId", "=", submissionId)
      .where("workspaceId", "=", workspaceId)
      .forUpdate()
      .executeTakeFirst();
    if (!submission || !options.mayRemove(submission)) return undefined;

    const renditions = await removeRenditions(trx, { submissionId, workspaceId });
    const evidence = await evidenceOfSubmission(trx, { submissionId, workspaceId });
    const assets = await trx
      .deleteFrom("assets")
      .where("submissionId", "=", submissionId)
      .where("workspaceId", "=", workspaceId)
      .returning(["assetId", "workspaceId", "mediaId", "creditsHeld"])
      .execute();
    for (const asset of assets) {
      await closeHold(trx, { ...asset, outcome: "released" });
      await sql`select pg_notify(${cancelChannel}, ${asset.assetId})`.execute(trx);
    }
    await trx
      .deleteFrom("submissions")
      .where("submissionId", "=", submissionId)
      .where("workspaceId", "=", workspaceId)
      .execute();
    const mediaIds = assets.map(({ mediaId }) => mediaId);
    const unused = await removeUnusedMedia(trx, { workspaceId, mediaIds, now: app.now() });
    const planned = await planRemovals(trx, { removals: [...unused, ...renditions, ...evidence], now: app.now() });
    if (options.actor) {
      const target = { kind: "submission", id: submissionId };
      const changes = [{ action: "submission.deleted", target, detail: { assetCount: assets.length } }];
      await recordAudit(trx, { workspaceId, actor: options.actor, now: app.now(), changes });
    }
    return planned;
  });
  if (removals) await carryOutRemovals(app, removals);
  return removals !== undefined;
}
