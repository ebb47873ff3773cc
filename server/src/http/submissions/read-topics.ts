import { Type } from "typebox";
import { readTopics as read } from "../../submissions/reading/read-topics.ts";
import { defineRoute } from "../route.ts";
import { Timestamp, Uuid } from "../schemas.ts";
import { AssetParams, CompactIssue, Severity } from "./schemas.ts";
import { topicsExample } from "./examples.ts";

const Topic = Type.Object(
  {
    topicId: Uuid,
    title: Type.String(),
    summary: Type.String(),
    severity: Severity,
    issueCount: Type.Integer({ minimum: 2 }),
    issueIds: Type.Array(Uuid),
    ruleCodes: Type.Array(Type.String()),
  },
  { title: "Topic" },
);

export const readTopics = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/topics",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readTopics",
  tag: "Results",
  summary: "Read the issues of an asset as topics",
  description:
    "A topic groups two or more issues that a reviewer deals with together; issues that stand alone are `orphanIssues`, which is normal. The same input gives the same topics. 404 until the asset has finished, and when it failed.",
  params: AssetParams,
  responses: {
    200: {
      description: "Topics and orphans.",
      schema: Type.Object(
        {
          assetId: Uuid,
          topics: Type.Array(Topic),
          orphanIssues: Type.Array(CompactIssue),
          metadata: Type.Object({
            algorithm: Type.String(),
            algorithmVersion: Type.String(),
            generatedAt: Timestamp,
            totalIssues: Type.Integer(),
            clusteredIssueCount: Type.Integer(),
            orphanIssueCount: Type.Integer(),
          }),
        },
        { title: "Topics" },
      ),
      example: topicsExample,
    },
  },
  failures: ["not_found", "asset_not_finished", "asset_failed"],
  async handler({ app, caller, params }) {
    const ids = { workspaceId: caller.workspaceId, submissionId: params.submission_id, assetId: params.asset_id };
    return { status: 200, body: await read(app, ids) };
  },
});
