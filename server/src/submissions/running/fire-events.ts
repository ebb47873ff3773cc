import type { App } from "../../app.ts";
import { severities, type ProcessingEventType, type Severity } from "../../db/tables.ts";
import { recordEvent } from "../../webhooks/record-event.ts";
import { submissionNotFound } from "../reading/read-submission.ts";
import { completedData, failedData } from "./webhook-data.ts";

export const defaultErrorMessage = "Sandbox simulated failure";

/** No real failure has it, so that a receiver can tell a fired one. */
export const simulatedErrorType = "sandbox_simulated";

/** Sends a made-up event for every asset of a submission, by the same way as real ones. No state changes. */
export async function fireEvents(
  app: App,
  options: {
    workspaceId: string;
    submissionId: string;
    eventType: ProcessingEventType;
    errorMessage?: string | undefined;
  },
): Promise<{ dispatched: number }> {
  const { workspaceId, submissionId, eventType } = options;
  return app.db.transaction().execute(async (trx) => {
    const submission = await trx
      .selectFrom("submissions")
      .selectAll()
      .where("submissionId", "=", submissionId)
      .where("workspaceId", "=", workspaceId)
      // A deletion meanwhile would take the assets away between two statements.
      .forKeyShare()
      .executeTakeFirst();
    if (!submission) throw submissionNotFound();
    const assets = await trx
      .selectFrom("assets")
      .selectAll()
      .where("submissionId", "=", submissionId)
      .where("workspaceId", "=", workspaceId)
      .orderBy("position")
      .execute();
    const counts = await trx
      .selectFrom("issues")
      .select(({ fn }) => ["assetId", "severity", fn.countAll<number>().as("count")])
      .where("workspaceId", "=", workspaceId)
      .where(
        "assetId",
        "in",
        assets.map(({ assetId }) => assetId),
      )
      .groupBy(["assetId", "severity"])
      .execute();

    let dispatched = 0;
    for (const asset of assets) {
      const facts = { submission, asset, livemode: false };
      const severityCounts = Object.fromEntries(
        severities.map((severity) => [
          severity,
          counts.find((row) => row.assetId === asset.assetId && row.severity === severity)?.count ?? 0,
        ]),
      ) as Record<Severity, number>;
      const data =
        eventType === "asset.processing.completed"
          ? completedData({ ...facts, severityCounts: asset.issueCount === null ? null : severityCounts })
          : failedData({
              ...facts,
              errorMessage: options.errorMessage ?? defaultErrorMessage,
              errorType: simulatedErrorType,
              isRetryable: false,
            });
      dispatched += await recordEvent(trx, {
        workspaceId,
        submissionId,
        assetId: asset.assetId,
        type: eventType,
        data,
        now: app.now(),
      });
    }
    return { dispatched };
  });
}
