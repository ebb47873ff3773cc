import { Type } from "typebox";
import { roles } from "../../db/people-tables.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../schemas.ts";

export const RoleName = OneOf(roles, {
  description:
    "`viewer` reads; `reviewer` also uploads, submits, decides issues, comments and assigns; `approver` also decides assets and dismisses CRITICAL issues; `admin` also manages people, keys, webhooks and defaults.",
});

export const Email = Type.String({ minLength: 3, maxLength: 254, examples: ["ana@example.com"] });
export const PersonName = Type.String({ minLength: 1, maxLength: 100, examples: ["Ana Lima"] });
export const NewPassword = Type.String({ minLength: 1, maxLength: 1000, description: "At least 12 characters." });
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "What stands behind the `=` of the link.",
});

export const Markets = Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { maxItems: 100, uniqueItems: true });
export const MaybeMarkets = Type.Unsafe<string[] | null>({
  type: ["array", "null"],
  items: { type: "string", minLength: 1, maxLength: 40 },
  maxItems: 100,
  description:
    "The markets the role is limited to, like `UK`: decisions about all markets of an asset or issue must be among them, and one of them to report, claim or assign. Reading is not limited. Null: all.",
});

export const Me = Type.Object(
  {
    personId: Uuid,
    email: Type.String(),
    name: Type.String(),
    sessionId: Uuid,
    workspaceId: Nullable(Type.String({ description: "The workspace of this request." })),
    role: Nullable(OneOf(roles, { description: "The role in that workspace." })),
    markets: MaybeMarkets,
    mode: OneOf(["live", "sandbox"]),
    workspaces: Type.Array(
      Type.Object({
        workspaceId: Type.String(),
        name: Type.String(),
        role: RoleName,
        markets: MaybeMarkets,
      }),
    ),
  },
  { title: "Me" },
);

export const meExample = {
  personId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
  email: "ana@example.com",
  name: "Ana Lima",
  sessionId: "019a8c3e-6a01-7f11-8c0d-5a2b7c9e1f33",
  workspaceId: "ws_k3v5x2m7q4a6b2c3",
  role: "approver" as const,
  markets: null,
  mode: "live" as const,
  workspaces: [{ workspaceId: "ws_k3v5x2m7q4a6b2c3", name: "acme", role: "approver" as const, markets: null }],
};

export const Member = Type.Object(
  {
    personId: Uuid,
    email: Type.String(),
    name: Type.String(),
    role: RoleName,
    markets: MaybeMarkets,
    joinedAt: Timestamp,
    isDisabled: Type.Boolean({ description: "The operator closed the account." }),
    hasPassword: Type.Boolean({ description: "False: signs in by single sign-on only." }),
  },
  { title: "Member" },
);

export const memberExample = {
  personId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
  email: "ana@example.com",
  name: "Ana Lima",
  role: "approver" as const,
  markets: null,
  joinedAt: "2026-11-15T09:30:00.000Z",
  isDisabled: false,
  hasPassword: true,
};

export const Invitation = Type.Object(
  {
    invitationId: Uuid,
    email: Type.String(),
    role: RoleName,
    markets: MaybeMarkets,
    createdAt: Timestamp,
    expiresAt: Nullable(Timestamp),
  },
  { title: "Invitation" },
);

/** A link that is shown once. */
export const linkProperty = {
  url: Type.String({ format: "uri", description: "Works once. Shown only here: copy it and send it yourself." }),
};

export const SessionItem = Type.Object(
  {
    sessionId: Uuid,
    isCurrent: Type.Boolean(),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
    userAgent: Nullable(Type.String()),
    address: Nullable(Type.String()),
  },
  { title: "Session" },
);

export const Key = Type.Object(
  {
    keyId: Uuid,
    mode: OneOf(["live", "sandbox"]),
    name: Nullable(Type.String()),
    keyHint: Type.String({ description: "The beginning and the last four characters." }),
    createdAt: Timestamp,
    expiresAt: Nullable(Timestamp),
    revokedAt: Nullable(Timestamp),
    lastUsedAt: Nullable(Timestamp),
  },
  { title: "Key" },
);
