import { Type } from "typebox";
import { reviewDecisions } from "../../db/people-tables.ts";
import { errorTypes, severities } from "../../db/tables.ts";
import { simulatedErrorType } from "../../submissions/running/fire-events.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../schemas.ts";

/** What is posted to subscriptions. The names inside `data` are snake_case. */

const identity = { asset_id: Uuid, submission_id: Uuid, workspace_id: Type.String() };

const asset = {
  filename: Type.String(),
  version_group_id: Uuid,
  version_number: Type.Integer({ minimum: 1 }),
  metadata: Type.Unsafe<Record<string, unknown> | null>({
    type: ["object", "null"],
    additionalProperties: true,
    description: "That of the submission.",
  }),
  livemode: Type.Boolean({ description: "False for events that the sandbox or the test endpoint made up." }),
};

const counts = Object.fromEntries(severities.map((severity) => [severity, { type: "integer" }]));

const completedData = Type.Object({
  ...identity,
  status: Type.Literal("complete"),
  issue_count: Nullable(Type.Integer({ description: "Null for a sandbox submission, which was not analysed." })),
  severity_counts: Type.Unsafe<Record<string, number> | null>({
    type: ["object", "null"],
    required: [...severities],
    properties: counts,
  }),
  highest_severity: Nullable(OneOf(severities, { description: "Null: there are no issues." })),
  ...asset,
});

const failedData = Type.Object({
  ...identity,
  status: Type.Literal("failed"),
  error_message: Type.String(),
  error_type: OneOf([...Object.keys(errorTypes), simulatedErrorType], {
    description: `\`${simulatedErrorType}\` only for events of the fire endpoint.`,
  }),
  is_retryable: Type.Boolean(),
  retry_count: Type.Integer({ minimum: 0 }),
  ...asset,
});

export const CompletedEvent = Type.Object(
  { type: Type.Literal("asset.processing.completed"), timestamp: Timestamp, data: completedData },
  { title: "AssetProcessingCompleted" },
);

export const FailedEvent = Type.Object(
  { type: Type.Literal("asset.processing.failed"), timestamp: Timestamp, data: failedData },
  { title: "AssetProcessingFailed" },
);

const { metadata: _, ...reviewedAsset } = asset;

export const ReviewDecidedEvent = Type.Object(
  {
    type: Type.Literal("asset.review.decided"),
    timestamp: Timestamp,
    data: Type.Object({
      ...identity,
      review_id: Uuid,
      decision_id: Uuid,
      decision: OneOf(reviewDecisions),
      reason: Nullable(Type.String()),
      conditions: Type.Array(Type.String()),
      markets: Type.Array(Type.String(), { description: "The markets that it is about." }),
      decided_by: Type.Object({
        kind: OneOf(["key", "person"]),
        id: Uuid,
        name: Nullable(Type.String()),
      }),
      ...reviewedAsset,
    }),
  },
  { title: "AssetReviewDecided" },
);

export const RejudgedEvent = Type.Object(
  {
    type: Type.Literal("asset.rejudged"),
    timestamp: Timestamp,
    data: Type.Object({
      ...identity,
      rejudge_id: Uuid,
      issue_count: Type.Integer({ description: "Of the new result." }),
      new_count: Type.Integer(),
      gone_count: Type.Integer(),
      changed_count: Type.Integer(),
      ...reviewedAsset,
    }),
  },
  { title: "AssetRejudged" },
);

const { version_group_id: _group, version_number: _number, ...certifiedAsset } = reviewedAsset;
const certificate = { ...identity, certificate_id: Uuid, number: Type.Integer({ minimum: 1 }) };

export const CertificateIssuedEvent = Type.Object(
  {
    type: Type.Literal("certificate.issued"),
    timestamp: Timestamp,
    data: Type.Object({ ...certificate, expires_at: Timestamp, ...certifiedAsset }),
  },
  { title: "CertificateIssued" },
);

export const CertificateRevokedEvent = Type.Object(
  {
    type: Type.Literal("certificate.revoked"),
    timestamp: Timestamp,
    data: Type.Object({ ...certificate, reason: Type.String(), ...certifiedAsset }),
  },
  { title: "CertificateRevoked" },
);

const exampleIdentity = {
  asset_id: "019a8c3e-5f71-7b02-8f3a-6c2d1e0b9a44",
  submission_id: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
  workspace_id: "ws_k3v5x2m7q4a6b2c3",
};
const exampleAsset = {
  filename: "spring-ad.mp4",
  version_group_id: "019a8c3e-5f71-7b02-8f3a-6c2d1e0b9a45",
  version_number: 1,
  metadata: { campaign: "spring" },
  livemode: true,
};

export const completedExample = {
  type: "asset.processing.completed",
  timestamp: "2026-11-15T09:31:12.345Z",
  data: {
    ...exampleIdentity,
    status: "complete",
    issue_count: 3,
    severity_counts: { CRITICAL: 0, MAJOR: 1, MINOR: 2, INFO: 0 },
    highest_severity: "MAJOR",
    ...exampleAsset,
  },
};

export const failedExample = {
  type: "asset.processing.failed",
  timestamp: "2026-11-15T09:31:12.345Z",
  data: {
    ...exampleIdentity,
    status: "failed",
    error_message: "The analysis was stopped after 3600 s. Try again, or send a shorter file.",
    error_type: "analyzer_timeout",
    is_retryable: true,
    retry_count: 0,
    ...exampleAsset,
  },
};

const { metadata: _metadata, ...exampleReviewedAsset } = exampleAsset;

export const reviewDecidedExample = {
  type: "asset.review.decided",
  timestamp: "2026-11-15T10:02:00.000Z",
  data: {
    ...exampleIdentity,
    review_id: "019a8c3f-71a2-7d03-9b44-0c2d4e6f8a21",
    decision_id: "019a8c41-22b3-7e14-8c55-1d3e5f708b32",
    decision: "approved",
    reason: "Claims are substantiated.",
    conditions: [],
    markets: ["UK"],
    decided_by: { kind: "person", id: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11", name: "Ana Lima" },
    ...exampleReviewedAsset,
  },
};

export const rejudgedExample = {
  type: "asset.rejudged",
  timestamp: "2026-11-15T10:02:00.000Z",
  data: {
    ...exampleIdentity,
    rejudge_id: "019a8c41-22b3-7e14-8c55-1d3e5f708b32",
    issue_count: 3,
    new_count: 1,
    gone_count: 0,
    changed_count: 0,
    ...exampleReviewedAsset,
  },
};

const exampleCertificate = {
  ...exampleIdentity,
  certificate_id: "019a8c51-22b3-7e14-8c55-1d3e5f708b32",
  number: 17,
  filename: exampleAsset.filename,
  livemode: true,
};

export const certificateIssuedExample = {
  type: "certificate.issued",
  timestamp: "2026-11-15T10:05:00.000Z",
  data: { ...exampleCertificate, expires_at: "2027-11-15T10:05:00.000Z" },
};

export const certificateRevokedExample = {
  type: "certificate.revoked",
  timestamp: "2026-11-16T10:05:00.000Z",
  data: { ...exampleCertificate, reason: "The claim was withdrawn." },
};
