import { evidenceFormatVersion } from "@greenlit/engine/kept/kept-evidence.ts";
import { Type } from "typebox";
import { findEvidence, findPrint, openEvidence } from "../../evidence/read-evidence.ts";
import { defineRoute, type Route } from "../route.ts";
import { Uuid } from "../schemas.ts";
import { AssetParams } from "../submissions/schemas.ts";

const KeptEvidence = Type.Object(
  {
    submissionId: Uuid,
    assetId: Uuid,
    formatVersion: Type.Integer({ description: "The newest version of the format; earlier ones stay readable." }),
    sizeBytes: Type.Integer(),
    sha256: Type.String({ description: "Of the kept bytes." }),
    context: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "What the rules were told about the asset.",
    }),
  },
  { title: "KeptEvidence" },
);

const failures = ["not_found", "asset_not_finished", "asset_failed", "evidence_not_kept"] as const;

const readEvidence = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/evidence",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readEvidence",
  tag: "Results",
  summary: "Read what is kept for judging the asset again",
  description:
    "What the analysis measured, read and heard is kept with the asset, so that other rules and other markets can judge it without the file. It is removed with the submission. 404 for assets of the sandbox and of earlier releases.",
  params: AssetParams,
  responses: {
    200: {
      description: "Size and hash.",
      schema: KeptEvidence,
      example: {
        submissionId: "0197a3b0-5c4e-7d2a-9f31-6b8e2c4d1a77",
        assetId: "0197a3b0-5c4f-7a11-8c02-3d9e5f7a1b22",
        formatVersion: 1,
        sizeBytes: 18_412,
        context: { jurisdictions: ["UK"], channel: "tv" },
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      },
    },
  },
  failures,
  async handler({ app, caller, params }) {
    const ids = { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
    const { asset, evidence, context } = await findEvidence(app, ids);
    const { submissionId, assetId } = asset;
    const { sizeBytes, sha256 } = evidence;
    return {
      status: 200,
      body: { submissionId, assetId, formatVersion: evidenceFormatVersion, sizeBytes, sha256, context },
    };
  },
});

const downloadEvidence = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/evidence/content",
  bucket: "submission_read",
  role: "viewer",
  operationId: "downloadEvidence",
  tag: "Results",
  summary: "Download the kept evidence",
  description: "For `greenlit rules backtest`, which judges it with packs of your own, on your own machine.",
  params: AssetParams,
  responses: {
    200: { description: "The kept bytes.", contentType: "application/octet-stream", example: "GLEV…" },
  },
  failures,
  async handler({ app, caller, params }) {
    const ids = { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
    const { evidence } = await findEvidence(app, ids);
    return {
      status: 200,
      stream: await openEvidence(app, evidence),
      headers: {
        "content-type": "application/octet-stream",
        "content-length": String(evidence.sizeBytes),
        "content-disposition": 'attachment; filename="evidence.glev"',
      },
    };
  },
});

const downloadPrint = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/print/content",
  bucket: "submission_read",
  role: "viewer",
  operationId: "downloadPrint",
  tag: "Results",
  summary: "Download the print of the file",
  description:
    "What the file shows, says and plays, in a few hundred kilobytes: with it `greenlit verify FILE --certificate C --print P` tells a re-encoded copy from an altered one, without this service. The certificate names its SHA-256.",
  params: AssetParams,
  responses: {
    200: { description: "The print.", contentType: "application/octet-stream", example: "GLPR…" },
  },
  failures,
  async handler({ app, caller, params }) {
    const ids = { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
    const print = await findPrint(app, ids);
    return {
      status: 200,
      stream: await openEvidence(app, print),
      headers: {
        "content-type": "application/octet-stream",
        "content-length": String(print.sizeBytes),
        "content-disposition": 'attachment; filename="print.glpr"',
      },
    };
  },
});

export const evidenceRoutes: readonly Route[] = [readEvidence, downloadEvidence, downloadPrint];
