import { Type } from "typebox";
import { reasonCodes } from "../../db/people-tables.ts";
import { errorTypes, issueStatuses, severities, statuses } from "../../db/tables.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../schemas.ts";
import { Region } from "./measurement-schemas.ts";

/** The enum of the contract: `uploading` is what precedes creation. */
export const SubmissionStatus = OneOf(["uploading", ...statuses], {
  description: "`complete` and `failed` are terminal: stop polling there.",
});

export const Severity = OneOf(severities);
export const IssueStatus = OneOf(issueStatuses);
const ErrorType = OneOf(Object.keys(errorTypes));

export const SubmissionParams = Type.Object({ submission_id: Uuid });
export const AssetParams = Type.Object({ submission_id: Uuid, asset_id: Uuid });
export const IssueParams = Type.Object({ submission_id: Uuid, asset_id: Uuid, issue_id: Uuid });

const Metadata = Type.Unsafe<Record<string, unknown> | null>({
  type: ["object", "null"],
  additionalProperties: true,
  description: "What the creator sent, echoed.",
});

export const SubmissionCreated = Type.Object(
  {
    submissionId: Uuid,
    workflowId: Type.String({ description: "Finds the work in the queue and in the logs." }),
    realtimeChannel: Type.String({ description: "Listen to it at `GET /api/integrations/realtime/{channel}`." }),
    status: SubmissionStatus,
    assets: Type.Array(
      Type.Object({ assetId: Uuid, versionGroupId: Uuid, versionNumber: Type.Integer({ minimum: 1 }) }),
    ),
  },
  { title: "SubmissionCreated" },
);

export const createdExample = {
  submissionId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
  workflowId: "wf_019a8c3e5f707c219d5e2b1f0c9a7e12",
  realtimeChannel: "private-submission-019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
  status: "submitted",
  assets: [
    {
      assetId: "019a8c3e-5f71-7b02-8f3a-6c2d1e0b9a44",
      versionGroupId: "019a8c3e-5f71-7b02-8f3a-6c2d1e0b9a45",
      versionNumber: 1,
    },
  ],
};

export const AssetStatus = Type.Object(
  {
    assetId: Uuid,
    versionGroupId: Uuid,
    versionNumber: Type.Integer({ minimum: 1 }),
    issueCount: Nullable(Type.Integer({ description: "Null until results exist." })),
    errorMessage: Nullable(Type.String()),
    errorType: Nullable(ErrorType),
    isRetryable: Type.Boolean({ description: "True when the asset may be retried now." }),
    retryCount: Type.Integer(),
    filename: Type.String(),
    mimeType: Type.String(),
    sizeBytes: Type.Integer(),
    sha256: Nullable(Type.String({ description: "Null until known." })),
    status: SubmissionStatus,
    progressPercent: Type.Integer({ minimum: 0, maximum: 100 }),
  },
  { title: "AssetStatus" },
);

export const Submission = Type.Object(
  {
    submissionId: Uuid,
    workflowId: Type.String(),
    workspaceId: Type.String(),
    status: SubmissionStatus,
    progressPercent: Type.Integer({ minimum: 0, maximum: 100, description: "100 exactly when complete." }),
    createdAt: Timestamp,
    completedAt: Nullable(Timestamp),
    errorMessage: Nullable(Type.String()),
    assets: Type.Array(AssetStatus),
    isRetryable: Type.Boolean(),
    mode: OneOf(["live", "sandbox"]),
    metadata: Metadata,
    sidekickIds: Type.Array(Uuid),
  },
  { title: "Submission" },
);

export const CompactIssue = Type.Object(
  {
    id: Uuid,
    referenceNumber: Type.Integer({ description: "Counts within the version group and stays with the finding." }),
    ruleCode: Type.String(),
    summary: Type.String(),
    severity: Severity,
    status: IssueStatus,
  },
  { title: "CompactIssue" },
);

const Precedent = Type.Object(
  {
    url: Type.String({ description: "Where the decision is published." }),
    title: Type.String(),
    decision: Type.String(),
    date: Type.String(),
  },
  { title: "Precedent" },
);

const issueProperties = {
  ...CompactIssue.properties,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  sidekickId: Uuid,
  severityReasoning: Type.String(),
  severityReasoningHeadline: Type.String(),
  precedents: Type.Array(Precedent),
  fingerprint: Type.String({ description: "The same finding in the next version has the same one." }),
  location: Type.Unsafe<Record<string, unknown> | null>({
    type: ["object", "null"],
    description: "Where it is: what applies.",
    properties: {
      startSeconds: { type: ["number", "null"] },
      endSeconds: { type: ["number", "null"] },
      page: { type: ["integer", "null"] },
      region: Region,
      quote: { type: ["string", "null"] },
    },
  }),
  measurement: Type.Unsafe<Record<string, unknown> | null>({
    type: ["object", "null"],
    description: "Where the rule is arithmetic.",
    properties: { value: { type: "number" }, limit: { type: ["number", "null"] }, unit: { type: "string" } },
  }),
  recommendation: Type.String({ description: "What to change." }),
  citation: Type.Unsafe<Record<string, unknown> | null>({
    type: ["object", "null"],
    properties: { clause: { type: "string" }, url: { type: "string" } },
  }),
  secondReader: Type.Unsafe<{ explanation: string; rewording: string | null } | null>({
    type: ["object", "null"],
    description:
      "What a language model says about it, where the workspace allows one: an opinion, never a rule. The rules were run on the rewording, and find less with it.",
    properties: { explanation: { type: "string" }, rewording: { type: ["string", "null"] } },
    required: ["explanation", "rewording"],
  }),
  sidekickName: Type.String(),
  packVersion: Type.String(),
  ruleVersion: Type.String({ description: "Changes whenever the rule could find, or say, something else." }),
  ruleSummary: Type.String({ description: "What the rule is about." }),
  reopened: Type.Boolean({ description: "It was resolved in an earlier version and is found again." }),
  earlierIssueId: Nullable(Type.String({ format: "uuid", description: "The same finding in the version before." })),
};

export const Issue = Type.Object(issueProperties, { title: "Issue" });

export const IssueWithHistory = Type.Object(
  {
    ...issueProperties,
    history: Type.Array(
      Type.Object({
        fromStatus: IssueStatus,
        toStatus: IssueStatus,
        reason: Nullable(Type.String()),
        keyId: Nullable(Type.String({ format: "uuid", description: "The key that decided; null when a person did." })),
        personId: Nullable(Type.String({ format: "uuid" })),
        reasonCode: Nullable(OneOf(reasonCodes)),
        proposedStatus: Nullable(
          OneOf(issueStatuses, { description: "What was proposed, and waits for a second person." }),
        ),
        createdAt: Timestamp,
      }),
      { description: "Every change of the status, oldest first." },
    ),
  },
  { title: "IssueWithHistory" },
);
