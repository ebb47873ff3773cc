import { Type, type Static } from "typebox";
import { Value } from "typebox/value";

/** What a certificate says: an in-toto Statement v1 about one file. */
export const Statement = Type.Object({
  _type: Type.Literal("https://in-toto.io/Statement/v1"),
  subject: Type.Tuple([Type.Object({ name: Type.String(), digest: Type.Object({ sha256: Type.String() }) })]),
  predicateType: Type.Literal("urn:greenlit:clearance:v1"),
  predicate: Type.Object({
    certificateId: Type.String(),
    number: Type.Integer(),
    wording: Type.String(),
    workspaceId: Type.String(),
    submissionId: Type.String(),
    assetId: Type.String(),
    versionGroupId: Type.String(),
    versionNumber: Type.Integer(),
    sizeBytes: Type.Integer(),
    decision: Type.Object({
      decision: Type.String(),
      reason: Type.Union([Type.String(), Type.Null()]),
      conditions: Type.Array(Type.String()),
      markets: Type.Array(Type.String()),
      decidedBy: Type.Object({
        kind: Type.String(),
        id: Type.String(),
        name: Type.Union([Type.String(), Type.Null()]),
        /** Of a person, when the certificate was issued. Earlier certificates name none. */
        role: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      }),
      decidedAt: Type.String(),
    }),
    context: Type.Unsafe<Record<string, unknown>>({ type: "object" }),
    engineVersion: Type.Optional(Type.String()),
    packs: Type.Array(Type.Object({ sidekickId: Type.String(), name: Type.String(), packVersion: Type.String() })),
    issueCounts: Type.Unsafe<Record<string, number>>({ type: "object" }),
    dismissals: Type.Array(
      Type.Object({
        ruleCode: Type.String(),
        ruleVersion: Type.String(),
        severity: Type.String(),
        fingerprint: Type.String(),
        reason: Type.Union([Type.String(), Type.Null()]),
        reasonCode: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    evidenceSha256: Type.Union([Type.String(), Type.Null()]),
    /** Of the print of the file, as it is downloaded. Earlier certificates name none. */
    printSha256: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    auditHead: Type.Union([Type.String(), Type.Null()]),
    issuedAt: Type.String(),
    expiresAt: Type.String(),
  }),
});
export type Statement = Static<typeof Statement>;

/** Undefined for a payload that is no certificate of ours. */
export function parseStatement(payload: string): Statement | undefined {
  try {
    const value: unknown = JSON.parse(payload);
    return Value.Check(Statement, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What a stored envelope of ours says; our own row needs no proof. */
export function statementOf(envelope: string): Statement {
  const { payload } = JSON.parse(envelope) as { payload: string };
  const statement = parseStatement(Buffer.from(payload, "base64").toString("utf8"));
  if (!statement) throw new Error("A stored certificate cannot be read.");
  return statement;
}

export const wording =
  "Cleared by the named people under the named rules. It records a decision; it is no legal guarantee.";
