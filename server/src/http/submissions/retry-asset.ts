import { Type } from "typebox";
import { retryAsset as retry } from "../../submissions/running/retry-asset.ts";
import { defineRoute } from "../route.ts";
import { Maybe } from "../schemas.ts";
import { AssetParams, createdExample, SubmissionCreated } from "./schemas.ts";

export const retryAsset = defineRoute({
  method: "POST",
  path: "/submissions/:submission_id/assets/:asset_id/retry",
  bucket: "submission_write",
  role: "reviewer",
  operationId: "retryAsset",
  tag: "Submissions",
  summary: "Retry a failed asset",
  description:
    "Works while the asset's `isRetryable` is true, at most 3 times; failures for want of credits do not count. The answer is that of the creation, with a new `workflowId`. Needs a key of the submission's own mode.",
  isIdempotent: true,
  params: AssetParams,
  body: Type.Unsafe<{ reason?: string | null } | null>({
    type: ["object", "null"],
    properties: { reason: Maybe(Type.String({ maxLength: 2000, description: "For the log." })) },
    additionalProperties: false,
  }),
  bodyExample: { reason: "The store was restarted." },
  responses: { 202: { description: "Queued again.", schema: SubmissionCreated, example: createdExample } },
  failures: [
    "mode_mismatch",
    "not_found",
    "asset_not_failed",
    "error_not_retryable",
    "retry_limit_reached",
    "retry_in_flight",
  ],
  async handler({ app, caller, params, body, idempotent }) {
    const { submission_id: submissionId, asset_id: assetId } = params;
    const created = await retry(app, { caller, submissionId, assetId, idempotent });
    app.log.info({ submissionId, assetId, workflowId: created.workflowId, hasReason: Boolean(body?.reason) }, "retry");
    return { status: 202, body: created, logFields: () => ({ submissionId }) };
  },
});
