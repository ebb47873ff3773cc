import type { App } from "../app.ts";
import type { ErrorType } from "../db/tables.ts";
import { recordEvent } from "../webhooks/record-event.ts";
import { endHold } from "./credits.ts";
import { changeSubmission } from "./settle.ts";
import { mayRetry, nextStatus } from "./state.ts";
import { failedData, realtimeData } from "./webhook-data.ts";

const mostMessageCharacters = 1000;

/** Ends an attempt without a result. Nothing happens when another worker has taken the asset over meanwhile. */
export async function failAsset(
  app: App,
  options: {
    submissionId: string;
    workspaceId: string;
    assetId: string;
    run: number;
    errorType: ErrorType;
    errorMessage: string;
  },
): Promise<void> {
  const { workspaceId, assetId, run, errorType } = options;
  const errorMessage = options.errorMessage.slice(0, mostMessageCharacters);
  await changeSubmission(app, options, async (trx, submission, tell) => {
    const before = await trx
      .selectFrom("assets")
      .selectAll()
      .where("assetId", "=", assetId)
      .where("workspaceId", "=", workspaceId)
      .where("run", "=", run)
      .executeTakeFirst();
    const status = before && nextStatus(before.status, "fail");
    if (!status) return undefined;

    await endHold(trx, { ...before, isTaken: false });
    const isRetryable = mayRetry({ status, errorType, countedRetries: before.countedRetries });
    const asset = await trx
      .updateTable("assets")
      .set({ status, errorType, errorMessage, isRetryable, completedAt: app.now() })
      .where("assetId", "=", assetId)
      .where("workspaceId", "=", workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    const data = failedData({ submission, asset, errorMessage, errorType, isRetryable, livemode: true });
    await recordEvent(trx, { ...options, type: "asset.processing.failed", data, now: app.now() });
    tell("asset.failed", realtimeData(data));
    return asset;
  });
}
