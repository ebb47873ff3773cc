// Generated from the OpenAPI document by `npm run docs`. Do not edit.

export type Severity = "CRITICAL" | "MAJOR" | "MINOR" | "INFO";

export type SeverityCounts = {
  CRITICAL: number;
  MAJOR: number;
  MINOR: number;
  INFO: number;
};

export type IssueStatus = "OPEN" | "ACKNOWLEDGED" | "AWAITING_HUMAN_INPUT" | "RESOLVED" | "DISMISSED";

export type ReasonCode = "FALSE_POSITIVE" | "SUBSTANTIATED" | "NOT_APPLICABLE" | "RISK_ACCEPTED" | "DUPLICATE" | "OTHER";

export type SubmissionStatus = "uploading" | "submitted" | "processing" | "complete" | "failed";

export type ErrorType = "corrupt_media" | "unsupported_media" | "encrypted_document" | "blob_changed" | "too_long" | "storage_unavailable" | "analyzer_timeout" | "analyzer_crashed" | "insufficient_credits" | "internal_error";

export type Mode = "live" | "sandbox";

export type Role = "viewer" | "reviewer" | "approver" | "admin";

export type EventType = "asset.processing.completed" | "asset.processing.failed" | "asset.review.decided" | "asset.rejudged" | "certificate.issued" | "certificate.revoked";

export type DeliveryStatus = "pending" | "succeeded" | "failed" | "exhausted";

export type DeliveryAttempt = {
  attempt: number;
  /** ISO 8601, UTC, with milliseconds. */
  at: string;
  /** Null: there was no answer. */
  responseStatusCode: number | null;
  /** What went wrong, in words: `connection refused`, `certificate expired`, `answered 500 in 120 ms`, `no answer within 15 s`. Null when it succeeded. */
  error: string | null;
  durationMs: number;
};

export type Decision = "approved" | "approved_with_conditions" | "changes_requested" | "rejected" | "escalated" | "withdrawn";

export type Region = {
  x: number;
  y: number;
  width: number;
  height: number;
};

export type TimeSpan = {
  /** From the start of the presentation. */
  startSeconds: number;
  /** Where it is over, exclusive. */
  endSeconds: number;
};

export type Citation = {
  clause: string;
  url: string;
};

export type Author = {
  kind: "key" | "person";
  id: string;
  name: string | null;
};

export type FieldProblem = {
  path: string;
  message: string;
};

export type Context = {
  jurisdictions?: string[];
  sector?: string;
  channel?: string;
  audience?: string;
  destination?: string;
  brand?: string;
  product?: string;
};

export type ErrorBody = {
  error_code: "simulation_delay_needs_sandbox_key" | "malformed_http" | "unauthenticated" | "sign_in_failed" | "tier_not_authorized_for_integrations_api" | "invalid_filename" | "invalid_blob_path" | "sandbox_key_required" | "mode_mismatch" | "role_required" | "person_required" | "cross_site_request" | "passwords_off" | "market_not_allowed" | "not_found" | "asset_not_finished" | "asset_failed" | "frame_not_found" | "evidence_not_kept" | "rendition_not_ready" | "no_rendition" | "link_not_valid" | "method_not_allowed" | "request_timeout" | "asset_not_failed" | "error_not_retryable" | "retry_limit_reached" | "retry_in_flight" | "idempotency_in_progress" | "person_exists" | "last_admin" | "review_claimed" | "review_state_not_allowed" | "open_critical_issues" | "own_upload" | "asset_not_approved" | "file_too_large" | "body_too_large" | "content_type_not_allowed" | "content_does_not_match_type" | "subscription_limit_reached" | "subscription_inactive" | "expectation_failed" | "invalid_request" | "idempotency_key_reused" | "headers_too_large" | "internal_error" | "unavailable" | "insufficient_storage";
  /** What happened and what to do. */
  message: string;
};

export type ValidationErrorBody = ErrorBody & {
  details: FieldProblem[];
};

export type PlanErrorBody = {
  error_code: "tier_not_authorized_for_integrations_api";
  /** What happened and what to do. */
  message: string;
  /** The bucket that the plan leaves out. */
  bucket: string;
};

export type RateLimitErrorBody = {
  error: string;
};

export type AssetProcessingCompleted = {
  type: "asset.processing.completed";
  /** ISO 8601, UTC, with milliseconds. */
  timestamp: string;
  data: {
    asset_id: string;
    submission_id: string;
    workspace_id: string;
    status: "complete";
    /** Null for a sandbox submission, which was not analysed. */
    issue_count: number | null;
    severity_counts: SeverityCounts | null;
    /** Null: there are no issues. */
    highest_severity: Severity | null;
    filename: string;
    version_group_id: string;
    version_number: number;
    /** That of the submission. */
    metadata: Record<string, unknown> | null;
    /** False for events that the sandbox or the test endpoint made up. */
    livemode: boolean;
  };
};

export type AssetProcessingFailed = {
  type: "asset.processing.failed";
  /** ISO 8601, UTC, with milliseconds. */
  timestamp: string;
  data: {
    asset_id: string;
    submission_id: string;
    workspace_id: string;
    status: "failed";
    error_message: string;
    /** `sandbox_simulated` only for events of the fire endpoint. */
    error_type: ErrorType | "sandbox_simulated";
    is_retryable: boolean;
    retry_count: number;
    filename: string;
    version_group_id: string;
    version_number: number;
    /** That of the submission. */
    metadata: Record<string, unknown> | null;
    /** False for events that the sandbox or the test endpoint made up. */
    livemode: boolean;
  };
};

export type AssetRejudged = {
  type: "asset.rejudged";
  /** ISO 8601, UTC, with milliseconds. */
  timestamp: string;
  data: {
    asset_id: string;
    submission_id: string;
    workspace_id: string;
    rejudge_id: string;
    /** Of the new result. */
    issue_count: number;
    new_count: number;
    gone_count: number;
    changed_count: number;
    filename: string;
    version_group_id: string;
    version_number: number;
    /** False for events that the sandbox or the test endpoint made up. */
    livemode: boolean;
  };
};

export type AssetResult = {
  assetId: string;
  submissionId: string;
  filename: string;
  /** `complete` and `failed` are terminal: stop polling there. */
  status: SubmissionStatus;
  issues: CompactIssue[];
  mimeType: string | null;
  /** Null until results exist. */
  issueCount: number | null;
  versionNumber: number;
  versionGroupId: string | null;
  sizeBytes: number;
  /** Null until known. */
  sha256: string | null;
  errorMessage: string | null;
  errorType: ErrorType | null;
};

export type AssetReviewDecided = {
  type: "asset.review.decided";
  /** ISO 8601, UTC, with milliseconds. */
  timestamp: string;
  data: {
    asset_id: string;
    submission_id: string;
    workspace_id: string;
    review_id: string;
    decision_id: string;
    decision: Decision;
    reason: string | null;
    conditions: string[];
    /** The markets that it is about. */
    markets: string[];
    decided_by: Author;
    filename: string;
    version_group_id: string;
    version_number: number;
    /** False for events that the sandbox or the test endpoint made up. */
    livemode: boolean;
  };
};

export type AssetStatus = {
  assetId: string;
  versionGroupId: string;
  versionNumber: number;
  /** Null until results exist. */
  issueCount: number | null;
  errorMessage: string | null;
  errorType: ErrorType | null;
  /** True when the asset may be retried now. */
  isRetryable: boolean;
  retryCount: number;
  filename: string;
  mimeType: string;
  sizeBytes: number;
  /** Null until known. */
  sha256: string | null;
  /** `complete` and `failed` are terminal: stop polling there. */
  status: SubmissionStatus;
  progressPercent: number;
};

export type AuditEntry = {
  /** Counts up by one in the workspace. */
  number: number;
  entryId: string;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  actor: {
    kind: "key" | "person" | "operator";
    id: string | null;
    name: string | null;
  };
  action: string;
  target: {
    kind: string;
    id: string;
  };
  detail: Record<string, unknown>;
  /** SHA-256 over this entry and everything before it. */
  hash: string;
};

export type AuditPage = Page<AuditEntry>;

export type Certificate = ListedCertificate & {
  envelope: CertificateEnvelope;
};

export type CertificateEnvelope = {
  payloadType: string;
  /** An in-toto Statement v1, in base64. */
  payload: string;
  signatures: {
    keyid: string;
    sig: string;
  }[];
};

export type CertificateIssued = {
  type: "certificate.issued";
  /** ISO 8601, UTC, with milliseconds. */
  timestamp: string;
  data: {
    asset_id: string;
    submission_id: string;
    workspace_id: string;
    certificate_id: string;
    number: number;
    /** ISO 8601, UTC, with milliseconds. */
    expires_at: string;
    filename: string;
    /** False for events that the sandbox or the test endpoint made up. */
    livemode: boolean;
  };
};

export type CertificatePage = Page<ListedCertificate>;

export type CertificateRevoked = {
  type: "certificate.revoked";
  /** ISO 8601, UTC, with milliseconds. */
  timestamp: string;
  data: {
    asset_id: string;
    submission_id: string;
    workspace_id: string;
    certificate_id: string;
    number: number;
    reason: string;
    filename: string;
    /** False for events that the sandbox or the test endpoint made up. */
    livemode: boolean;
  };
};

export type Comment = {
  commentId: string;
  /** The comment it answers; null when it began the thread. */
  threadId: string | null;
  text: string;
  anchor: {
    startSeconds: number | null;
    endSeconds: number | null;
    page: number | null;
    region: Region | null;
    /** The issue of this version with the same finding; null when it is gone. */
    issueId: string | null;
  } | null;
  author: Author;
  /** The earlier version it was written on; null for this one. */
  fromVersion: number | null;
  isResolved: boolean;
  resolvedBy: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  updatedAt: string;
};

export type CommentChange = {
  text?: string | null;
  isResolved?: boolean | null;
};

export type CommentPage = Page<Comment>;

export type CompactIssue = {
  id: string;
  /** Counts within the version group and stays with the finding. */
  referenceNumber: number;
  ruleCode: string;
  summary: string;
  severity: Severity;
  status: IssueStatus;
};

export type ComparedFinding = {
  fingerprint: string;
  ruleCode: string;
  severity: string;
  summary: string;
};

export type ContentComparison = {
  /** Send the same request again until it is `complete` or `failed`. Nothing is compared twice. */
  state: "waiting" | "working" | "complete" | "failed";
  /** `IDENTICAL`: byte for byte what was cleared. `SAME_ESSENCE`: the same coded picture and sound in another container. `SAME_CONTENT`: coded anew, and shows and plays the same. `ALTERED`: something else is seen, heard or written, or a person has to judge. `DIFFERENT`: another film, picture or text. Null until the comparison is complete. */
  match: "IDENTICAL" | "SAME_ESSENCE" | "SAME_CONTENT" | "ALTERED" | "DIFFERENT" | null;
  /** When the first moment of the cleared file comes in this one. */
  offsetSeconds: number;
  differences: ContentDifference[];
  notes: string[];
  newFindings: ComparedFinding[];
  goneFindings: ComparedFinding[];
  pictures: DifferencePicture[];
  errorMessage: string | null;
};

export type ContentDifference = {
  kind: "picture" | "frames" | "length" | "sound" | "loudness" | "text" | "tracks";
  message: string;
  startSeconds: number | null;
  endSeconds: number | null;
  page: number | null;
  /** In fractions of the frame or page, from the top left. */
  region: Region | null;
  /** What is read or heard there in the cleared file. */
  before: string;
  /** What is read or heard there in this file. */
  after: string;
};

export type CreateRejudge = {
  dryRun?: boolean | null;
  /** All complete assets when left out. */
  filter?: {
    /** Assets that completed at this time or later. */
    since?: string | null;
    /** Assets that completed before this time. */
    until?: string | null;
    submissionIds?: string[] | null;
  } | null;
  /** Takes the place of what the submissions declared, key by key. */
  context?: {
    jurisdictions?: string[] | null;
    sector?: string | null;
    channel?: string | null;
    audience?: string | null;
    destination?: string | null;
    brand?: string | null;
    product?: string | null;
  } | null;
  /** Those of each submission when left out. */
  sidekickIds?: string[] | null;
};

export type Diff = {
  assetId: string;
  /** Null: there is no earlier version that is complete, so every issue is new. */
  comparedWith: {
    assetId: string;
    submissionId: string;
    versionNumber: number;
  } | null;
  new: CompactIssue[];
  fixed: CompactIssue[];
  persisting: CompactIssue[];
};

export type DifferencePicture = {
  /** Its place in `differences`, from 0. */
  difference: number;
  /** In base64. */
  beforePng: string | null;
  /** In base64. */
  afterJpeg: string | null;
};

export type DirectUpload = {
  /** `<workspace_id>/<filename>`. */
  blobPath: string;
  sizeBytes: number;
  contentType: string;
};

export type DirectUploadRequest = {
  /** The file, with its filename and, if it is known, its Content-Type. */
  file: Blob;
};

export type Filmstrip = {
  contentType: string;
  columns: number;
  rows: number;
  /** Pictures, from the left, row by row. */
  count: number;
  tileWidth: number;
  tileHeight: number;
  /** The picture n (from 0) begins at n × this. */
  intervalSeconds: number;
} | null;

export type FireEvents = {
  eventType: "asset.processing.completed" | "asset.processing.failed";
  submissionId: string;
  /** Used only for asset.processing.failed. */
  errorMessage?: string | null;
};

export type Fired = {
  dispatched: number;
};

export type Flashes = {
  /** Null: judged. Otherwise why it was not, in words. */
  notJudged: string | null;
  /** The most flashes in any one second, by the area that counts in broadcasting. */
  maxGeneralPerSecond: number;
  /** The same of flashes of saturated red. */
  maxRedPerSecond: number;
  /** By the area of WCAG 2.3.1: a quarter of any ten degrees of sight. */
  wcag: {
    /** By WCAG's area. */
    maxGeneralPerSecond: number;
    /** By WCAG's area. */
    maxRedPerSecond: number;
  };
  /** Stretches of two or more flashes a second. */
  sequences: {
    kind: "general" | "red";
    /** From the start of the presentation. */
    startSeconds: number;
    /** Where it is over, exclusive. */
    endSeconds: number;
    /** Pairs of opposing changes. */
    flashes: number;
    /** The largest share of the frame that flashed at once, 0 to 1. */
    areaShare: number;
    /** Whose area counts. */
    standard: "broadcast" | "wcag";
    /** The most in any one second. */
    maxPerSecond: number;
    /** The share of the ten degrees of sight where it was most. */
    windowShare: number;
    /** In fractions of the frame or page, from the top left. */
    region: Region | null;
  }[];
  curve: {
    /** Length of a step. */
    stepSeconds: number;
    /** Mean luminance of the picture in cd/m², one value a step. SDR white is 200. */
    luminance: (number | null)[];
    /** Flashes a second, one value a step. */
    generalPerSecond: (number | null)[];
    /** Red flashes a second, one value a step. */
    redPerSecond: (number | null)[];
  };
} | null;

export type Invitation = {
  invitationId: string;
  email: string;
  /** `viewer` reads; `reviewer` also uploads, submits, decides issues, comments and assigns; `approver` also decides assets and dismisses CRITICAL issues; `admin` also manages people, keys, webhooks and defaults. */
  role: Role;
  /** The markets the role is limited to, like `UK`: decisions about all markets of an asset or issue must be among them, and one of them to report, claim or assign. Reading is not limited. Null: all. */
  markets: string[] | null;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt: string | null;
};

export type InvitationAcceptance = {
  /** What stands behind the `=` of the link. */
  token: string;
  name?: string | null;
  /** At least 12 characters. */
  password?: string | null;
};

export type InvitationList = List<Invitation>;

export type InvitationWithLink = Invitation & {
  /** Works once. Shown only here: copy it and send it yourself. */
  url: string;
};

export type Issue = CompactIssue & {
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  updatedAt: string;
  sidekickId: string;
  severityReasoning: string;
  severityReasoningHeadline: string;
  precedents: Precedent[];
  /** The same finding in the next version has the same one. */
  fingerprint: string;
  /** Where it is: what applies. */
  location: {
    startSeconds: number | null;
    endSeconds: number | null;
    page: number | null;
    /** In fractions of the frame or page, from the top left. */
    region: Region | null;
    quote: string | null;
  } | null;
  /** Where the rule is arithmetic. */
  measurement: {
    value: number;
    limit: number | null;
    unit: string;
  } | null;
  /** What to change. */
  recommendation: string;
  citation: Citation | null;
  /** What a language model says about it, where the workspace allows one: an opinion, never a rule. The rules were run on the rewording, and find less with it. */
  secondReader: {
    explanation: string;
    rewording: string | null;
  } | null;
  sidekickName: string;
  packVersion: string;
  /** Changes whenever the rule could find, or say, something else. */
  ruleVersion: string;
  /** What the rule is about. */
  ruleSummary: string;
  /** It was resolved in an earlier version and is found again. */
  reopened: boolean;
  /** The same finding in the version before. */
  earlierIssueId: string | null;
};

export type IssueCertificate = {
  validDays?: number | null;
};

export type IssueDecision = {
  status: IssueStatus;
  reason?: string | null;
  reasonCode?: ReasonCode | null;
};

export type IssueDecisions = IssueDecision & {
  issueIds?: string[];
  /** All that match; `{}` is every issue of the asset. */
  filter?: {
    severity?: Severity | null;
    status?: IssueStatus | null;
    ruleCode?: string | null;
    sidekickId?: string | null;
  };
};

export type IssueDecisionsResult = {
  /** Issues that have the new status. */
  decided: number;
  /** CRITICAL issues whose dismissal waits for a second person. */
  proposed: number;
};

export type IssuePage = {
  submissionId: string;
  assetId: string;
  issues: Issue[];
  /** How many match the filters, on all pages. */
  total: number;
  hasMore: boolean;
  nextCursor: string | null;
};

export type IssueWithHistory = Issue & {
  /** Every change of the status, oldest first. */
  history: {
    fromStatus: IssueStatus;
    toStatus: IssueStatus;
    reason: string | null;
    /** The key that decided; null when a person did. */
    keyId: string | null;
    personId: string | null;
    reasonCode: ReasonCode | null;
    /** What was proposed, and waits for a second person. */
    proposedStatus: IssueStatus | null;
    /** ISO 8601, UTC, with milliseconds. */
    createdAt: string;
  }[];
};

export type KeptEvidence = {
  submissionId: string;
  assetId: string;
  /** The newest version of the format; earlier ones stay readable. */
  formatVersion: number;
  sizeBytes: number;
  /** Of the kept bytes. */
  sha256: string;
  /** What the rules were told about the asset. */
  context: Record<string, unknown>;
};

export type Key = {
  keyId: string;
  mode: Mode;
  name: string | null;
  /** The beginning and the last four characters. */
  keyHint: string;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  revokedAt: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  lastUsedAt: string | null;
};

export type KeyList = List<Key>;

export type KeyWithSecret = Key & {
  /** Shown only here; keep it. */
  key: string;
};

export type Limits = {
  /** The workspace of this key. */
  workspaceId: string;
  /** The plan of the workspace. */
  plan: string;
  /** The kind of this key. */
  mode: Mode;
  /** Limits hold over a sliding window of this length. */
  windowSeconds: number;
  buckets: {
    bucket: "upload" | "submission_write" | "submission_read" | "webhook_write" | "webhook_read" | "sandbox";
    /** Null: no limit. 0: not in the plan. */
    requestsPerMinute: number | null;
    /** Requests left right now. Null: no limit. */
    remaining: number | null;
  }[];
};

export type ListedCertificate = {
  certificateId: string;
  /** Counts up by one in the workspace. */
  number: number;
  submissionId: string;
  assetId: string;
  filename: string;
  /** Of the file that was cleared. */
  sha256: string;
  status: "VALID" | "EXPIRED" | "REVOKED";
  supersededBy: string | null;
  /** The run of `POST /rejudge` that gave the certified asset another result. */
  supersededByRejudge: string | null;
  revokedReason: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  issuedAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  revokedAt: string | null;
};

export type Loudness = {
  /** EBU R 128. Null: nothing was louder than the gate of -70 LUFS. */
  integratedLufs: number | null;
  /** Over any 3 s. */
  maxShortTermLufs: number | null;
  /** Over any 400 ms. */
  maxMomentaryLufs: number | null;
  /** Loudness range. */
  rangeLu: number | null;
  /** True peak. */
  truePeakDbtp: number | null;
  /** At most 20,000 steps; of a longer one each value is the loudest of its step. */
  curve: {
    /** Where the curve begins. */
    startSeconds: number;
    /** Value n belongs to the window that ends at startSeconds + (n + 1) × stepSeconds. */
    stepSeconds: number;
    /** Momentary loudness, one value a step. Null: silence. */
    momentaryLufs: (number | null)[];
    /** Short-term loudness, one value a step. Null: silence, or the first seconds. */
    shortTermLufs: (number | null)[];
  };
} | null;

export type MarketList = List<{
  market: string;
  name: string;
  minimumRules: number;
}>;

export type Me = MeChange & {
  personId: string;
  email: string;
  sessionId: string;
  /** The workspace of this request. */
  workspaceId: string | null;
  /** The role in that workspace. */
  role: Role | null;
  /** The markets the role is limited to, like `UK`: decisions about all markets of an asset or issue must be among them, and one of them to report, claim or assign. Reading is not limited. Null: all. */
  markets: string[] | null;
  mode: Mode;
  workspaces: {
    workspaceId: string;
    name: string;
    /** `viewer` reads; `reviewer` also uploads, submits, decides issues, comments and assigns; `approver` also decides assets and dismisses CRITICAL issues; `admin` also manages people, keys, webhooks and defaults. */
    role: Role;
    /** The markets the role is limited to, like `UK`: decisions about all markets of an asset or issue must be among them, and one of them to report, claim or assign. Reading is not limited. Null: all. */
    markets: string[] | null;
  }[];
};

export type MeChange = {
  name: string;
};

export type Measurements = {
  loudness: Loudness;
  flashes: Flashes;
  patterns: {
    /** Null: judged. Otherwise why it was not, in words. */
    notJudged: string | null;
    /** Regular stripes. */
    patterns: {
      /** From the start of the presentation. */
      startSeconds: number;
      /** Where it is over, exclusive. */
      endSeconds: number;
      /** Pairs of light and dark stripes. */
      pairs: number;
      /** Share of the frame, 0 to 1. */
      areaShare: number;
      /** Luminance of the lighter stripes in cd/m². */
      brightNits: number;
      motion: "still" | "moving" | "reversing";
      /** In fractions of the frame or page, from the top left. */
      region: Region | null;
    }[];
  } | null;
  /** Signals of emergency alerts. */
  tones: {
    kind: "eas_attention" | "eas_header" | "weather_alarm";
    /** From the start of the presentation. */
    startSeconds: number;
    /** Where it is over, exclusive. */
    endSeconds: number;
    /** How loud. */
    levelDbfs: number;
  }[] | null;
  /** Black frames. */
  black: TimeSpan[] | null;
  /** A picture that stands still. */
  freezes: TimeSpan[] | null;
  /** No sound. */
  silences: TimeSpan[] | null;
  /** Text in the picture, from its first to its last frame. */
  supers: Super[] | null;
  speech: {
    /** The words are at `…/transcript`. */
    segmentCount: number;
    /** Why the words are not to be trusted as a whole. */
    notJudged: string | null;
  } | null;
  /** Subtitle streams of a film, or the one track that a caption file is. */
  captions: {
    /** As the file names it. */
    language: string | null;
    /** srt, vtt, mov_text, … */
    codec: string;
    /** In the order of the file. */
    cues: {
      /** From the start of the presentation. */
      startSeconds: number;
      /** Where it is over, exclusive. */
      endSeconds: number;
      /** The whole cue. */
      text: string;
      /** Its lines. */
      lines: string[];
    }[];
  }[] | null;
  /** Pictures that a person should look at; never evidence by itself. */
  nudity: {
    /** When; null in a still picture. */
    seconds: number | null;
    /** 0 to 1. */
    score: number;
  }[] | null;
  /** The text of a document. */
  pages: {
    /** From 1. */
    page: number;
    /** In reading order. */
    text: string;
  }[] | null;
  /** What was not checked, and why: whatever is named here is not clean, it is unknown. */
  omissions: string[] | null;
  image: {
    /** Upright, in pixels. */
    width: number;
    /** Upright, in pixels. */
    height: number;
    /** Frames of an animation, or pages. */
    frameCount: number;
    /** It has transparent parts. */
    hasAlpha: boolean;
    /** EXIF orientation of the file. */
    orientation: number | null;
    /** Animations only. */
    durationSeconds: number | null;
  } | null;
  metadata: MediaMetadata;
  suggestedContext: {
    /** The market that the words point to; null where it was declared or does not show. */
    jurisdictions: string[] | null;
    /** The sector; null where it was declared or does not show. */
    sector: string | null;
    /** The words that speak for it. */
    because: string[];
    /** What was declared and is not known, so that it counts as not declared; missing in results of earlier versions. */
    notUnderstood: string[];
  } | null;
};

export type MediaMetadata = {
  gps: {
    /** Degrees north. */
    latitude: number;
    /** Degrees east. */
    longitude: number;
    /** Where it was found. */
    source: string;
  } | null;
  /** Who and what made the file. */
  entries: {
    /** camera, author, … */
    name: string;
    /** As found. */
    value: string;
    /** Where it was found. */
    source: string;
  }[];
  digitalSourceType: {
    /** The IPTC term, such as trainedAlgorithmicMedia. */
    value: string;
    /** Where it was found. */
    source: string;
  } | null;
  /** C2PA. */
  contentCredentials: {
    /** Signature and hashes hold; whether the signer is trusted is not judged. */
    isValid: boolean;
    /** The credentials say that a generative model made it. */
    isAiMade: boolean;
    /** Who signed. */
    issuer: string | null;
    /** The program that made the claim. */
    claimGenerator: string | null;
    /** What was done to the file, oldest first. */
    actions: string[];
    /** C2PA codes: why it is not valid, or what could not be determined. */
    problems: string[];
  } | null;
} | null;

/** What `…/media` answers. */
export type MediaRendition = {
  source: "original" | "rendition";
  contentType: string;
  sizeBytes: number;
  width: number | null;
  height: number | null;
  /** True: an HDR film in the standard range, whose colours are close but not exact. */
  isToneMapped: boolean;
} | null;

export type Member = {
  personId: string;
  email: string;
  name: string;
  /** `viewer` reads; `reviewer` also uploads, submits, decides issues, comments and assigns; `approver` also decides assets and dismisses CRITICAL issues; `admin` also manages people, keys, webhooks and defaults. */
  role: Role;
  /** The markets the role is limited to, like `UK`: decisions about all markets of an asset or issue must be among them, and one of them to report, claim or assign. Reading is not limited. Null: all. */
  markets: string[] | null;
  /** ISO 8601, UTC, with milliseconds. */
  joinedAt: string;
  /** The operator closed the account. */
  isDisabled: boolean;
  /** False: signs in by single sign-on only. */
  hasPassword: boolean;
};

export type MemberChange = {
  /** `viewer` reads; `reviewer` also uploads, submits, decides issues, comments and assigns; `approver` also decides assets and dismisses CRITICAL issues; `admin` also manages people, keys, webhooks and defaults. */
  role?: Role | null;
  /** The markets the role is limited to, like `UK`: decisions about all markets of an asset or issue must be among them, and one of them to report, claim or assign. Reading is not limited. Null: all. */
  markets?: string[] | null;
};

export type MemberList = List<Member>;

export type NewComment = {
  text: string;
  /** The comment that began the thread. */
  threadId?: string | null;
  anchor?: {
    startSeconds?: number | null;
    endSeconds?: number | null;
    page?: number | null;
    /** In fractions of the frame. */
    region?: Region | null;
    issueId?: string | null;
  };
};

export type NewInvitation = {
  email: string;
  /** `viewer` reads; `reviewer` also uploads, submits, decides issues, comments and assigns; `approver` also decides assets and dismisses CRITICAL issues; `admin` also manages people, keys, webhooks and defaults. */
  role: Role;
  /** The markets the role is limited to, like `UK`: decisions about all markets of an asset or issue must be among them, and one of them to report, claim or assign. Reading is not limited. Null: all. */
  markets?: string[] | null;
};

export type NewIssue = {
  summary: string;
  severity: Severity;
  /** The rule it breaks; `REVIEWER` when left out. */
  ruleCode?: string | null;
  reasoning?: string | null;
  recommendation?: string | null;
  location?: {
    startSeconds?: number | null;
    endSeconds?: number | null;
    page?: number | null;
    /** In fractions of the frame. */
    region?: Region | null;
    quote?: string | null;
  };
};

export type NewKey = {
  mode: Mode;
  /** What it is for. */
  name?: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt?: string | null;
};

export type NewReviewDecision = {
  decision: Decision;
  reason?: string | null;
  /** What must hold, such as `after 21:00 only`. */
  conditions?: string[] | null;
  /** The markets it is about. Left out: those of the review. */
  markets?: string[] | null;
};

export type NewSubmission = {
  assets: {
    /** As returned by an upload. */
    blobPath: string;
    /** Makes the asset a new version of that submission's asset. */
    previousSubmissionId?: string | null;
  }[];
  sidekickIds?: string[] | null;
  /** At most 16 KiB of JSON, at most 20 deep. */
  metadata?: Record<string, unknown> | null;
};

export type NewWebhookSubscription = {
  /** Where events are posted to: https, no credentials in it, and nothing private: neither an address nor, when it is delivered to, a name that resolves to one. Ports of other protocols (25, 6379 and the like) are refused. */
  url: string;
  /** The events it receives. `asset.review.decided` is sent when somebody decides about an asset: its ids, `decision`, `reason`, `conditions`, `markets` and `decided_by`. `asset.rejudged` is sent when `POST /rejudge` replaced an asset's result: its ids and how many findings are new, gone and changed. `certificate.issued` and `certificate.revoked` tell of certificates. */
  eventTypes: EventType[];
  /** For people. An empty text removes it. */
  description?: string | null;
  /** False pauses: deliveries wait, and events that happen meanwhile are not queued (see recover). */
  isActive?: boolean | null;
  /** Sent with every delivery, for example for a gateway in front of the receiver: at most 20 and 4 KiB together, and none that the service sets itself (`content-type`, `user-agent`, `webhook-…`, those of the connection). They are stored encrypted. */
  headers?: Record<string, string> | null;
};

export type PageImage = {
  page: number;
  width: number;
  height: number;
};

/** Documents only. */
export type PageImages = {
  count: number;
  ready: PageImage[];
} | null;

export type PasswordChange = {
  currentPassword: string;
  /** At least 12 characters. */
  newPassword: string;
};

export type PasswordReset = {
  /** What stands behind the `=` of the link. */
  token: string;
  /** At least 12 characters. */
  password: string;
};

export type PosterRendition = {
  contentType: string;
  width: number | null;
  height: number | null;
} | null;

export type Precedent = {
  /** Where the decision is published. */
  url: string;
  title: string;
  decision: string;
  date: string;
};

export type RealtimeToken = RealtimeTokenRequest & {
  /** Goes into the query parameter `token`. Anyone who has it can listen. */
  token: string;
  /** For `new EventSource(url)`. */
  url: string;
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt: string;
};

export type RealtimeTokenRequest = {
  /** `private-submission-<submissionId>`, as in `realtimeChannel`, or `private-workspace-<workspaceId>`. */
  channel: string;
};

export type RecoverDeliveries = {
  /** ISO 8601, UTC, with milliseconds. */
  since: string;
  /** Now by default. */
  until?: string | null;
};

export type RecoveredDeliveries = {
  /** How many deliveries were queued. */
  count: number;
};

export type Rejudge = {
  rejudgeId: string;
  state: "waiting" | "working" | "complete" | "failed";
  /** True: nothing is changed, only told. */
  dryRun: boolean;
  filter: Record<string, unknown>;
  context: Record<string, unknown> | null;
  sidekickIds: string[] | null;
  /** Assets to judge. */
  assetCount: number;
  doneCount: number;
  /** Assets with at least one difference. */
  changedCount: number;
  /** Assets that pass the filter and cannot be judged, because no evidence is kept of them. */
  skippedCount: number;
  progressPercent: number;
  errorMessage: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  completedAt: string | null;
  /** The differences by rule, the rules that changed most first. */
  rules: {
    ruleCode: string;
    new: number;
    gone: number;
    changed: number;
    /** Three of each kind at most. */
    samples: RejudgeChange[];
  }[];
};

export type RejudgeChange = {
  changeId: string;
  submissionId: string;
  assetId: string;
  filename: string;
  change: "new" | "gone" | "changed";
  ruleCode: string;
  fingerprint: string;
  severityBefore: Severity | null;
  severityAfter: Severity | null;
  summary: string;
};

export type RejudgeChangePage = Page<RejudgeChange>;

export type Renditions = {
  assetId: string;
  /** `off`: this deployment makes none. `ready` and `failed` do not change any more. */
  status: "off" | "waiting" | "working" | "ready" | "failed";
  progressPercent: number;
  /** Why something could not be made. */
  errorMessage: string | null;
  durationSeconds: number | null;
  /** Of a film: its nominal rate, for time codes. */
  framesPerSecond: number | null;
  media: MediaRendition;
  poster: PosterRendition;
  filmstrip: Filmstrip;
  hasWaveform: boolean;
  pages: PageImages;
};

export type ResetLink = {
  /** Works once. Shown only here: copy it and send it yourself. */
  url: string;
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt: string | null;
};

export type Review = {
  reviewId: string;
  submissionId: string;
  assetId: string;
  state: Decision | "awaiting_review" | "in_review";
  mode: Mode;
  filename: string;
  mimeType: string;
  /** Whether `…/thumbnail` of the asset is there by now. */
  hasThumbnail: boolean;
  versionGroupId: string;
  versionNumber: number;
  /** The jurisdictions the asset was submitted for. */
  markets: string[];
  /** The highest of its open issues; null when none is open. */
  severity: Severity | null;
  /** Issues that are neither resolved nor dismissed. */
  openIssues: SeverityCounts;
  /** Issues that nobody has decided about. */
  undecidedCount: number;
  uploader: {
    kind: "key" | "person";
    id: string;
  } | null;
  assignee: {
    personId: string;
    name: string;
  } | null;
  /** ISO 8601, UTC, with milliseconds. */
  dueAt: string | null;
  /** Who works on it now. */
  claim: {
    holderId: string;
    name: string | null;
    /** ISO 8601, UTC, with milliseconds. */
    until: string;
  } | null;
  /** ISO 8601, UTC, with milliseconds. */
  openedAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  updatedAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  decidedAt: string | null;
};

export type ReviewChange = {
  /** Somebody who may review in this workspace. */
  assigneeId?: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  dueAt?: string | null;
};

export type ReviewDecision = {
  decisionId: string;
  decision: Decision;
  reason: string | null;
  conditions: string[];
  markets: string[];
  decidedBy: Author;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  supersededBy: string | null;
};

export type ReviewPage = Page<Review>;

export type ReviewRules = {
  /** The person who submitted an asset, by themselves or by a key that they made, may not approve it. */
  uploaderMayNotApprove: boolean;
  /** A CRITICAL issue is dismissed only once a second person, an approver, agrees. */
  secondPersonForCritical: boolean;
  /** No approval while a CRITICAL issue is neither resolved nor dismissed. */
  openCriticalBlocksApproval: boolean;
  /** An approval needs a person; an API key alone may not. */
  keyMayNotApprove: boolean;
};

export type ReviewRulesChange = {
  /** The person who submitted an asset, by themselves or by a key that they made, may not approve it. */
  uploaderMayNotApprove?: boolean;
  /** A CRITICAL issue is dismissed only once a second person, an approver, agrees. */
  secondPersonForCritical?: boolean;
  /** No approval while a CRITICAL issue is neither resolved nor dismissed. */
  openCriticalBlocksApproval?: boolean;
  /** An approval needs a person; an API key alone may not. */
  keyMayNotApprove?: boolean;
};

export type ReviewWithDecisions = Review & {
  /** All of them, oldest first. */
  decisions: ReviewDecision[];
};

export type RevokeCertificate = {
  reason: string;
};

export type RotateSecret = {
  /** How long the previous secret also signs: a day by default, a week at most. */
  gracePeriodSeconds?: number | null;
} | null;

export type RotatedWebhookSubscription = WebhookSubscription & {
  /** `whsec_…`: verify signatures with it. Shown only here; keep it. */
  secret: string;
  /** Until then deliveries are signed with both secrets. */
  previousSecretExpiresAt: string | null;
};

export type Rule = {
  /** The `ruleCode` of its issues. */
  code: string;
  summary: string;
  severity: Severity;
  why: string;
  fix: string;
  citation: Citation | null;
  /** Empty: everywhere. */
  jurisdictions: string[];
  /** Empty: any. Likewise channels, audiences and destinations. */
  sectors: string[];
  channels: string[];
  audiences: string[];
  destinations: string[];
  /** The first day on which it applies, like `2026-09-27`. */
  from: string | null;
  /** What becomes of a finding where the context that the rule depends on is not declared: one severity lower, INFO, AWAITING_HUMAN_INPUT, or nothing (`quiet`, where the jurisdiction or the destination is open). */
  whenUndeclared: "lower" | "info" | "ask" | "quiet";
  /** Every finding is for a person to decide. */
  needsHuman: boolean;
  /** How it is judged. */
  checkKind: string;
  precedents: Precedent[];
};

export type RuleExampleList = List<RuleExamples>;

export type RuleExamples = {
  code: string;
  /** Texts that the rule finds something in. */
  fails: string[];
  /** Texts that it leaves alone. */
  passes: string[];
};

export type RulePage = Page<Rule> & {
  sidekickId: string;
};

export type SearchHit = {
  /** Seen in the picture, said, captioned, or written in a document. */
  source: "screen" | "speech" | "caption" | "document";
  /** The line, segment or cue that holds the words; two where they run on. */
  text: string;
  startSeconds: number | null;
  endSeconds: number | null;
  page: number | null;
  /** In fractions of the frame or page, from the top left. */
  region: Region | null;
};

export type SearchHitPage = Page<SearchHit>;

export type SecondReading = {
  readingId: string;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  model: string;
  /** Changes whenever the prompt does. */
  promptVersion: string;
  /** `refused`: the answer had not the form that was asked for, and nothing of it is used. `unavailable`: no answer in time. `over_budget`: not asked, the workspace has used its tokens of the day. */
  outcome: "used" | "refused" | "unavailable" | "over_budget";
  /** What was not used, and why. */
  detail: string | null;
  /** What the model was told of the asset. */
  request: string;
  /** Frames it was shown; 0 unless the workspace allows media. */
  imageCount: number;
  /** What it said, word for word. Not checked by anybody. */
  answer: string | null;
  tokens: number;
  durationMs: number;
};

export type SecondReadingPage = Page<SecondReading>;

export type Session = {
  sessionId: string;
  isCurrent: boolean;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  lastSeenAt: string;
  userAgent: string | null;
  address: string | null;
};

export type SessionList = List<Session>;

export type Setup = {
  /** What stands behind the `=` of the link. */
  token: string;
  email: string;
  name: string;
  /** At least 12 characters. */
  password?: string | null;
};

export type Sidekick = {
  /** Never changes. */
  sidekickId: string;
  name: string;
  description: string;
  /** Empty: everywhere. */
  jurisdictions: string[];
  mediaKinds: string[];
  packVersion: string;
  ruleCount: number;
  /** Runs when a submission names no sidekicks. */
  isDefault: boolean;
};

export type SidekickPage = Page<Sidekick>;

export type SignIn = {
  email: string;
  password: string;
};

export type SignInOptions = {
  passwords: boolean;
  oidc: {
    name: string;
    /** Send the browser there. */
    url: string;
  } | null;
};

export type Submission = {
  submissionId: string;
  workflowId: string;
  workspaceId: string;
  /** `complete` and `failed` are terminal: stop polling there. */
  status: SubmissionStatus;
  /** 100 exactly when complete. */
  progressPercent: number;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  completedAt: string | null;
  errorMessage: string | null;
  assets: AssetStatus[];
  isRetryable: boolean;
  mode: Mode;
  /** What the creator sent, echoed. */
  metadata: Record<string, unknown> | null;
  sidekickIds: string[];
};

export type SubmissionCreated = {
  submissionId: string;
  /** Finds the work in the queue and in the logs. */
  workflowId: string;
  /** Listen to it at `GET /api/integrations/realtime/{channel}`. */
  realtimeChannel: string;
  /** `complete` and `failed` are terminal: stop polling there. */
  status: SubmissionStatus;
  assets: {
    assetId: string;
    versionGroupId: string;
    versionNumber: number;
  }[];
};

export type SubmissionPage = Page<Submission>;

export type Super = {
  /** As it was read. */
  text: string;
  /** Its first frame; null in a still picture. */
  startSeconds: number | null;
  /** Where it is over; null in a still picture. */
  endSeconds: number | null;
  /** Height of a capital letter or figure, in lines of the original frame. */
  heightLines: number;
  /** Letters against what is behind them, 1 to 21, where it was least. */
  contrastRatio: number | null;
  /** In fractions of the frame or page, from the top left. */
  region: Region | null;
  /** The height as a share of the frame's. */
  heightShare: number;
  /** It scrolls or crawls; the region is all that it passed through. */
  isMoving: boolean;
  /** How sure the reader was, 0 to 1. */
  confidence: number;
  /** It is the content of a QR code; left out otherwise. */
  isCode: boolean;
};

export type TestWebhook = {
  eventType: EventType;
};

export type TextTrial = {
  text: string;
  /** Where it is. Left out: written. */
  on?: "document" | "screen" | "speech" | null;
  jurisdictions?: string[];
  sector?: string | null;
  channel?: string | null;
  audience?: string | null;
};

export type TextTrialResult = {
  findings: {
    ruleCode: string;
    summary: string;
    severity: Severity;
    sidekickName: string;
    recommendation: string;
    quote: string | null;
  }[];
};

export type Topic = {
  topicId: string;
  title: string;
  summary: string;
  severity: Severity;
  issueCount: number;
  issueIds: string[];
  ruleCodes: string[];
};

export type Topics = {
  assetId: string;
  topics: Topic[];
  orphanIssues: CompactIssue[];
  metadata: {
    algorithm: string;
    algorithmVersion: string;
    /** ISO 8601, UTC, with milliseconds. */
    generatedAt: string;
    totalIssues: number;
    clusteredIssueCount: number;
    orphanIssueCount: number;
  };
};

export type TranscriptPage = Page<TranscriptSegment>;

export type TranscriptSegment = {
  startSeconds: number;
  endSeconds: number;
  text: string;
  confidence: number;
  /** The words are a guess (another language, singing, noise): no rule judges them. */
  isDoubtful: boolean;
};

export type UpcomingRules = List<{
  ruleCode: string;
  summary: string;
  severity: Severity;
  /** The first day on which the rule applies. */
  from: string;
  sidekickId: string;
  citation: Citation | null;
  /** Assets that will break it. */
  assetCount: number;
  /** The newest hundred of them. */
  assets: {
    submissionId: string;
    assetId: string;
    filename: string;
    severity: Severity;
    summary: string;
  }[];
}> & {
  today: string;
  /** Complete assets of the workspace, counted up to 10,000. */
  assetCount: number;
  /** Those that were judged: the newest 2,000 of which evidence is kept. About the others nothing is said. */
  judgedCount: number;
};

export type UploadUrl = UploadUrlRenewal & {
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt: string;
};

export type UploadUrlRenewal = {
  /** As the first answer gave it. */
  blobPath: string;
  /** As the first answer, or the last renewal, gave it. */
  uploadUrl: string;
};

export type UploadUrlRequest = {
  /** One plain path segment; its extension must fit the content type. */
  filename: string;
  /** The MIME type of the file, one of the allowlist. */
  contentType: string;
};

export type Usage = List<UsageWeek>;

export type UsageWeek = {
  /** Its Monday, like `2026-11-09`. */
  week: string;
  /** Analysed to their end. */
  assets: number;
  failed: number;
  /** Of all of them. */
  sizeBytes: number;
  /** Of film and sound, where renditions are made; one decimal. */
  minutes: number;
  /** Taken. 0 where the workspace is not metered. */
  credits: number;
};

export type Verdicts = {
  submissionId: string;
  assetId: string;
  markets: {
    market: string;
    name: string;
    verdict: "blocked" | "changes_needed" | "needs_human" | "not_assessed" | "conditional" | "clear_with_notes" | "clear";
    /** What it is cleared under, like `post_watershed`. */
    conditions: string[];
    coverage: {
      /** Rules of the place that were judged, those of the EU in its member states. */
      placeRules: number;
      /** Of them the country's own: those that name it alone or with two others at most. */
      ownRules: number;
      minimumRules: number;
      /** False: too few rules to call anything clear. */
      isSufficient: boolean;
      /** True: the country's own codes are hardly covered. */
      isThin: boolean;
    };
    /** Rules of the market that need what was not gathered when the asset was analysed. */
    unjudgedRules: string[];
    findings: {
      /** That of the asset's issue, where it has the same. */
      fingerprint: string;
      ruleCode: string;
      severity: Severity;
      summary: string;
      needsHuman: boolean;
      /** False: resolved or dismissed. */
      isOpen: boolean;
      /** Null: the asset has no such issue. */
      status: IssueStatus | null;
      conditions: string[];
    }[];
  }[];
  /** What to change first: the fixes that unlock most markets. */
  fixes: {
    fingerprint: string;
    ruleCode: string;
    severity: Severity;
    summary: string;
    recommendation: string;
    /** Markets that it keeps from being cleared. */
    markets: string[];
    /** Of them those where nothing else does. */
    unlocks: string[];
  }[];
  /** The open findings of all markets as topics, and where each is open. */
  topics: {
    title: string;
    severity: Severity;
    markets: {
      market: string;
      severity: Severity;
      count: number;
    }[];
  }[];
};

export type Verification = {
  /** `UNTRUSTED`: no key of this service signed it, or it was changed. */
  trust: "VALID" | "EXPIRED" | "REVOKED" | "UNTRUSTED";
  reason: string | null;
  /** `IDENTICAL`: byte for byte what was cleared. `NOT_IDENTICAL`: other bytes; with an `assetId`, `content` says whether they show the same. Null: no file was named, or the certificate cannot be trusted. */
  file: "IDENTICAL" | "NOT_IDENTICAL" | null;
  supersededBy: string | null;
  /** The run of `POST /rejudge` that gave the certified asset another result. */
  supersededByRejudge: string | null;
  /** How the asset compares with what was cleared. Null without an `assetId`. */
  content: ContentComparison | null;
  statement: Record<string, unknown> | null;
};

export type VerifyCertificate = {
  envelope?: CertificateEnvelope;
  certificateId?: string | null;
  sha256?: string | null;
  assetId?: string | null;
};

export type Version = {
  versionGroupId: string;
  versionNumber: number;
  submissionId: string;
  assetId: string;
  filename: string;
  /** `complete` and `failed` are terminal: stop polling there. */
  status: SubmissionStatus;
  issueCount: number | null;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  completedAt: string | null;
  isLatest: boolean;
  /** Against the highest lower version that is complete. Null in the sandbox: nothing was analysed. */
  diff: {
    new: number;
    fixed: number;
    persisting: number;
  } | null;
};

export type Versions = {
  submissionId: string;
  versions: Version[];
};

export type Waveform = {
  durationSeconds: number;
  /** At most 2,000 numbers from 0 to 1 (full scale) at even times, each the highest of its stretch. */
  peaks: number[];
};

export type WebhookDelivery = {
  deliveryId: string;
  /** The `webhook-id` of every attempt. */
  eventId: string;
  eventType: EventType;
  subscriptionId: string;
  /** `pending`: to be sent now, or waiting while the subscription is inactive. `failed`: the last attempt failed and another follows at `nextAttemptAt`. `exhausted`: nothing more is tried; replay it or recover the span of time. `succeeded`: answered 2xx. */
  status: DeliveryStatus;
  /** Attempts made so far. */
  attempt: number;
  /** Null: there was no answer. */
  responseStatusCode: number | null;
  /** What went wrong, in words: `connection refused`, `certificate expired`, `answered 500 in 120 ms`, `no answer within 15 s`. Null when it succeeded. */
  error: string | null;
  /** The first 4 KiB of the last answer, not decompressed. Null when there was none, or when the receiver is in a private network that the operator allowed. */
  responseBody: string | null;
  durationMs: number | null;
  /** The last 20 attempts, oldest first. */
  attempts: DeliveryAttempt[];
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  lastAttemptAt: string | null;
  /** Null: nothing more is tried. While an attempt runs: when it is made again if its outcome should get lost. */
  nextAttemptAt: string | null;
};

export type WebhookDeliveryPage = Page<WebhookDelivery>;

export type WebhookDeliveryWithPayload = WebhookDelivery & {
  /** The body as it was signed and sent: JSON, every byte as it is. */
  payload: string;
};

export type WebhookSubscription = {
  subscriptionId: string;
  url: string;
  eventTypes: EventType[];
  isActive: boolean;
  description: string | null;
  /** The custom headers; values that look like credentials are shown as `…`. */
  headers: Record<string, string>;
  /** Why the service made it inactive: the receiver answered 410, or five days of nothing but failures. */
  disabledReason: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  updatedAt: string;
};

export type WebhookSubscriptionChanges = {
  /** Where events are posted to: https, no credentials in it, and nothing private: neither an address nor, when it is delivered to, a name that resolves to one. Ports of other protocols (25, 6379 and the like) are refused. */
  url?: string | null;
  /** The events it receives. `asset.review.decided` is sent when somebody decides about an asset: its ids, `decision`, `reason`, `conditions`, `markets` and `decided_by`. `asset.rejudged` is sent when `POST /rejudge` replaced an asset's result: its ids and how many findings are new, gone and changed. `certificate.issued` and `certificate.revoked` tell of certificates. */
  eventTypes?: EventType[] | null;
  /** For people. An empty text removes it. */
  description?: string | null;
  /** False pauses: deliveries wait, and events that happen meanwhile are not queued (see recover). */
  isActive?: boolean | null;
  /** Sent with every delivery, for example for a gateway in front of the receiver: at most 20 and 4 KiB together, and none that the service sets itself (`content-type`, `user-agent`, `webhook-…`, those of the connection). They are stored encrypted. */
  headers?: Record<string, string> | null;
};

export type WebhookSubscriptionPage = Page<WebhookSubscription>;

export type WebhookSubscriptionWithSecret = WebhookSubscription & {
  /** `whsec_…`: verify signatures with it. Shown only here; keep it. */
  secret: string;
};

export type Workspace = WorkspaceChoice & {
  name: string;
  plan: string;
  /** Null: not metered. */
  creditBalance: number | null;
  /** The sidekicks of submissions that name none. Null: the common default. */
  defaultSidekickIds: string[] | null;
  /** Default context of the rules, where a submission declares none. */
  defaultContext: Context | null;
  reviewRules: ReviewRules;
  /** The markets that verdicts are given for where none are named. Null: all of them. */
  markets: string[] | null;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
};

export type WorkspaceChange = {
  /** The sidekicks of submissions that name none. Null: the common default. */
  defaultSidekickIds?: string[] | null;
  /** Default context of the rules, where a submission declares none. */
  defaultContext?: Context | null;
  reviewRules?: ReviewRulesChange;
  /** The markets that verdicts are given for where none are named. Null: all of them. */
  markets?: string[] | null;
};

export type WorkspaceChoice = {
  workspaceId: string;
};

export type List<Item> = { data: Item[] };

/** A part of a long list. */
export type Page<Item> = List<Item> & {
  hasMore: boolean;
  /** For the next page; null on the last one. */
  nextCursor: string | null;
};

export type NoFields = { [name in never]: never };

export type SubmissionPath = {
  submission_id: string;
};

export type AssetPath = {
  submission_id: string;
  asset_id: string;
};

export type IssuePath = {
  submission_id: string;
  asset_id: string;
  issue_id: string;
};

export type CommentPath = {
  submission_id: string;
  asset_id: string;
  comment_id: string;
};

export type WebhookPath = {
  subscription_id: string;
};

export type DeliveryPath = {
  subscription_id: string;
  delivery_id: string;
};

export type PageQuery = {
  limit?: number | null;
  cursor?: string | null;
};

export type Operation<Result = undefined, Params = NoFields, Body = undefined, Query = NoFields> = {
  params: Params;
  query: Query;
  body: Body;
  result: Result;
};

/** Every operation of the API: what it answers and what goes into it. */
export type Operations = {
  /** Get a presigned URL to upload a file of any size. */
  createUploadUrl: Operation<UploadUrl, NoFields, UploadUrlRequest>;
  /** Renew a presigned URL for an upload that takes longer. */
  renewUploadUrl: Operation<UploadUrl, NoFields, UploadUrlRenewal>;
  /** Upload a file of up to 10 MB in one request. */
  uploadDirectly: Operation<DirectUpload, NoFields, DirectUploadRequest>;
  /** Create a submission of one or more uploaded files. */
  createSubmission: Operation<SubmissionCreated, NoFields, NewSubmission, {
    /** Sandbox keys only: how long the simulated processing takes. */
    simulationDelaySeconds?: number | null;
  }>;
  /** List submissions, newest first. */
  listSubmissions: Operation<SubmissionPage, NoFields, undefined, PageQuery & {
    /** `complete` and `failed` are terminal: stop polling there. */
    status?: SubmissionStatus | null;
  }>;
  /** Read the status of a submission. */
  readSubmission: Operation<Submission, SubmissionPath>;
  /** Delete a submission. */
  deleteSubmission: Operation<undefined, SubmissionPath>;
  /** Retry a failed asset. */
  retryAsset: Operation<SubmissionCreated, AssetPath, {
    /** For the log. */
    reason?: string | null;
  } | null | undefined>;
  /** List all versions of the submission's assets. */
  readVersions: Operation<Versions, SubmissionPath>;
  /** Read one asset with its issues. */
  readAsset: Operation<AssetResult, AssetPath>;
  /** Read the issues of an asset in full. */
  readIssues: Operation<IssuePage, AssetPath, undefined, PageQuery & {
    severity?: Severity | null;
    status?: IssueStatus | null;
    ruleCode?: string | null;
    sidekickId?: string | null;
  }>;
  /** Report an issue that no rule found. */
  reportIssue: Operation<Issue, AssetPath, NewIssue>;
  /** Read one issue with the history of its status. */
  readIssue: Operation<IssueWithHistory, IssuePath>;
  /** Decide about an issue. */
  changeIssueStatus: Operation<Issue, IssuePath, IssueDecision>;
  /** See the frame of an issue. */
  readIssueFrame: Operation<Response, IssuePath>;
  /** Read the issues of an asset as topics. */
  readTopics: Operation<Topics, AssetPath>;
  /** Compare an asset with the version before. */
  readDiff: Operation<Diff, AssetPath>;
  /** Read what was measured. */
  readMeasurements: Operation<Measurements, AssetPath>;
  /** Read what is said. */
  readTranscript: Operation<TranscriptPage, AssetPath, undefined, PageQuery>;
  /** Read what the language model was asked and said. */
  listSecondReadings: Operation<SecondReadingPage, AssetPath, undefined, PageQuery>;
  /** Find where words are seen or said. */
  searchAsset: Operation<SearchHitPage, AssetPath, undefined, PageQuery & {
    /** The words. Left out: everything that was read or heard. */
    q?: string | null;
  }>;
  /** Download the file that was analysed. */
  readOriginal: Operation<undefined, AssetPath>;
  /** See what of an asset can be shown. */
  readRenditions: Operation<Renditions, AssetPath>;
  /** Play or show the asset in a browser. */
  readMedia: Operation<Response, AssetPath>;
  /** See one picture of the asset. */
  readPoster: Operation<Response, AssetPath>;
  /** See the asset as a small picture. */
  readThumbnail: Operation<Response, AssetPath>;
  /** See a film as small pictures. */
  readFilmstrip: Operation<Response, AssetPath>;
  /** Draw the sound of the asset. */
  readWaveform: Operation<Waveform, AssetPath>;
  /** Read a page of a document. */
  readPage: Operation<Response, {
    submission_id: string;
    asset_id: string;
    /** From 1. */
    page_number: string;
  }>;
  /** Read what is kept for judging the asset again. */
  readEvidence: Operation<KeptEvidence, AssetPath>;
  /** Download the kept evidence. */
  downloadEvidence: Operation<Response, AssetPath>;
  /** Download the print of the file. */
  downloadPrint: Operation<Response, AssetPath>;
  /** Judge assets again by the rules of today. */
  createRejudge: Operation<Rejudge, NoFields, CreateRejudge | undefined>;
  /** Read how far a run is and what it found. */
  readRejudge: Operation<Rejudge, {
    rejudge_id: string;
  }>;
  /** List the differences that a run found. */
  listRejudgeChanges: Operation<RejudgeChangePage, {
    rejudge_id: string;
  }, undefined, PageQuery & {
    ruleCode?: string | null;
    change?: "new" | "gone" | "changed" | null;
  }>;
  /** Export the differences that a run found as CSV. */
  exportRejudge: Operation<Response, {
    rejudge_id: string;
  }>;
  /** List rules that come into force later, and the assets that will break them. */
  readUpcoming: Operation<UpcomingRules>;
  /** List the markets. */
  listMarkets: Operation<MarketList>;
  /** Read what each market would say about the asset. */
  readVerdicts: Operation<Verdicts, AssetPath, undefined, {
    /** Names of markets with commas between them, or `all`. Left out: those of the workspace (`PATCH /workspace`), which are all unless an admin chose some. */
    markets?: string | null;
    /** `summary` leaves `findings` of each market empty; `full` by default. */
    detail?: "full" | "summary" | null;
  }>;
  /** List the sidekicks. */
  listSidekicks: Operation<SidekickPage, NoFields, undefined, PageQuery>;
  /** List the rules of a sidekick. */
  listRules: Operation<RulePage, {
    sidekick_id: string;
  }, undefined, PageQuery>;
  /** Fire made-up webhook events. */
  fireSandboxEvents: Operation<Fired, NoFields, FireEvents>;
  /** List reviews: the queue. */
  listReviews: Operation<ReviewPage, NoFields, undefined, PageQuery & {
    /** Comma-separated: awaiting_review, in_review, changes_requested, approved, approved_with_conditions, rejected, escalated, withdrawn. */
    state?: string | null;
    /** `me`, `none`, or a person's id. */
    assignee?: string | null;
    /** The highest severity of its open issues. */
    severity?: Severity | "NONE" | null;
    market?: string | null;
    /** Words of the filename. The last one may be begun only, unless something follows it, like a space. */
    q?: string | null;
    order?: "newest" | "oldest" | null;
  }>;
  /** Read the review of an asset. */
  readReview: Operation<ReviewWithDecisions, AssetPath>;
  /** Assign a review, or set when it is due. */
  changeReview: Operation<ReviewWithDecisions, AssetPath, ReviewChange | undefined>;
  /** Claim a review while you work on it. */
  claimReview: Operation<ReviewWithDecisions, AssetPath>;
  /** Release a review that you claimed. */
  releaseReview: Operation<undefined, AssetPath>;
  /** Decide about an asset. */
  decideReview: Operation<ReviewDecision, AssetPath, NewReviewDecision>;
  /** List the comments of an asset. */
  listComments: Operation<CommentPage, AssetPath, undefined, PageQuery>;
  /** Comment on an asset. */
  createComment: Operation<Comment, AssetPath, NewComment>;
  /** Change a comment, or resolve its thread. */
  changeComment: Operation<Comment, CommentPath, CommentChange | undefined>;
  /** Delete a comment. */
  deleteComment: Operation<undefined, CommentPath>;
  /** Decide about many issues at once. */
  decideIssues: Operation<IssueDecisionsResult, AssetPath, IssueDecisions>;
  /** List certificates, newest first. */
  listCertificates: Operation<CertificatePage, NoFields, undefined, PageQuery & {
    assetId?: string | null;
  }>;
  /** Certify an approved asset. */
  issueCertificate: Operation<Certificate, AssetPath, IssueCertificate | undefined>;
  /** Read a certificate and whether it still holds. */
  readCertificate: Operation<Certificate, {
    certificate_id: string;
  }>;
  /** Revoke a certificate. */
  revokeCertificate: Operation<Certificate, {
    certificate_id: string;
  }, RevokeCertificate>;
  /** Verify a certificate, and that a file is what it clears. */
  verifyCertificate: Operation<Verification, NoFields, VerifyCertificate | undefined>;
  /** List what was changed, by whom and when. */
  listAudit: Operation<AuditPage, NoFields, undefined, PageQuery & {
    action?: string | null;
    actorId?: string | null;
    targetId?: string | null;
  }>;
  /** Export the whole audit. */
  exportAudit: Operation<Response, NoFields, undefined, {
    format?: "ndjson" | "csv" | null;
  }>;
  /** Subscribe to events. */
  createWebhook: Operation<WebhookSubscriptionWithSecret, NoFields, NewWebhookSubscription>;
  /** List subscriptions, newest first. */
  listWebhooks: Operation<WebhookSubscriptionPage, NoFields, undefined, PageQuery>;
  /** Read a subscription. */
  readWebhook: Operation<WebhookSubscription, WebhookPath>;
  /** Change, pause or resume a subscription. */
  updateWebhook: Operation<WebhookSubscription, WebhookPath, WebhookSubscriptionChanges | undefined>;
  /** Delete a subscription. */
  deleteWebhook: Operation<undefined, WebhookPath>;
  /** Send a test event. */
  testWebhook: Operation<WebhookDelivery, WebhookPath, TestWebhook>;
  /** Get a new secret. */
  rotateWebhookSecret: Operation<RotatedWebhookSubscription, WebhookPath, RotateSecret | undefined>;
  /** Read the delivery history, newest first. */
  listWebhookDeliveries: Operation<WebhookDeliveryPage, WebhookPath, undefined, PageQuery & {
    /** `pending`: to be sent now, or waiting while the subscription is inactive. `failed`: the last attempt failed and another follows at `nextAttemptAt`. `exhausted`: nothing more is tried; replay it or recover the span of time. `succeeded`: answered 2xx. */
    status?: DeliveryStatus | null;
  }>;
  /** Read one delivery. */
  readWebhookDelivery: Operation<WebhookDeliveryWithPayload, DeliveryPath>;
  /** Send a delivery again. */
  replayWebhookDelivery: Operation<WebhookDelivery, DeliveryPath>;
  /** Send what a subscription missed in a span of time. */
  recoverWebhookDeliveries: Operation<RecoveredDeliveries, WebhookPath, RecoverDeliveries>;
  /** Follow a submission or a workspace as it happens. */
  openChannel: Operation<Response, RealtimeTokenRequest, undefined, {
    /** For clients that cannot set `Last-Event-ID`, which goes before it. */
    lastEventId?: string;
    /** Instead of X-API-Key, from `POST /api/integrations/realtime/token`. */
    token?: string;
  }>;
  /** Get a token that lets a page follow a channel. */
  createRealtimeToken: Operation<RealtimeToken, NoFields, RealtimeTokenRequest>;
  /** Read the limits of this key. */
  readLimits: Operation<Limits>;
  /** Read how people can sign in here. */
  readSignInOptions: Operation<SignInOptions>;
  /** Make the first admin. */
  setUp: Operation<Me, NoFields, Setup>;
  /** Sign in with a password. */
  signIn: Operation<Me, NoFields, SignIn>;
  /** Choose the workspace of this session. */
  chooseWorkspace: Operation<Me, NoFields, WorkspaceChoice>;
  /** Sign out. */
  signOut: Operation;
  /** Begin single sign-on. */
  beginSingleSignOn: Operation;
  /** Finish single sign-on. */
  finishSingleSignOn: Operation;
  /** Read who is signed in. */
  readMe: Operation<Me>;
  /** Change your name. */
  changeMe: Operation<Me, NoFields, MeChange>;
  /** Change your password. */
  changePassword: Operation<undefined, NoFields, PasswordChange>;
  /** List your sessions. */
  listSessions: Operation<SessionList>;
  /** End one of your sessions. */
  endSession: Operation<undefined, {
    session_id: string;
  }>;
  /** Set a new password by a reset link. */
  resetPassword: Operation<undefined, NoFields, PasswordReset>;
  /** List the people of the workspace. */
  listPeople: Operation<MemberList>;
  /** Change a person's role in the workspace. */
  changePerson: Operation<Member, {
    person_id: string;
  }, MemberChange | undefined>;
  /** Remove a person from the workspace. */
  removePerson: Operation<undefined, {
    person_id: string;
  }>;
  /** Make a link that sets a new password. */
  createResetLink: Operation<ResetLink, {
    person_id: string;
  }>;
  /** List invitations that nobody has used yet. */
  listInvitations: Operation<InvitationList>;
  /** Invite somebody into the workspace. */
  createInvitation: Operation<InvitationWithLink, NoFields, NewInvitation>;
  /** Join a workspace by an invitation. */
  acceptInvitation: Operation<Me, NoFields, InvitationAcceptance>;
  /** Withdraw an invitation. */
  deleteInvitation: Operation<undefined, {
    invitation_id: string;
  }>;
  /** List the API keys of the workspace. */
  listKeys: Operation<KeyList>;
  /** Create an API key. */
  createKey: Operation<KeyWithSecret, NoFields, NewKey>;
  /** Revoke an API key. */
  revokeKey: Operation<undefined, {
    key_id: string;
  }>;
  /** Read the workspace and its defaults. */
  readWorkspace: Operation<Workspace>;
  /** Change the defaults, the markets and the review rules of the workspace. */
  changeWorkspace: Operation<Workspace, NoFields, WorkspaceChange | undefined>;
  /** List examples of the rules. */
  listRuleExamples: Operation<RuleExampleList>;
  /** Try a text against all rules. */
  tryText: Operation<TextTrialResult, NoFields, TextTrial>;
  /** Read what was analysed, week by week. */
  readUsage: Operation<Usage>;
};

/** Method and path of every operation, below `/api/integrations`. */
export const operations: Record<keyof Operations, string> = {
  createUploadUrl: "POST /uploads/url",
  renewUploadUrl: "POST /uploads/url/renew",
  uploadDirectly: "POST /uploads/direct",
  createSubmission: "POST /submissions",
  listSubmissions: "GET /submissions",
  readSubmission: "GET /submissions/{submission_id}",
  deleteSubmission: "DELETE /submissions/{submission_id}",
  retryAsset: "POST /submissions/{submission_id}/assets/{asset_id}/retry",
  readVersions: "GET /submissions/{submission_id}/versions",
  readAsset: "GET /submissions/{submission_id}/assets/{asset_id}",
  readIssues: "GET /submissions/{submission_id}/assets/{asset_id}/issues",
  reportIssue: "POST /submissions/{submission_id}/assets/{asset_id}/issues",
  readIssue: "GET /submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}",
  changeIssueStatus: "PATCH /submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}",
  readIssueFrame: "GET /submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}/frame",
  readTopics: "GET /submissions/{submission_id}/assets/{asset_id}/topics",
  readDiff: "GET /submissions/{submission_id}/assets/{asset_id}/diff",
  readMeasurements: "GET /submissions/{submission_id}/assets/{asset_id}/measurements",
  readTranscript: "GET /submissions/{submission_id}/assets/{asset_id}/transcript",
  listSecondReadings: "GET /submissions/{submission_id}/assets/{asset_id}/second-readings",
  searchAsset: "GET /submissions/{submission_id}/assets/{asset_id}/search",
  readOriginal: "GET /submissions/{submission_id}/assets/{asset_id}/original",
  readRenditions: "GET /submissions/{submission_id}/assets/{asset_id}/renditions",
  readMedia: "GET /submissions/{submission_id}/assets/{asset_id}/media",
  readPoster: "GET /submissions/{submission_id}/assets/{asset_id}/poster",
  readThumbnail: "GET /submissions/{submission_id}/assets/{asset_id}/thumbnail",
  readFilmstrip: "GET /submissions/{submission_id}/assets/{asset_id}/filmstrip",
  readWaveform: "GET /submissions/{submission_id}/assets/{asset_id}/waveform",
  readPage: "GET /submissions/{submission_id}/assets/{asset_id}/pages/{page_number}",
  readEvidence: "GET /submissions/{submission_id}/assets/{asset_id}/evidence",
  downloadEvidence: "GET /submissions/{submission_id}/assets/{asset_id}/evidence/content",
  downloadPrint: "GET /submissions/{submission_id}/assets/{asset_id}/print/content",
  createRejudge: "POST /rejudge",
  readRejudge: "GET /rejudge/{rejudge_id}",
  listRejudgeChanges: "GET /rejudge/{rejudge_id}/changes",
  exportRejudge: "GET /rejudge/{rejudge_id}/export",
  readUpcoming: "GET /upcoming",
  listMarkets: "GET /markets",
  readVerdicts: "GET /submissions/{submission_id}/assets/{asset_id}/verdicts",
  listSidekicks: "GET /sidekicks",
  listRules: "GET /sidekicks/{sidekick_id}/rules",
  fireSandboxEvents: "POST /sandbox/events/fire",
  listReviews: "GET /reviews",
  readReview: "GET /submissions/{submission_id}/assets/{asset_id}/review",
  changeReview: "PATCH /submissions/{submission_id}/assets/{asset_id}/review",
  claimReview: "POST /submissions/{submission_id}/assets/{asset_id}/review/claim",
  releaseReview: "DELETE /submissions/{submission_id}/assets/{asset_id}/review/claim",
  decideReview: "POST /submissions/{submission_id}/assets/{asset_id}/review/decisions",
  listComments: "GET /submissions/{submission_id}/assets/{asset_id}/comments",
  createComment: "POST /submissions/{submission_id}/assets/{asset_id}/comments",
  changeComment: "PATCH /submissions/{submission_id}/assets/{asset_id}/comments/{comment_id}",
  deleteComment: "DELETE /submissions/{submission_id}/assets/{asset_id}/comments/{comment_id}",
  decideIssues: "POST /submissions/{submission_id}/assets/{asset_id}/issues/decide",
  listCertificates: "GET /certificates",
  issueCertificate: "POST /submissions/{submission_id}/assets/{asset_id}/certificate",
  readCertificate: "GET /certificates/{certificate_id}",
  revokeCertificate: "POST /certificates/{certificate_id}/revoke",
  verifyCertificate: "POST /verify",
  listAudit: "GET /audit",
  exportAudit: "GET /audit/export",
  createWebhook: "POST /webhooks",
  listWebhooks: "GET /webhooks",
  readWebhook: "GET /webhooks/{subscription_id}",
  updateWebhook: "PATCH /webhooks/{subscription_id}",
  deleteWebhook: "DELETE /webhooks/{subscription_id}",
  testWebhook: "POST /webhooks/{subscription_id}/test",
  rotateWebhookSecret: "POST /webhooks/{subscription_id}/secret/rotate",
  listWebhookDeliveries: "GET /webhooks/{subscription_id}/deliveries",
  readWebhookDelivery: "GET /webhooks/{subscription_id}/deliveries/{delivery_id}",
  replayWebhookDelivery: "POST /webhooks/{subscription_id}/deliveries/{delivery_id}/replay",
  recoverWebhookDeliveries: "POST /webhooks/{subscription_id}/recover",
  openChannel: "GET /realtime/{channel}",
  createRealtimeToken: "POST /realtime/token",
  readLimits: "GET /limits",
  readSignInOptions: "GET /session/options",
  setUp: "POST /setup",
  signIn: "POST /session",
  chooseWorkspace: "PATCH /session",
  signOut: "DELETE /session",
  beginSingleSignOn: "GET /session/oidc",
  finishSingleSignOn: "GET /session/oidc/callback",
  readMe: "GET /me",
  changeMe: "PATCH /me",
  changePassword: "POST /me/password",
  listSessions: "GET /sessions",
  endSession: "DELETE /sessions/{session_id}",
  resetPassword: "POST /password-reset",
  listPeople: "GET /people",
  changePerson: "PATCH /people/{person_id}",
  removePerson: "DELETE /people/{person_id}",
  createResetLink: "POST /people/{person_id}/reset-link",
  listInvitations: "GET /invitations",
  createInvitation: "POST /invitations",
  acceptInvitation: "POST /invitations/accept",
  deleteInvitation: "DELETE /invitations/{invitation_id}",
  listKeys: "GET /keys",
  createKey: "POST /keys",
  revokeKey: "DELETE /keys/{key_id}",
  readWorkspace: "GET /workspace",
  changeWorkspace: "PATCH /workspace",
  listRuleExamples: "GET /rule-examples",
  tryText: "POST /rules/try",
  readUsage: "GET /usage",
};

/** Operations that take `Idempotency-Key`. */
export const idempotentOperations: ReadonlySet<string> = new Set([
  "createSubmission",
  "retryAsset",
  "createWebhook",
]);

/** Content types, and the extensions that usually mean them. */
export const contentTypes: Record<string, string> = {
  "video/mp4": "mp4 m4v",
  "video/quicktime": "mov qt",
  "video/webm": "webm",
  "video/x-matroska": "mkv mk3d",
  "video/x-msvideo": "avi",
  "video/mpeg": "mpg mpeg mpe m1v m2v m2p vob",
  "video/mp2t": "ts m2ts mts m2t",
  "application/mxf": "mxf",
  "audio/mpeg": "mp3 mp2 mpga",
  "audio/mp4": "m4a m4b",
  "audio/aac": "aac adts",
  "audio/wav": "wav wave bwf",
  "audio/ogg": "ogg oga opus spx",
  "audio/flac": "flac",
  "audio/webm": "weba",
  "image/jpeg": "jpg jpeg jpe jfif",
  "image/png": "png apng",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/tiff": "tif tiff",
  "image/avif": "avif avifs",
  "image/heic": "heic heif hif",
  "image/bmp": "bmp dib",
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "text/plain": "txt text",
  "text/markdown": "md markdown",
  "text/csv": "csv",
  "application/x-subrip": "srt",
  "text/vtt": "vtt",
};
