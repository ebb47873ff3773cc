import type pg from "pg";
import type { Logger } from "pino";

export const progressChannel = "greenlit_progress";

export type Progress = { submissionId: string; workspaceId: string; assetId: string; progressPercent: number };

export type ProgressPublisher = { publish(progress: Progress): void } & Disposable;

/** An asset's progress is sent at most twice a second. */
const intervalMs = 500;

/**
 * Sends every process the progress of an asset. The first value goes out at once and the newest one after each interval, so
 * that the last value before a silence is never the one that is left out.
 */
export function createProgressPublisher({ pool, log }: { pool: pg.Pool; log: Logger }): ProgressPublisher {
  const assets = new Map<string, { timer: NodeJS.Timeout; newest: Progress | undefined }>();

  function send({ submissionId, workspaceId, assetId, progressPercent }: Progress): void {
    const payload = [workspaceId, submissionId, assetId, progressPercent].join(" ");
    pool
      .query("select pg_notify($1, $2)", [progressChannel, payload])
      .catch((error: unknown) => log.debug({ err: error, assetId }, "progress not sent"));
    assets.set(assetId, { timer: setTimeout(next, intervalMs, assetId).unref(), newest: undefined });
  }

  function next(assetId: string): void {
    const newest = assets.get(assetId)?.newest;
    assets.delete(assetId);
    if (newest) send(newest);
  }

  return {
    publish(progress) {
      const asset = assets.get(progress.assetId);
      if (asset) asset.newest = progress;
      else send(progress);
    },
    [Symbol.dispose]() {
      for (const { timer } of assets.values()) clearTimeout(timer);
      assets.clear();
    },
  };
}

export function parseProgress(payload: string): Progress | undefined {
  const [workspaceId, submissionId, assetId, percent] = payload.split(" ");
  if (!workspaceId || !submissionId || !assetId || percent === undefined) return undefined;
  return { workspaceId, submissionId, assetId, progressPercent: Number(percent) };
}
