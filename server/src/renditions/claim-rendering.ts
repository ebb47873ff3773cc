import { sql } from "kysely";
import type { App } from "../app.ts";

/** One asset that this process makes renditions of, until it says nothing for `leaseSeconds`; then another takes it. */
export type ClaimedRendering = {
  assetId: string;
  workspaceId: string;
  submissionId: string;
  contentType: string;
  media: { mediaId: string; reference: string; etag: string };
  run: number;
};

const leaseSeconds = 30;
export const heartbeatMs = 10_000;
const maxRuns = 4;

/** The asset that has waited longest. Any number of processes ask at once; no two get the same. */
export async function claimRendering({ db }: App): Promise<ClaimedRendering | undefined> {
  const { rows } = await sql<Omit<ClaimedRendering, "media"> & ClaimedRendering["media"]>`
    with claimed as (
      update rendering set state = 'working', run = run + 1, due_at = now() + ${leaseSeconds} * interval '1 second'
        where asset_id = (
          select asset_id from rendering where state in ('waiting', 'working') and due_at <= now()
            order by due_at limit 1 for update skip locked)
        returning asset_id, run)
    select asset_id, claimed.run, assets.workspace_id, submission_id, content_type, media_id, reference, media.etag
      from claimed join assets using (asset_id) join media using (media_id)`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { mediaId, reference, etag, ...rest } = row;
  return { ...rest, media: { mediaId, reference, etag } };
}

/** Says that the work goes on. False: it is somebody else's now, or the asset is gone. */
export async function keepRendering(
  { db }: App,
  { assetId, workspaceId, run }: ClaimedRendering,
  progressPercent: number,
): Promise<boolean> {
  const { rows } = await sql`
    update rendering set due_at = now() + ${leaseSeconds} * interval '1 second',
        progress_percent = greatest(progress_percent, ${progressPercent})
      where asset_id = ${assetId} and workspace_id = ${workspaceId} and run = ${run} and state = 'working'
      returning asset_id`.execute(db);
  return rows.length > 0;
}

/** Ends the work, or puts it off: each time longer, and not for ever. */
export async function endRendering(
  app: App,
  claimed: ClaimedRendering,
  end: { state: "ready" } | { state: "failed" | "waiting"; errorMessage: string },
): Promise<void> {
  const { assetId, workspaceId, run } = claimed;
  const state = end.state === "waiting" && run >= maxRuns ? "failed" : end.state;
  const delaySeconds = state === "waiting" ? 10 * 3 ** run : 0;
  await sql`
    update rendering set state = ${state}, due_at = now() + ${delaySeconds} * interval '1 second',
        error_message = ${end.state === "ready" ? null : end.errorMessage}
      where asset_id = ${assetId} and workspace_id = ${workspaceId} and run = ${run} and state = 'working'`.execute(
    app.db,
  );
}

/** A worker that stops hands its asset back at once, as if it had never begun. */
export async function releaseRendering({ db }: App, { assetId, workspaceId, run }: ClaimedRendering): Promise<void> {
  await sql`
    update rendering set state = 'waiting', due_at = now(), run = run - 1
      where asset_id = ${assetId} and workspace_id = ${workspaceId} and run = ${run} and state = 'working'`.execute(db);
}
