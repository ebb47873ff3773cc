import type { App } from "../../app.ts";
import type { ErrorType } from "../../db/tables.ts";
import { closeHold } from "./credits.ts";
import { changeSubmission } from "./change-submission.ts";
import { mayRetry, nextStatus } from "../state.ts";
import { findCurrentRun, type SubmissionSnapshot } from "./submission-snapshot.ts";
import { failedData, realtimeData } from "./webhook-data.ts";

const maxMessageCharacters = 1000;

/** Ends an attempt without a result. Nothing happens when another worker has taken the asset over meanwhile. */
export async function failAsset(
  app: App,
  options: {
    submissionId: string;
    workspaceId: string;
    assetId: string;
    run: number;
    /** Of the bytes, when they could be read as a whole. */
    sha256?: string | undefined;
    errorType: ErrorType;
    errorMessage: string;
  },
): Promise<void> {
  const { submissionId, workspaceId, assetId, errorType } = options;
  const errorMessage = options.errorMessage.slice(0, maxMessageCharacters);

  const decide = (state: SubmissionSnapshot, now: Date) => {
    const before = findCurrentRun(state, options);
    const status = before && nextStatus(before.status, "fail");
    if (!status) return undefined;
    const isRetryable = mayRetry({ status, errorType, countedRetries: before.countedRetries });
    const sha256 = options.sha256 ?? before.sha256;
    const asset = { ...before, status, sha256, errorType, errorMessage, isRetryable, completedAt: now };
    const { submission } = state;
    const data = failedData({ submission, asset, errorMessage, errorType, isRetryable, livemode: true });
    return {
      assets: [asset],
      messages: [{ event: "asset.failed" as const, data: realtimeData(data) }],
      event: { assetId, type: "asset.processing.failed" as const, data },
    };
  };

  await app.db.transaction().execute(async (trx) => {
    const state = await changeSubmission(app, { submissionId, workspaceId, trx, decide });
    const asset = state && findCurrentRun(state, options);
    if (asset) await closeHold(trx, { ...asset, outcome: "released" });
  });
}
