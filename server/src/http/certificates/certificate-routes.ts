import { Type } from "typebox";
import { describeCertificate, findCertificate, revokeCertificate as revoke } from "../../certificates/certificate.ts";
import { issueCertificate as issue } from "../../certificates/issue-certificate.ts";
import { defineRoute, type Route } from "../route.ts";
import { Body, Maybe, Uuid } from "../schemas.ts";
import { AssetParams } from "../submissions/schemas.ts";
import { Certificate, certificateExample } from "./certificate-schema.ts";
import { verify } from "./verify-route.ts";

const usualDays = 365;

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
    "Makes a signed record of the clearance: an in-toto Statement v1 in a DSSE envelope, signed with Ed25519. It names the file by its SHA-256, the decision with its markets and conditions, who made it in which role, the packs, the engine's version, what was dismissed and why, and the head of the audit. Anybody can verify it with the keys at `/.well-known/greenlit-keys.json`, with or without this service. Certificates of earlier versions are superseded. It says who cleared the file under which rules; it is no legal guarantee.",
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

export const certificateRoutes: readonly Route[] = [issueCertificate, readCertificate, revokeCertificate, verify];
