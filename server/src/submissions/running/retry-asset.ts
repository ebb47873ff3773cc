import type { App } from "../../app.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { FailureCode } from "../../failure.ts";
import { Failure } from "../../failure.ts";
import { analysisQueueOf, enqueueAnalysis, readPlace } from "../../queue/analysis-queue.ts";
import { enqueueSimulation } from "../../queue/simulation-queue.ts";
import type { Caller } from "../../workspaces/caller.ts";
import { beginIdempotent, keepAnswer, type IdempotentRequest } from "../../workspaces/idempotency.ts";
import { checkMode } from "../check-mode.ts";
import { describeCreated, newWorkflowId, type CreatedSubmission } from "../creating/create-submission.ts";
import { assetNotFound } from "../reading/read-asset.ts";
import { submissionNotFound } from "../reading/read-submission.ts";
import { changeSubmission, type Change } from "./change-submission.ts";
import type { Asset } from "../submission.ts";
import { maxRetries, refusalOfRetry, type RetryRefusal } from "../state.ts";
import type { SubmissionSnapshot } from "./submission-snapshot.ts";

const refusals: Record<RetryRefusal & FailureCode, string> = {
  asset_not_failed: "The asset has not failed, so there is nothing to retry.",
  error_not_retryable:
    "The asset failed for a reason that a retry cannot fix; see its errorMessage. Upload a corrected file as a new version.",
  retry_limit_reached: `The asset was retried ${maxRetries} times already. Create a new submission.`,
  retry_in_flight: "A retry of this asset is under way. Poll the submission.",
};

/** Puts a failed asset back into the queue. Of two retries at once the second finds the asset submitted, and gets a 409. */
export async function retryAsset(
  app: App,
  options: { caller: Caller; submissionId: string; assetId: string; idempotent: IdempotentRequest | undefined },
): Promise<CreatedSubmission> {
  const { caller, submissionId, assetId, idempotent } = options;
  const { workspaceId } = caller;
  const workflowId = newWorkflowId();

  const decide = ({ submission, assets }: SubmissionSnapshot): Change => {
    const asset = assets.find((candidate) => candidate.assetId === assetId);
    if (!asset) throw assetNotFound();
    checkMode(caller, submission);
    const refusal = refusalOfRetry(asset);
    if (refusal) throw new Failure(refusal, refusals[refusal]);
    const counted = asset.errorType === "insufficient_credits" ? 0 : 1;
    const retried: Asset = {
      ...asset,
      status: "submitted",
      workflowId,
      errorMessage: null,
      errorType: null,
      isRetryable: false,
      completedAt: null,
      retryCount: asset.retryCount + 1,
      countedRetries: asset.countedRetries + counted,
    };
    return { assets: [retried], workflowId };
  };

  const created = await app.db.transaction().execute(async (trx) => {
    if (idempotent) await beginIdempotent(app, trx, idempotent);
    const state = await changeSubmission(app, { submissionId, workspaceId, trx, decide });
    const asset = state?.assets.find((candidate) => candidate.workflowId === workflowId);
    if (!state || !asset) return undefined;
    const job = { submissionId, workspaceId, workflowId };
    if (state.submission.mode === "sandbox") await enqueueSimulation(app.queue, trx, job);
    else {
      const jobs = [{ ...job, assetId: asset.assetId, queue: analysisQueueOf(asset.sizeBytes) }];
      await enqueueAnalysis(app.queue, trx, { jobs, place: await readPlace(trx, asset) });
    }
    const { status } = state.submission;
    const answer = describeCreated({ submissionId, workflowId, status, assets: state.assets });
    if (idempotent) await keepAnswer(app, trx, { request: idempotent, answer: { status: 202, body: answer } });
    const changes = [{ action: "asset.retried", target: { kind: "asset", id: assetId }, detail: { submissionId } }];
    await recordAudit(trx, { workspaceId, actor: caller.actor, now: app.now(), changes });
    return answer;
  });
  if (!created) throw submissionNotFound();
  return created;
}
