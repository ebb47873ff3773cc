import { Type } from "typebox";
import {
  certificateStatuses,
  describeCertificate,
  findCertificate,
  revokeCertificate as revoke,
} from "../../certificates/certificate.ts";
import { issueCertificate as issue } from "../../certificates/issue-certificate.ts";
import { verifyByDatabase } from "../../certificates/verify-by-database.ts";
import { fileMatches, trustStates } from "../../certificates/verify-certificate.ts";
import { defineRoute, type Route } from "../route.ts";
import { Body, Maybe, Nullable, OneOf, Timestamp, Uuid } from "../schemas.ts";
import { AssetParams } from "../submissions/schemas.ts";

const usualDays = 365;
const Sha256 = Type.String({ pattern: "^[0-9a-fA-F]{64}$" });

const envelopeFields = {
  payloadType: Type.String({ maxLength: 200 }),
  payload: Type.String({ maxLength: 4_000_000, description: "An in-toto Statement v1, in base64." }),
  signatures: Type.Array(
    Type.Object({ keyid: Type.String({ maxLength: 200 }), sig: Type.String({ maxLength: 1000 }) }),
    { minItems: 1, maxItems: 20 },
  ),
};
const Envelope = Type.Object(envelopeFields, { title: "CertificateEnvelope" });

export const Certificate = Type.Object(
  {
    certificateId: Uuid,
    number: Type.Integer({ description: "Counts up by one in the workspace." }),
    submissionId: Uuid,
    assetId: Uuid,
    filename: Type.String(),
    sha256: Type.String({ description: "Of the file that was cleared." }),
    status: OneOf(certificateStatuses),
    supersededBy: Nullable(Uuid),
    revokedReason: Nullable(Type.String()),
    issuedAt: Timestamp,
    expiresAt: Timestamp,
    revokedAt: Nullable(Timestamp),
    envelope: Envelope,
  },
  { title: "Certificate" },
);

export const certificateExample = {
  certificateId: "019a8c51-22b3-7e14-8c55-1d3e5f708b32",
  number: 17,
  submissionId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
  assetId: "019a8c3e-5f71-7b02-8f3a-6c2d1e0b9a44",
  filename: "spring-ad.mp4",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  status: "VALID" as const,
  supersededBy: null,
  revokedReason: null,
  issuedAt: "2026-11-15T10:05:00.000Z",
  expiresAt: "2027-11-15T10:05:00.000Z",
  revokedAt: null,
  envelope: {
    payloadType: "application/vnd.in-toto+json",
    payload: "eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEi…",
    signatures: [{ keyid: "1b0c…", sig: "0mB6…" }],
  },
};

const CertificateParams = Type.Object({ certificate_id: Uuid });

const issueCertificate = defineRoute({
  method: "POST",
  path: "/submissions/:submission_id/assets/:asset_id/certificate",
  bucket: "submission_write",
  role: "approver",
  operationId: "issueCertificate",
  tag: "Review",
  summary: "Certify an approved asset",
  description:
    "Makes a signed record of the clearance: an in-toto Statement v1 in a DSSE envelope, signed with Ed25519. It names the file by its SHA-256, the decision with its markets and conditions, who made it, the packs, what was dismissed and why, and the head of the audit. Anybody can verify it with the keys at `/.well-known/greenlit-keys.json`, with or without this service. Certificates of earlier versions are superseded. It says who cleared the file under which rules; it is no legal guarantee.",
  params: AssetParams,
  body: Body(
    { validDays: Maybe(Type.Integer({ minimum: 1, maximum: 3650, default: usualDays })) },
    { title: "IssueCertificate" },
  ),
  bodyExample: { validDays: 365 },
  responses: { 201: { description: "The certificate.", schema: Certificate, example: certificateExample } },
  failures: [
    "not_found",
    "asset_not_finished",
    "asset_failed",
    "asset_not_approved",
    "mode_mismatch",
    "market_not_allowed",
  ],
  async handler({ app, caller, params, body }) {
    const ids = { submissionId: params.submission_id, assetId: params.asset_id };
    return { status: 201, body: await issue(app, { ...ids, caller, validDays: body.validDays ?? usualDays }) };
  },
});

const readCertificate = defineRoute({
  method: "GET",
  path: "/certificates/:certificate_id",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readCertificate",
  tag: "Review",
  summary: "Read a certificate and whether it still holds",
  description: "It stays readable when its asset is gone.",
  params: CertificateParams,
  responses: { 200: { description: "The certificate.", schema: Certificate, example: certificateExample } },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    const ids = { workspaceId: caller.workspaceId, certificateId: params.certificate_id };
    return { status: 200, body: describeCertificate(await findCertificate(app.db, ids), app.now()) };
  },
});

const revokeCertificate = defineRoute({
  method: "POST",
  path: "/certificates/:certificate_id/revoke",
  bucket: "submission_write",
  role: "approver",
  operationId: "revokeCertificate",
  tag: "Review",
  summary: "Revoke a certificate",
  description: "For good. Revoking it again changes nothing.",
  params: CertificateParams,
  body: Body({ reason: Type.String({ minLength: 1, maxLength: 2000 }) }, { title: "RevokeCertificate" }),
  bodyExample: { reason: "The claim was withdrawn." },
  responses: { 200: { description: "The certificate.", schema: Certificate, example: certificateExample } },
  failures: ["not_found", "market_not_allowed"],
  async handler({ app, caller, params, body }) {
    const certificateId = params.certificate_id;
    return { status: 200, body: await revoke(app, { caller, certificateId, reason: body.reason }) };
  },
});

const Verification = Type.Object(
  {
    trust: OneOf(trustStates, { description: "`UNTRUSTED`: no key of this service signed it, or it was changed." }),
    reason: Nullable(Type.String()),
    file: Nullable(
      OneOf(fileMatches, {
        description:
          "`IDENTICAL`: byte for byte what was cleared. `NOT_IDENTICAL`: other bytes; whether they show the same is for a person to judge. Null: no hash was sent, or the certificate cannot be trusted.",
      }),
    ),
    supersededBy: Nullable(Uuid),
    statement: Type.Unsafe<Record<string, unknown> | null>({ type: ["object", "null"], additionalProperties: true }),
  },
  { title: "Verification" },
);

const verify = defineRoute({
  method: "POST",
  path: "/verify",
  bucket: "submission_read",
  role: "viewer",
  operationId: "verifyCertificate",
  tag: "Review",
  summary: "Verify a certificate, and that a file is the one it is about",
  description:
    "Send the envelope of a certificate and the SHA-256 of the file at hand. `greenlit verify` does the same without this service.",
  body: Body({ envelope: Body(envelopeFields), sha256: Maybe(Sha256) }, { title: "VerifyCertificate" }),
  bodyExample: { envelope: certificateExample.envelope, sha256: certificateExample.sha256 },
  responses: {
    200: {
      description: "What can be trusted.",
      schema: Verification,
      example: { trust: "VALID", reason: null, file: "IDENTICAL", supersededBy: null, statement: {} },
    },
  },
  failures: [],
  async handler({ app, caller, body }) {
    const { envelope, sha256 } = body;
    const { workspaceId } = caller;
    return { status: 200, body: await verifyByDatabase(app, { workspaceId, envelope, sha256: sha256 ?? undefined }) };
  },
});

export const certificateRoutes: readonly Route[] = [issueCertificate, readCertificate, revokeCertificate, verify];
