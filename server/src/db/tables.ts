import type { Context } from "@greenlit/engine/sidekick.ts";
import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { PeopleTables, ReasonCode, ReviewRules } from "./people-tables.ts";

/** The rows as they are; names are snake_case in the database and camelCase here. */
export type Tables = PeopleTables & {
  workspaces: {
    workspaceId: string;
    name: string;
    plan: string;
    /** Null: the workspace is not metered. */
    creditBalance: number | null;
    /** Null: the operator's defaults for all workspaces. */
    defaultSidekickIds: string[] | null;
    defaultContext: ColumnType<Context | null, string | null | undefined, string | null>;
    reviewRules: ColumnType<Partial<ReviewRules> | null, string | null | undefined, string | null>;
    /** What a language model may see of the workspace's assets. */
    secondReader: Generated<SecondReaderMode>;
    /** Null: all markets. */
    markets: string[] | null;
    createdAt: Timestamp;
  };
  apiKeys: {
    keyId: string;
    workspaceId: string;
    mode: Mode;
    name: string | null;
    keyHash: Buffer;
    keyHint: string;
    createdAt: Timestamp;
    expiresAt: Date | null;
    revokedAt: Date | null;
    lastUsedAt: Date | null;
    /** The person who made it; null for the operator. */
    createdBy: string | null;
  };
  creditLedger: {
    entryId: string;
    workspaceId: string;
    kind: "grant" | "hold" | "take" | "release";
    /** What the entry adds to the balance; negative for a hold. */
    amount: number;
    assetId?: string | null;
    createdAt: Timestamp;
  };
  rateSlots: { keyId: string; bucket: string; slot: number; hits: number };
  uploads: {
    uploadId: string;
    workspaceId: string;
    filename: string;
    contentType: string;
    objectKey: string;
    issuedAt: Date;
    /** Null: the bytes came directly, in one request. */
    urlExpiresAt: Date | null;
    /** When housekeeping looks whether anybody took it. Null: somebody did. */
    checkAt: ColumnType<Date | null, Date | undefined, Date | null>;
  };
  media: {
    mediaId: string;
    workspaceId: string;
    uploadId: string;
    /** The etag of the object that was frozen; `etag` is that of the frozen bytes. */
    sourceEtag: string;
    reference: string;
    etag: string;
    sizeBytes: number;
    sha256: string | null;
    createdAt: Timestamp;
    /** Set: retention removed the bytes. */
    removedAt?: Date | null;
  };
  /** Bytes whose rows are gone, and which the store has still to remove. */
  removals: {
    removalId: string;
    kind: RemovalKind;
    objectKey: string;
    createdAt: Date;
  };
  submissions: {
    submissionId: string;
    workspaceId: string;
    mode: Mode;
    workflowId: string;
    status: Status;
    metadata: Json | null;
    sidekickIds: string[];
    simulationDelaySeconds: number;
    /** Who submitted; null for what is older than people. */
    actorKind: "key" | "person" | null;
    actorId: string | null;
    /** The last number given to a realtime message of this submission. */
    eventNumber: Generated<number>;
    createdAt: Date;
    completedAt: Date | null;
  };
  versionGroups: {
    versionGroupId: string;
    workspaceId: string;
    lastVersionNumber: number;
    lastReferenceNumber: Generated<number>;
  };
  issueReferences: { versionGroupId: string; fingerprint: string; referenceNumber: number };
  assets: {
    assetId: string;
    submissionId: string;
    workspaceId: string;
    position: number;
    mediaId: string;
    filename: string;
    contentType: string;
    sizeBytes: number;
    sha256: string | null;
    versionGroupId: string;
    versionNumber: number;
    status: Status;
    /** That of the attempt; a retry has a new one. */
    workflowId: string;
    progressPercent: Generated<number>;
    issueCount: number | null;
    errorMessage: string | null;
    errorType: ErrorType | null;
    isRetryable: Generated<boolean>;
    retryCount: Generated<number>;
    /** Retries that count against the limit; those for want of credits do not. */
    countedRetries: Generated<number>;
    /** Raised by every worker that starts on the asset: an older one can write nothing any more. */
    run: Generated<number>;
    crashes: Generated<number>;
    creditsHeld: number | null;
    completedAt: Date | null;
  };
  assetResults: {
    assetId: string;
    workspaceId: string;
    measurements: Json;
    context: Json;
    /** Where the kept evidence is; null: none was kept. */
    evidenceKey: string | null;
    evidenceEtag: string | null;
    evidenceSha256: string | null;
    evidenceSizeBytes: number | null;
    /** Where the print of the file is; null: none was made. */
    printKey: string | null;
    printEtag: string | null;
    printSha256: string | null;
    printSizeBytes: number | null;
  };
  /** `issuePositions`: the issues of the asset that it shows. */
  assetFrames: {
    frameId: string;
    assetId: string;
    workspaceId: string;
    seconds: number | null;
    page: number | null;
    jpeg: Buffer;
    issuePositions: number[];
  };
  /** One run over the kept evidence of many assets. */
  rejudges: {
    rejudgeId: string;
    workspaceId: string;
    mode: Mode;
    state: RejudgeState;
    isDryRun: boolean;
    request: Json;
    actorKind: "key" | "person";
    actorId: string;
    actorName: string | null;
    /** Raised by every worker that goes on with it: an older one can write nothing any more. */
    run: Generated<number>;
    /** The last asset that was judged. */
    position: string | null;
    assetCount: Generated<number>;
    doneCount: Generated<number>;
    changedCount: Generated<number>;
    /** Assets that could not be judged: nothing is kept of them, or it cannot be read. */
    skippedCount: Generated<number>;
    errorMessage: string | null;
    createdAt: Date;
    completedAt: Date | null;
  };
  /** Keys that certificates are signed with; one of them is not retired. */
  signingKeys: {
    keyId: string;
    /** SPKI in DER and base64. */
    publicKey: string;
    /** Encrypted. */
    privateKey: Buffer;
    createdAt: Date;
    retiredAt: Date | null;
  };
  certificates: {
    certificateId: string;
    workspaceId: string;
    number: number;
    submissionId: string;
    assetId: string;
    versionGroupId: string;
    filename: string;
    sha256: string;
    keyId: string;
    envelope: string;
    issuedAt: Date;
    expiresAt: Date;
    revokedAt: Date | null;
    revokedReason: string | null;
    supersededBy: string | null;
    /** The run that gave the certified asset another result. */
    supersededByRejudge: string | null;
  };
  /** An asset's file compared with what a certificate clears. `result`: null until it is complete. */
  verifications: {
    verificationId: string;
    workspaceId: string;
    certificateId: string;
    assetId: string;
    state: VerificationState;
    result: Json | null;
    errorMessage: string | null;
    createdAt: Date;
    completedAt: Date | null;
  };
  rejudgeChanges: {
    changeId: string;
    rejudgeId: string;
    workspaceId: string;
    submissionId: string;
    assetId: string;
    filename: string;
    change: ChangeKind;
    ruleCode: string;
    fingerprint: string;
    severityBefore: Severity | null;
    severityAfter: Severity | null;
    summary: string;
  };
  /** The queue of what browsers need to show an asset. */
  rendering: {
    assetId: string;
    workspaceId: string;
    state: RenderingState;
    /** Raised by every worker that begins: an older one can write nothing any more. */
    run: Generated<number>;
    /** Waiting: from when on it may begin. Working: when its worker is given up unless it says that it goes on. */
    dueAt: Timestamp;
    progressPercent: Generated<number>;
    /** Null: not looked at yet. */
    source: MediaSource | null;
    durationSeconds: number | null;
    framesPerSecond: number | null;
    pageCount: number | null;
    errorMessage: string | null;
  };
  /** `number`: of a page, from 1; 0 for the other kinds. */
  renditions: {
    assetId: string;
    workspaceId: string;
    kind: RenditionKind;
    number: number;
    objectKey: string;
    etag: string;
    contentType: string;
    sizeBytes: number;
    detail: Json;
  };
  secondReadings: {
    readingId: string;
    workspaceId: string;
    assetId: string;
    model: string;
    promptVersion: string;
    outcome: SecondReadingOutcome;
    detail: string | null;
    request: string;
    imageCount: number;
    /** Null: there was none. */
    answer: string | null;
    tokens: number;
    durationMs: number;
    createdAt: Date;
  };
  /** `day` in UTC. */
  secondReaderUsage: { workspaceId: string; day: string; tokens: number };
  issues: {
    issueId: string;
    assetId: string;
    workspaceId: string;
    position: number;
    referenceNumber: number;
    fingerprint: string;
    ruleCode: string;
    severity: Severity;
    status: IssueStatus;
    sidekickId: string;
    finding: Json;
    reopened: Generated<boolean>;
    earlierIssueId: string | null;
    createdAt: Date;
    updatedAt: Date;
  };
  /** Decided about, and taken away when the asset was judged again. */
  removedIssues: {
    assetId: string;
    fingerprint: string;
    workspaceId: string;
    issueId: string;
    referenceNumber: number;
    severity: Severity;
    status: IssueStatus;
    finding: Json;
    reopened: boolean;
    earlierIssueId: string | null;
    createdAt: Date;
    /** Rows of issue_status_changes. */
    changes: Json;
  };
  issueStatusChanges: {
    changeId: string;
    issueId: string;
    workspaceId: string;
    fromStatus: IssueStatus;
    toStatus: IssueStatus;
    reason: string | null;
    /** Of the two the one that decided. */
    keyId: string | null;
    personId: string | null;
    reasonCode: ReasonCode | null;
    /** Set: what was proposed, and a second person has to confirm. */
    proposedStatus: IssueStatus | null;
    createdAt: Date;
  };
  idempotentAnswers: {
    /** Of the key or the person. */
    keyId: string;
    idempotencyKey: string;
    requestHash: Buffer;
    status: number;
    answer: Buffer;
    createdAt: Date;
  };
  webhookSubscriptions: {
    subscriptionId: string;
    workspaceId: string;
    url: string;
    eventTypes: EventType[];
    description: string | null;
    isActive: boolean;
    headers: Json;
    /** Encrypted, as is the previous one, which signs too until its grace is over. */
    secret: Buffer;
    previousSecret: Buffer | null;
    previousSecretExpiresAt: Date | null;
    disabledReason: string | null;
    failingSince: Date | null;
    createdAt: Date;
    updatedAt: Date;
  };
  events: {
    eventId: string;
    workspaceId: string;
    submissionId: string;
    assetId: string;
    type: EventType;
    body: Json;
    /** Set: a test that only this subscription gets. */
    testSubscriptionId?: string | null;
    createdAt: Date;
  };
  deliveries: {
    deliveryId: string;
    eventId: string;
    subscriptionId: string;
    workspaceId: string;
    status: DeliveryStatus;
    /** Attempts made so far. */
    attempt: Generated<number>;
    /** What `attempt` was when the current retry schedule began: a replay begins a new one. */
    scheduleStart: Generated<number>;
    /** What each of the last attempts came to. */
    attempts: ColumnType<DeliveryAttempt[], string | undefined, string>;
    responseStatusCode: number | null;
    responseBody: string | null;
    durationMs: number | null;
    error: string | null;
    createdAt: Date;
    lastAttemptAt: Date | null;
    /** Null: nothing is due any more. */
    nextAttemptAt: Date | null;
  };
  realtimeMessages: {
    submissionId: string;
    eventNumber: number;
    workspaceId: string;
    event: string;
    data: Json;
    createdAt: Date;
    /** Belongs on the workspace's channel too. */
    isTerminal: GeneratedAlways<boolean>;
  };
  usageChanges: { workspaceId: string; week: string };
  deployment: { name: string; value: string };
};

export type Mode = "live" | "sandbox";

export const rejudgeStates = ["waiting", "working", "complete", "failed"] as const;
export type RejudgeState = (typeof rejudgeStates)[number];

export const verificationStates = ["waiting", "working", "complete", "failed"] as const;
export type VerificationState = (typeof verificationStates)[number];

export const changeKinds = ["new", "gone", "changed"] as const;
export type ChangeKind = (typeof changeKinds)[number];

export type RenderingState = "waiting" | "working" | "ready" | "failed";

/** What is played or shown: the uploaded file, or what was made of it. A document has pages instead. */
export type MediaSource = "original" | "rendition" | "none";

export type RenditionKind = "media" | "poster" | "thumbnail" | "filmstrip" | "waveform" | "page";

export const statuses = ["submitted", "processing", "complete", "failed"] as const;
export type Status = (typeof statuses)[number];

export const severities = ["CRITICAL", "MAJOR", "MINOR", "INFO"] as const;
export type Severity = (typeof severities)[number];

export const issueStatuses = ["OPEN", "ACKNOWLEDGED", "AWAITING_HUMAN_INPUT", "RESOLVED", "DISMISSED"] as const;
export type IssueStatus = (typeof issueStatuses)[number];

export const errorTypes = {
  corrupt_media: { isRetryable: false },
  unsupported_media: { isRetryable: false },
  encrypted_document: { isRetryable: false },
  blob_changed: { isRetryable: false },
  too_long: { isRetryable: false },
  storage_unavailable: { isRetryable: true },
  analyzer_timeout: { isRetryable: true },
  analyzer_crashed: { isRetryable: true },
  insufficient_credits: { isRetryable: true },
  internal_error: { isRetryable: true },
} as const;
export type ErrorType = keyof typeof errorTypes;

/** What the contract knows, and the sandbox can fire. */
export const eventTypes = ["asset.processing.completed", "asset.processing.failed"] as const;
export type ProcessingEventType = (typeof eventTypes)[number];

/** With those that come from people and from judging again, and only to who subscribes to them. */
export const subscribableEventTypes = [
  ...eventTypes,
  "asset.review.decided",
  "asset.rejudged",
  "certificate.issued",
  "certificate.revoked",
] as const;
export type EventType = (typeof subscribableEventTypes)[number];

/** Nothing, words and findings, or frames of findings as well. */
export const secondReaderModes = ["off", "text", "media"] as const;
export type SecondReaderMode = (typeof secondReaderModes)[number];

export const secondReadingOutcomes = ["used", "refused", "unavailable", "over_budget"] as const;
export type SecondReadingOutcome = (typeof secondReadingOutcomes)[number];

export const deliveryStatuses = ["pending", "succeeded", "failed", "exhausted"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
export type DeliveryAttempt = {
  attempt: number;
  at: string;
  responseStatusCode: number | null;
  durationMs: number;
  error: string | null;
};

/** A JSON column: objects on the way out, and on the way in as text, because pg would send an array as a PostgreSQL array. */
export type Json = ColumnType<Record<string, unknown>, string, string>;

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string> & Generated<Date>;

/** `upload`: the object with everything that was frozen of it. */
export type RemovalKind = "object" | "upload";
