import { Type } from "typebox";
import { readAsset as read } from "../../submissions/reading/read-asset.ts";
import { defineRoute } from "../route.ts";
import { Nullable, Uuid } from "../schemas.ts";
import { AssetParams, AssetStatus, CompactIssue, SubmissionStatus } from "./schemas.ts";
import { assetExample } from "./examples.ts";

const AssetResult = Type.Object(
  {
    assetId: Uuid,
    submissionId: Uuid,
    filename: Type.String(),
    status: SubmissionStatus,
    issues: Type.Array(CompactIssue),
    mimeType: Nullable(Type.String()),
    issueCount: AssetStatus.properties.issueCount,
    versionNumber: Type.Integer({ minimum: 1 }),
    versionGroupId: Nullable(Type.String({ format: "uuid" })),
    sizeBytes: Type.Integer(),
    sha256: AssetStatus.properties.sha256,
    errorMessage: AssetStatus.properties.errorMessage,
    errorType: AssetStatus.properties.errorType,
  },
  { title: "AssetResult" },
);

export const readAsset = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readAsset",
  tag: "Results",
  summary: "Read one asset with its issues",
  description: "Meant to be read once the asset is complete; `issues` is empty until there are results.",
  params: AssetParams,
  responses: { 200: { description: "The asset.", schema: AssetResult, example: assetExample } },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    const ids = { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
    return { status: 200, body: await read(app, ids) };
  },
});
