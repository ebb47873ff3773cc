import { createdExample } from "../submissions/schemas.ts";

/** The review of the asset that the other examples are about. */

const [asset] = createdExample.assets;
const person = { kind: "person" as const, id: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11", name: "Ana Lima" };

export const reviewExample = {
  reviewId: "019a8c3f-71a2-7d03-9b44-0c2d4e6f8a21",
  submissionId: createdExample.submissionId,
  assetId: asset?.assetId ?? "",
  state: "in_review" as const,
  mode: "live" as const,
  filename: "spring-ad.mp4",
  mimeType: "video/mp4",
  hasThumbnail: true,
  versionGroupId: asset?.versionGroupId ?? "",
  versionNumber: 1,
  markets: ["UK"],
  severity: "MAJOR" as const,
  openIssues: { CRITICAL: 0, MAJOR: 1, MINOR: 0, INFO: 2 },
  undecidedCount: 3,
  uploader: { kind: "key" as const, id: "019a8c00-1b2c-7d3e-8f40-516273849506" },
  assignee: { personId: person.id, name: person.name },
  dueAt: "2026-11-20T17:00:00.000Z",
  claim: { holderId: person.id, name: person.name, until: "2026-11-15T09:46:12.345Z" },
  openedAt: "2026-11-15T09:31:12.345Z",
  updatedAt: "2026-11-15T09:31:12.345Z",
  decidedAt: null,
};

export const decisionExample = {
  decisionId: "019a8c41-22b3-7e14-8c55-1d3e5f708b32",
  decision: "approved" as const,
  reason: "Claims are substantiated.",
  conditions: [],
  markets: ["UK"],
  decidedBy: person,
  createdAt: "2026-11-15T10:02:00.000Z",
  supersededBy: null,
};

export const reviewWithDecisionsExample = { ...reviewExample, decisions: [] };

export const commentExample = {
  commentId: "019a8c42-33c4-7f25-9d66-2e4f60819c43",
  threadId: null,
  text: "The small print is gone too soon.",
  anchor: { startSeconds: 12.48, endSeconds: 14, page: null, region: null, issueId: null },
  author: person,
  fromVersion: null,
  isResolved: false,
  resolvedBy: null,
  createdAt: "2026-11-15T10:01:00.000Z",
  updatedAt: "2026-11-15T10:01:00.000Z",
};

export const auditExample = {
  number: 42,
  entryId: "019a8c43-44d5-7036-8e77-3f506192ad54",
  createdAt: "2026-11-15T10:02:00.000Z",
  actor: person,
  action: "review.decided",
  target: { kind: "review", id: reviewExample.reviewId },
  detail: { decision: "approved" },
  hash: "5f".repeat(32),
};
