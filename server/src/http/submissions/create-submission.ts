import { Type } from "typebox";
import { createSubmission as create } from "../../submissions/creating/create-submission.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, Nullable, Uuid } from "../schemas.ts";
import { createdExample, SubmissionCreated } from "./schemas.ts";

export const createSubmission = defineRoute({
  method: "POST",
  path: "/submissions",
  bucket: "submission_write",
  role: "reviewer",
  operationId: "createSubmission",
  tag: "Submissions",
  summary: "Create a submission of one or more uploaded files",
  description:
    'All or nothing: the submission, its assets and their place in the queue are made together, or an error says what is wrong with which asset. What was uploaded is frozen: a later PUT to the upload URL changes nothing. Left out, `sidekickIds` means the default sidekicks; an empty list means none. The keys `jurisdictions`, `sector`, `channel`, `audience` and `destination` of `metadata` are read as context by the rules, `brand` and `product` as names that may be heard; everything in it is echoed in the status and in events.\n\nWith a sandbox key, `metadata.sandbox` rehearses failures: `{"outcome":"failed","errorType":"analyzer_timeout","failAssets":[0]}` ends the assets at these positions (all of them when left out) as failed with that type (`internal_error` when left out), retryable or not as the type is, and without a webhook. A retry completes. Live keys ignore it.',
  isIdempotent: true,
  sandboxOnly: { query: "simulationDelaySeconds" },
  query: Body({
    simulationDelaySeconds: Maybe(
      Type.Integer({
        minimum: 0,
        maximum: 30,
        default: 0,
        description: "Sandbox keys only: how long the simulated processing takes.",
      }),
    ),
  }),
  body: Body(
    {
      assets: Type.Array(
        Body({
          blobPath: Type.String({ minLength: 1, description: "As returned by an upload." }),
          previousSubmissionId: Maybe(
            Type.String({ format: "uuid", description: "Makes the asset a new version of that submission's asset." }),
          ),
        }),
        { minItems: 1, maxItems: 50 },
      ),
      sidekickIds: Type.Optional(Nullable(Type.Array(Uuid, { maxItems: 50 }))),
      metadata: Type.Optional(
        Type.Unsafe<Record<string, unknown> | null>({
          type: ["object", "null"],
          additionalProperties: true,
          description: "At most 16 KiB of JSON, at most 20 deep.",
        }),
      ),
    },
    { title: "NewSubmission" },
  ),
  nulCheckedIn: ["/assets/*/blobPath"],
  bodyExample: {
    assets: [{ blobPath: "ws_k3v5x2m7q4a6b2c3/spring-ad.mp4" }],
    metadata: { campaign: "spring", jurisdictions: ["UK"], sector: "alcohol", channel: "tv", destination: "ebu-r128" },
  },
  responses: { 201: { description: "Queued.", schema: SubmissionCreated, example: createdExample } },
  failures: [
    "simulation_delay_needs_sandbox_key",
    "invalid_blob_path",
    "not_found",
    "file_too_large",
    "content_type_not_allowed",
    "content_does_not_match_type",
    "insufficient_storage",
  ],
  async handler({ app, caller, query, body, idempotent }) {
    const simulationDelaySeconds = query.simulationDelaySeconds ?? 0;
    const created = await create(app, { caller, submission: { ...body, simulationDelaySeconds }, idempotent });
    const { submissionId, workflowId } = created;
    return { status: 201, body: created, logFields: () => ({ submissionId, workflowId }) };
  },
});
