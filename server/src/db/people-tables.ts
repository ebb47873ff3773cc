import type { ColumnType, Generated, GeneratedAlways } from "kysely";

/** The rows of people, reviews and the audit. */
export type PeopleTables = {
  people: {
    personId: string;
    /** Lower-case. */
    email: string;
    name: string;
    /** Null: signs in by single sign-on only. */
    passwordHash: string | null;
    createdAt: Date;
    disabledAt: Date | null;
  };
  personIdentities: { issuer: string; subject: string; personId: string; createdAt: Date };
  memberships: {
    personId: string;
    workspaceId: string;
    role: Role;
    /** Null: all markets. */
    markets: string[] | null;
    createdAt: Date;
  };
  sessions: {
    sessionId: string;
    personId: string;
    tokenHash: Buffer;
    previousTokenHash: Buffer | null;
    previousValidUntil: Date | null;
    mustRotate: Generated<boolean>;
    /** The workspace of requests that name none. */
    workspaceId: string | null;
    createdAt: Date;
    lastSeenAt: Date;
    expiresAt: Date;
    userAgent: string | null;
    address: string | null;
  };
  oneTimeLinks: {
    linkId: string;
    kind: LinkKind;
    tokenHash: Buffer;
    workspaceId: string | null;
    personId: string | null;
    email: string | null;
    role: Role | null;
    markets: string[] | null;
    createdBy: string | null;
    createdAt: Date;
    /** Null: until it is used. */
    expiresAt: Date | null;
    usedAt: Date | null;
  };
  signInAttempts: {
    stateHash: Buffer;
    browserHash: Buffer;
    nonce: string;
    /** Encrypted. */
    codeVerifier: Buffer;
    expiresAt: Date;
  };
  reviews: {
    reviewId: string;
    assetId: string;
    submissionId: string;
    workspaceId: string;
    mode: "live" | "sandbox";
    state: ReviewState;
    filename: string;
    contentType: string;
    versionGroupId: string;
    versionNumber: number;
    markets: string[];
    /** Issues that are neither resolved nor dismissed. */
    criticalCount: Generated<number>;
    majorCount: Generated<number>;
    minorCount: Generated<number>;
    infoCount: Generated<number>;
    /** Issues that nobody has decided about. */
    undecidedCount: Generated<number>;
    severity: GeneratedAlways<ReviewSeverity>;
    uploaderKind: "key" | "person" | null;
    uploaderId: string | null;
    assigneeId: string | null;
    dueAt: Date | null;
    claimedBy: string | null;
    claimedUntil: Date | null;
    openedAt: Date;
    updatedAt: Date;
    decidedAt: Date | null;
    /** The words of the filename. Triggers keep `reviewTerms` in line. */
    terms: string[] | null;
  };
  reviewTerms: { workspaceId: string; mode: "live" | "sandbox"; term: string; reviewId: string };
  reviewDecisions: {
    decisionId: string;
    reviewId: string;
    workspaceId: string;
    decision: ReviewDecision;
    reason: string | null;
    conditions: string[];
    markets: string[];
    actorKind: "key" | "person";
    actorId: string;
    actorName: string | null;
    createdAt: Date;
    supersededBy: string | null;
  };
  comments: {
    commentId: string;
    workspaceId: string;
    assetId: string;
    versionGroupId: string;
    versionNumber: number;
    threadId: string | null;
    text: string;
    anchor: ColumnType<Record<string, unknown> | null, string | null, string | null>;
    fingerprint: string | null;
    actorKind: "key" | "person";
    actorId: string;
    actorName: string | null;
    createdAt: Date;
    updatedAt: Date;
    resolvedAt: Date | null;
    resolvedBy: string | null;
    deletedAt: Date | null;
  };
  auditHeads: { workspaceId: string; number: number; hash: Buffer };
  auditEntries: {
    workspaceId: string;
    number: number;
    entryId: string;
    createdAt: Date;
    actorKind: ActorKind;
    actorId: string | null;
    actorName: string | null;
    action: string;
    targetKind: string;
    targetId: string;
    /** Text on the way in, as every JSON column. */
    detail: ColumnType<Record<string, unknown>, string, string>;
    contentHash: Buffer;
    hash: Buffer;
  };
};

/** What a person may do in a workspace; each may do what those before it may. */
export const roles = ["viewer", "reviewer", "approver", "admin"] as const;
export type Role = (typeof roles)[number];

export type LinkKind = "setup" | "invitation" | "reset";

export type ActorKind = "key" | "person" | "operator";

export const reviewStates = [
  "awaiting_review",
  "in_review",
  "changes_requested",
  "approved",
  "approved_with_conditions",
  "rejected",
  "escalated",
  "withdrawn",
] as const;
export type ReviewState = (typeof reviewStates)[number];

export const reviewDecisions = [
  "approved",
  "approved_with_conditions",
  "changes_requested",
  "rejected",
  "escalated",
  "withdrawn",
] as const satisfies readonly ReviewState[];
export type ReviewDecision = (typeof reviewDecisions)[number];

export const reviewSeverities = ["CRITICAL", "MAJOR", "MINOR", "INFO", "NONE"] as const;
export type ReviewSeverity = (typeof reviewSeverities)[number];

export const reasonCodes = [
  "FALSE_POSITIVE",
  "SUBSTANTIATED",
  "NOT_APPLICABLE",
  "RISK_ACCEPTED",
  "DUPLICATE",
  "OTHER",
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

/** Rules of a workspace about who may decide; what is left out has its default. */
export type ReviewRules = {
  /** The person who submitted an asset may not approve it. */
  uploaderMayNotApprove: boolean;
  /** A CRITICAL issue is dismissed only once a second person agrees. */
  secondPersonForCritical: boolean;
  /** No approval while a CRITICAL issue is neither resolved nor dismissed. */
  openCriticalBlocksApproval: boolean;
  /** An approval needs a person. */
  keyMayNotApprove: boolean;
};
