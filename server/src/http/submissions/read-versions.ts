import { Type } from "typebox";
import { readDiff as diff, readVersions as versions } from "../../submissions/reading/read-versions.ts";
import { defineRoute } from "../route.ts";
import { Nullable, Timestamp, Uuid } from "../schemas.ts";
import { AssetParams, CompactIssue, SubmissionParams, SubmissionStatus } from "./schemas.ts";
import { diffExample, versionsExample } from "./examples.ts";

const Version = Type.Object(
  {
    versionGroupId: Uuid,
    versionNumber: Type.Integer({ minimum: 1 }),
    submissionId: Uuid,
    assetId: Uuid,
    filename: Type.String(),
    status: SubmissionStatus,
    issueCount: Nullable(Type.Integer()),
    createdAt: Timestamp,
    completedAt: Nullable(Timestamp),
    isLatest: Type.Boolean(),
    diff: Type.Unsafe<{ new: number; fixed: number; persisting: number } | null>({
      type: ["object", "null"],
      description: "Against the highest lower version that is complete. Null in the sandbox: nothing was analysed.",
      properties: { new: { type: "integer" }, fixed: { type: "integer" }, persisting: { type: "integer" } },
    }),
  },
  { title: "Version" },
);

export const readVersions = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/versions",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readVersions",
  tag: "Results",
  summary: "List all versions of the submission's assets",
  description: "By version group and number, each with what is new, fixed and persisting against the version before.",
  params: SubmissionParams,
  responses: {
    200: {
      description: "The versions.",
      schema: Type.Object({ submissionId: Uuid, versions: Type.Array(Version) }, { title: "Versions" }),
      example: versionsExample,
    },
  },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    return {
      status: 200,
      body: await versions(app, { workspaceId: caller.workspaceId, submissionId: params.submission_id }),
    };
  },
});

export const readDiff = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/diff",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readDiff",
  tag: "Results",
  summary: "Compare an asset with the version before",
  description:
    "The issues that are new, those that are fixed, and those that persist. 404 until the asset has finished, and when it failed.",
  params: AssetParams,
  responses: {
    200: {
      description: "What changed.",
      schema: Type.Object(
        {
          assetId: Uuid,
          comparedWith: Type.Unsafe<{ assetId: string; submissionId: string; versionNumber: number } | null>({
            type: ["object", "null"],
            description: "Null: there is no earlier version that is complete, so every issue is new.",
            properties: { assetId: Uuid, submissionId: Uuid, versionNumber: { type: "integer" } },
          }),
          new: Type.Array(CompactIssue),
          fixed: Type.Array(CompactIssue),
          persisting: Type.Array(CompactIssue),
        },
        { title: "Diff" },
      ),
      example: diffExample,
    },
  },
  failures: ["not_found", "asset_not_finished", "asset_failed"],
  async handler({ app, caller, params }) {
    const ids = { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
    return { status: 200, body: await diff(app, ids) };
  },
});
