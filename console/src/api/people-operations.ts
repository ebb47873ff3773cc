// Generated from the OpenAPI document by `npm run docs`. Do not edit.

export type ErrorBody = {
  error_code: "simulation_delay_needs_sandbox_key" | "malformed_http" | "unauthenticated" | "sign_in_failed" | "tier_not_authorized_for_integrations_api" | "invalid_filename" | "invalid_blob_path" | "sandbox_key_required" | "mode_mismatch" | "role_required" | "person_required" | "cross_site_request" | "passwords_off" | "market_not_allowed" | "not_found" | "asset_not_finished" | "asset_failed" | "frame_not_found" | "rendition_not_ready" | "no_rendition" | "link_not_valid" | "method_not_allowed" | "request_timeout" | "asset_not_failed" | "error_not_retryable" | "retry_limit_reached" | "retry_in_flight" | "idempotency_in_progress" | "person_exists" | "last_admin" | "review_claimed" | "review_state_not_allowed" | "open_critical_issues" | "own_upload" | "file_too_large" | "body_too_large" | "content_type_not_allowed" | "content_does_not_match_type" | "subscription_limit_reached" | "subscription_inactive" | "expectation_failed" | "invalid_request" | "idempotency_key_reused" | "headers_too_large" | "internal_error" | "unavailable" | "insufficient_storage";
  /** What happened and what to do. */
  message: string;
};

export type ValidationErrorBody = {
  error_code: "simulation_delay_needs_sandbox_key" | "malformed_http" | "unauthenticated" | "sign_in_failed" | "tier_not_authorized_for_integrations_api" | "invalid_filename" | "invalid_blob_path" | "sandbox_key_required" | "mode_mismatch" | "role_required" | "person_required" | "cross_site_request" | "passwords_off" | "market_not_allowed" | "not_found" | "asset_not_finished" | "asset_failed" | "frame_not_found" | "rendition_not_ready" | "no_rendition" | "link_not_valid" | "method_not_allowed" | "request_timeout" | "asset_not_failed" | "error_not_retryable" | "retry_limit_reached" | "retry_in_flight" | "idempotency_in_progress" | "person_exists" | "last_admin" | "review_claimed" | "review_state_not_allowed" | "open_critical_issues" | "own_upload" | "file_too_large" | "body_too_large" | "content_type_not_allowed" | "content_does_not_match_type" | "subscription_limit_reached" | "subscription_inactive" | "expectation_failed" | "invalid_request" | "idempotency_key_reused" | "headers_too_large" | "internal_error" | "unavailable" | "insufficient_storage";
  /** What happened and what to do. */
  message: string;
  details: {
    path: string;
    message: string;
  }[];
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

export type Invitation = {
  invitationId: string;
  email: string;
  /** `viewer` reads; `reviewer` also uploads, submits, decides issues, comments and assigns; `approver` also decides assets and dismisses CRITICAL issues; `admin` also manages people, keys, webhooks and defaults. */
  role: "viewer" | "reviewer" | "approver" | "admin";
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

export type InvitationList = {
  data: Invitation[];
};

export type InvitationWithLink = {
  invitationId: string;
  email: string;
  /** `viewer` reads; `reviewer` also uploads, submits, decides issues, comments and assigns; `approver` also decides assets and dismisses CRITICAL issues; `admin` also manages people, keys, webhooks and defaults. */
  role: "viewer" | "reviewer" | "approver" | "admin";
  /** The markets the role is limited to, like `UK`: decisions about all markets of an asset or issue must be among them, and one of them to report, claim or assign. Reading is not limited. Null: all. */
  markets: string[] | null;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt: string | null;
  /** Works once. Shown only here: copy it and send it yourself. */
  url: string;
};

export type Key = {
  keyId: string;
  mode: "live" | "sandbox";
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

export type KeyList = {
  data: Key[];
};

export type KeyWithSecret = {
  keyId: string;
  mode: "live" | "sandbox";
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
  /** Shown only here; keep it. */
  key: string;
};

export type Me = {
  personId: string;
  email: string;
  name: string;
  sessionId: string;
  /** The workspace of this request. */
  workspaceId: string | null;
  /** The role in that workspace. */
  role: "viewer" | "reviewer" | "approver" | "admin" | null;
  /** The markets the role is limited to, like `UK`: decisions about all markets of an asset or issue must be among them, and one of them to report, claim or assign. Reading is not limited. Null: all. */
  markets: string[] | null;
  mode: "live" | "sandbox";
  workspaces: {
    workspaceId: string;
    name: string;
    /** `viewer` reads; `reviewer` also uploads, submits, decides issues, comments and assigns; `approver` also decides assets and dismisses CRITICAL issues; `admin` also manages people, keys, webhooks and defaults. */
    role: "viewer" | "reviewer" | "approver" | "admin";
    /** The markets the role is limited to, like `UK`: decisions about all markets of an asset or issue must be among them, and one of them to report, claim or assign. Reading is not limited. Null: all. */
    markets: string[] | null;
  }[];
};

export type MeChange = {
  name: string;
};

export type Member = {
  personId: string;
  email: string;
  name: string;
  /** `viewer` reads; `reviewer` also uploads, submits, decides issues, comments and assigns; `approver` also decides assets and dismisses CRITICAL issues; `admin` also manages people, keys, webhooks and defaults. */
  role: "viewer" | "reviewer" | "approver" | "admin";
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
  role?: "viewer" | "reviewer" | "approver" | "admin" | null;
  /** The markets the role is limited to, like `UK`: decisions about all markets of an asset or issue must be among them, and one of them to report, claim or assign. Reading is not limited. Null: all. */
  markets?: string[] | null;
};

export type MemberList = {
  data: Member[];
};

export type NewInvitation = {
  email: string;
  /** `viewer` reads; `reviewer` also uploads, submits, decides issues, comments and assigns; `approver` also decides assets and dismisses CRITICAL issues; `admin` also manages people, keys, webhooks and defaults. */
  role: "viewer" | "reviewer" | "approver" | "admin";
  /** The markets the role is limited to, like `UK`: decisions about all markets of an asset or issue must be among them, and one of them to report, claim or assign. Reading is not limited. Null: all. */
  markets?: string[] | null;
};

export type NewKey = {
  mode: "live" | "sandbox";
  /** What it is for. */
  name?: string | null;
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt?: string | null;
};

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

export type ResetLink = {
  /** Works once. Shown only here: copy it and send it yourself. */
  url: string;
  /** ISO 8601, UTC, with milliseconds. */
  expiresAt: string | null;
};

export type ReviewRules = {
  /** Whoever submitted an asset may not approve it. */
  uploaderMayNotApprove: boolean;
  /** A CRITICAL issue is dismissed only once a second person, an approver, agrees. */
  secondPersonForCritical: boolean;
  /** No approval while a CRITICAL issue is neither resolved nor dismissed. */
  openCriticalBlocksApproval: boolean;
  /** An approval needs a person; an API key alone may not. */
  keyMayNotApprove: boolean;
};

export type ReviewRulesChange = {
  /** Whoever submitted an asset may not approve it. */
  uploaderMayNotApprove?: boolean;
  /** A CRITICAL issue is dismissed only once a second person, an approver, agrees. */
  secondPersonForCritical?: boolean;
  /** No approval while a CRITICAL issue is neither resolved nor dismissed. */
  openCriticalBlocksApproval?: boolean;
  /** An approval needs a person; an API key alone may not. */
  keyMayNotApprove?: boolean;
};

export type RuleExampleList = {
  data: RuleExamples[];
};

export type RuleExamples = {
  code: string;
  /** Texts that the rule finds something in. */
  fails: string[];
  /** Texts that it leaves alone. */
  passes: string[];
};

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

export type SessionList = {
  data: Session[];
};

export type Setup = {
  /** What stands behind the `=` of the link. */
  token: string;
  email: string;
  name: string;
  /** At least 12 characters. */
  password?: string | null;
};

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
    severity: "CRITICAL" | "MAJOR" | "MINOR" | "INFO";
    sidekickName: string;
    recommendation: string;
    quote: string | null;
  }[];
};

export type Usage = {
  data: UsageWeek[];
};

export type UsageWeek = {
  /** Its Monday, like `2026-11-09`. */
  week: string;
  /** Analysed to their end. */
  assets: number;
  failed: number;
  /** Of all of them. */
  sizeBytes: number;
  /** Taken. 0 where the workspace is not metered. */
  credits: number;
};

export type Workspace = {
  workspaceId: string;
  name: string;
  plan: string;
  /** Null: not metered. */
  creditBalance: number | null;
  /** The sidekicks of submissions that name none. Null: the common default. */
  defaultSidekickIds: string[] | null;
  /** What the rules are told when a submission does not say: `jurisdictions`, `sector`, `channel`, `audience`, `destination`, `brand`, `product`. */
  defaultContext: Record<string, unknown> | null;
  reviewRules: ReviewRules;
  /** ISO 8601, UTC, with milliseconds. */
  createdAt: string;
};

export type WorkspaceChange = {
  /** The sidekicks of submissions that name none. Null: the common default. */
  defaultSidekickIds?: string[] | null;
  /** What the rules are told when a submission does not say: `jurisdictions`, `sector`, `channel`, `audience`, `destination`, `brand`, `product`. */
  defaultContext?: Record<string, unknown> | null;
  reviewRules?: ReviewRulesChange;
};

export type WorkspaceChoice = {
  workspaceId: string;
};

export type NoFields = { [name in never]: never };

/** Every operation of the API: what goes into it and what it answers. */
export type Operations = {
  /** Read how people can sign in here. */
  readSignInOptions: {
    params: NoFields;
    query: NoFields;
    body: undefined;
    result: SignInOptions;
  };
  /** Make the first admin. */
  setUp: {
    params: NoFields;
    query: NoFields;
    body: Setup;
    result: Me;
  };
  /** Sign in with a password. */
  signIn: {
    params: NoFields;
    query: NoFields;
    body: SignIn;
    result: Me;
  };
  /** Choose the workspace of this session. */
  chooseWorkspace: {
    params: NoFields;
    query: NoFields;
    body: WorkspaceChoice;
    result: Me;
  };
  /** Sign out. */
  signOut: {
    params: NoFields;
    query: NoFields;
    body: undefined;
    result: undefined;
  };
  /** Begin single sign-on. */
  beginSingleSignOn: {
    params: NoFields;
    query: NoFields;
    body: undefined;
    result: undefined;
  };
  /** Finish single sign-on. */
  finishSingleSignOn: {
    params: NoFields;
    query: NoFields;
    body: undefined;
    result: undefined;
  };
  /** Read who is signed in. */
  readMe: {
    params: NoFields;
    query: NoFields;
    body: undefined;
    result: Me;
  };
  /** Change your name. */
  changeMe: {
    params: NoFields;
    query: NoFields;
    body: MeChange;
    result: Me;
  };
  /** Change your password. */
  changePassword: {
    params: NoFields;
    query: NoFields;
    body: PasswordChange;
    result: undefined;
  };
  /** List your sessions. */
  listSessions: {
    params: NoFields;
    query: NoFields;
    body: undefined;
    result: SessionList;
  };
  /** End one of your sessions. */
  endSession: {
    params: {
      session_id: string;
    };
    query: NoFields;
    body: undefined;
    result: undefined;
  };
  /** Set a new password by a reset link. */
  resetPassword: {
    params: NoFields;
    query: NoFields;
    body: PasswordReset;
    result: undefined;
  };
  /** List the people of the workspace. */
  listPeople: {
    params: NoFields;
    query: NoFields;
    body: undefined;
    result: MemberList;
  };
  /** Change a person's role in the workspace. */
  changePerson: {
    params: {
      person_id: string;
    };
    query: NoFields;
    body: MemberChange | undefined;
    result: Member;
  };
  /** Remove a person from the workspace. */
  removePerson: {
    params: {
      person_id: string;
    };
    query: NoFields;
    body: undefined;
    result: undefined;
  };
  /** Make a link that sets a new password. */
  createResetLink: {
    params: {
      person_id: string;
    };
    query: NoFields;
    body: undefined;
    result: ResetLink;
  };
  /** List invitations that nobody has used yet. */
  listInvitations: {
    params: NoFields;
    query: NoFields;
    body: undefined;
    result: InvitationList;
  };
  /** Invite somebody into the workspace. */
  createInvitation: {
    params: NoFields;
    query: NoFields;
    body: NewInvitation;
    result: InvitationWithLink;
  };
  /** Join a workspace by an invitation. */
  acceptInvitation: {
    params: NoFields;
    query: NoFields;
    body: InvitationAcceptance;
    result: Me;
  };
  /** Withdraw an invitation. */
  deleteInvitation: {
    params: {
      invitation_id: string;
    };
    query: NoFields;
    body: undefined;
    result: undefined;
  };
  /** List the API keys of the workspace. */
  listKeys: {
    params: NoFields;
    query: NoFields;
    body: undefined;
    result: KeyList;
  };
  /** Create an API key. */
  createKey: {
    params: NoFields;
    query: NoFields;
    body: NewKey;
    result: KeyWithSecret;
  };
  /** Revoke an API key. */
  revokeKey: {
    params: {
      key_id: string;
    };
    query: NoFields;
    body: undefined;
    result: undefined;
  };
  /** Read the workspace and its defaults. */
  readWorkspace: {
    params: NoFields;
    query: NoFields;
    body: undefined;
    result: Workspace;
  };
  /** Change the defaults and the review rules of the workspace. */
  changeWorkspace: {
    params: NoFields;
    query: NoFields;
    body: WorkspaceChange | undefined;
    result: Workspace;
  };
  /** List examples of the rules. */
  listRuleExamples: {
    params: NoFields;
    query: NoFields;
    body: undefined;
    result: RuleExampleList;
  };
  /** Try a text against all rules. */
  tryText: {
    params: NoFields;
    query: NoFields;
    body: TextTrial;
    result: TextTrialResult;
  };
  /** Read what was analysed, week by week. */
  readUsage: {
    params: NoFields;
    query: NoFields;
    body: undefined;
    result: Usage;
  };
};

/** Method and path of every operation, below `/api/integrations`. */
export const operations: Record<keyof Operations, string> = {
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
