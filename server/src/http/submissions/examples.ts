import { createdExample } from "./schemas.ts";

/** One asset and its findings, the same in all examples of the document. */

const { submissionId, workflowId, assets } = createdExample;
const [created] = assets;
const createdAt = "2026-11-15T09:30:00.000Z";
const completedAt = "2026-11-15T09:31:12.345Z";
const sidekickId = "0f4c1f0e-6a3b-4c62-9d5e-1b7f0a2c9e07";

const file = {
  filename: "spring-ad.mp4",
  mimeType: "video/mp4",
  sizeBytes: 48_213_504,
  sha256: "e66169d65d4387d96ba75379fcc3fd8bad03fb0b53fc328bf7e9f0a2ecf20d0d",
};

export const submissionExample = {
  submissionId,
  workflowId,
  workspaceId: "ws_k3v5x2m7q4a6b2c3",
  status: "complete",
  progressPercent: 100,
  createdAt,
  completedAt,
  errorMessage: null,
  isRetryable: false,
  mode: "live",
  metadata: { campaign: "spring", jurisdictions: ["UK"], sector: "alcohol" },
  sidekickIds: [sidekickId],
  assets: [
    {
      ...created,
      ...file,
      status: "complete",
      progressPercent: 100,
      issueCount: 2,
      errorMessage: null,
      errorType: null,
      isRetryable: false,
      retryCount: 0,
    },
  ],
};

const compactExample = {
  id: "019a8c40-0f10-7a55-8c31-7b2e9d4f6a01",
  referenceNumber: 1,
  ruleCode: "US-ALC-HEALTH",
  summary: 'A health claim for an alcoholic drink: "good for your heart"',
  severity: "MAJOR",
  status: "OPEN",
};

const relatedExample = {
  ...compactExample,
  id: "019a8c40-0f10-7a55-8c31-7b2e9d4f6a02",
  referenceNumber: 2,
  summary: 'A health claim for an alcoholic drink: "a daily tonic"',
};

const aloneExample = {
  id: "019a8c40-0f10-7a55-8c31-7b2e9d4f6a03",
  referenceNumber: 3,
  ruleCode: "LOUD-UK-LOUD",
  summary: "The programme is 2.4 LU louder than its destination allows",
  severity: "MINOR",
  status: "OPEN",
};

export const issueExample = {
  ...compactExample,
  createdAt: completedAt,
  updatedAt: completedAt,
  sidekickId,
  sidekickName: "Alcohol",
  packVersion: "1.0.0",
  ruleVersion: "3f9c2a71",
  ruleSummary: "A health claim for an alcoholic drink",
  severityReasoning:
    "Health claims for alcohol are not allowed. The jurisdiction and the sector are declared, so the rule applies in full.",
  severityReasoningHeadline: "Health claims for alcohol are not allowed",
  precedents: [
    {
      url: "https://example.com/rulings/a-drink",
      title: "A drink",
      decision: "Upheld",
      date: "2024-03-06",
    },
  ],
  fingerprint: "b1946ac92492d234",
  location: { startSeconds: 12.4, endSeconds: 15.2, page: null, region: null, quote: "good for your heart" },
  measurement: null,
  recommendation: "Remove the claim.",
  citation: { clause: "CAP 18.17", url: "https://www.asa.org.uk/type/non_broadcast/code_section/18.html" },
  secondReader: null,
  reopened: false,
  earlierIssueId: null,
};

export const issueWithHistoryExample = {
  ...issueExample,
  status: "DISMISSED",
  history: [
    {
      fromStatus: "OPEN",
      toStatus: "DISMISSED",
      reason: "The claim is substantiated; see file 12.",
      keyId: "019a8c00-1b2c-7d3e-8f40-516273849506",
      personId: null,
      reasonCode: null,
      proposedStatus: null,
      createdAt: "2026-11-15T10:02:00.000Z",
    },
  ],
};

export const issuePageExample = {
  submissionId,
  assetId: created?.assetId,
  issues: [issueExample],
  total: 1,
  hasMore: false,
  nextCursor: null,
};

export const assetExample = {
  ...created,
  submissionId,
  ...file,
  status: "complete",
  issueCount: 2,
  errorMessage: null,
  errorType: null,
  issues: [compactExample, relatedExample],
};

export const topicsExample = {
  assetId: created?.assetId,
  topics: [
    {
      topicId: "b1946ac9-2492-8234-8f7c-6235f2e0a9d1",
      title: "A health claim for an alcoholic drink",
      summary: "2 issues of US-ALC-HEALTH",
      severity: "MAJOR",
      issueCount: 2,
      issueIds: [compactExample.id, relatedExample.id],
      ruleCodes: ["US-ALC-HEALTH"],
    },
  ],
  orphanIssues: [aloneExample],
  metadata: {
    algorithm: "rule-and-place",
    algorithmVersion: "1",
    generatedAt: completedAt,
    totalIssues: 3,
    clusteredIssueCount: 2,
    orphanIssueCount: 1,
  },
};

export const diffExample = {
  assetId: "019a8d10-2c41-7b02-8f3a-6c2d1e0b9b51",
  comparedWith: { assetId: created?.assetId, submissionId, versionNumber: 1 },
  new: [],
  fixed: [relatedExample],
  persisting: [compactExample],
};

export const versionsExample = {
  submissionId,
  versions: [
    {
      ...created,
      submissionId,
      filename: file.filename,
      status: "complete",
      issueCount: 2,
      createdAt,
      completedAt,
      isLatest: false,
      diff: null,
    },
    {
      ...created,
      versionNumber: 2,
      submissionId: "019a8d10-2c40-7c21-9d5e-2b1f0c9a7f02",
      assetId: diffExample.assetId,
      filename: file.filename,
      status: "complete",
      issueCount: 1,
      createdAt: "2026-11-15T13:20:00.000Z",
      completedAt: "2026-11-15T13:21:05.120Z",
      isLatest: true,
      diff: { new: 0, fixed: 1, persisting: 1 },
    },
  ],
};

export const measurementsExample = {
  loudness: {
    integratedLufs: -20.6,
    maxShortTermLufs: -17.2,
    maxMomentaryLufs: -14.9,
    rangeLu: 6.1,
    truePeakDbtp: -1.4,
  },
  flashes: null,
  patterns: null,
  tones: null,
  black: [{ startSeconds: 0, endSeconds: 0.48 }],
  freezes: [],
  silences: [],
  supers: null,
  speech: { segmentCount: 14, notJudged: null },
  captions: null,
  nudity: null,
  pages: null,
  omissions: null,
  suggestedContext: null,
  image: null,
  metadata: null,
};

export const searchExample = {
  data: [
    {
      source: "speech",
      text: "This drink is good for your heart.",
      startSeconds: 12.4,
      endSeconds: 15.2,
      page: null,
      region: null,
    },
    {
      source: "screen",
      text: "GOOD FOR YOUR HEART",
      startSeconds: 13,
      endSeconds: 15,
      page: null,
      region: { x: 0.1, y: 0.8, width: 0.6, height: 0.08 },
    },
  ],
  hasMore: false,
  nextCursor: null,
};
