import { Type } from "typebox";
import { readIssues as read } from "../../submissions/reading/read-issues.ts";
import { decodeCursor, encodeCursor, pageQuery } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, Nullable, Uuid } from "../schemas.ts";
import { AssetParams, Issue, IssueStatus, Severity } from "./schemas.ts";
import { issuePageExample } from "./examples.ts";

const usual = 500;

export const readIssues = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id/assets/:asset_id/issues",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readIssues",
  tag: "Results",
  summary: "Read the issues of an asset in full",
  description:
    "With rule, place, measurement, reasoning, citation and precedents. 404 until the asset has finished, and when it failed.",
  params: AssetParams,
  query: Body({
    severity: Maybe(Severity),
    status: Maybe(IssueStatus),
    ruleCode: Maybe(Type.String({ maxLength: 200 })),
    sidekickId: Maybe(Type.String({ format: "uuid" })),
    ...pageQuery({ most: 500, usual }),
  }),
  responses: {
    200: {
      description: "A page of issues.",
      schema: Type.Object(
        {
          submissionId: Uuid,
          assetId: Uuid,
          issues: Type.Array(Issue),
          total: Type.Integer({ description: "How many match the filters, on all pages." }),
          hasMore: Type.Boolean(),
          nextCursor: Nullable(Type.String()),
        },
        { title: "IssuePage" },
      ),
      example: issuePageExample,
    },
  },
  failures: ["not_found", "asset_not_finished", "asset_failed"],
  async handler({ app, caller, params, query }) {
    const { severity, status, ruleCode, sidekickId, limit, cursor } = query;
    const ids = { submissionId: params.submission_id, assetId: params.asset_id };
    const after = decodeCursor(cursor, /^\d{1,9}$/);
    const { issues, total, hasMore, lastPosition } = await read(app, {
      ...ids,
      workspaceId: caller.workspaceId,
      filter: {
        severity: severity ?? undefined,
        status: status ?? undefined,
        ruleCode: ruleCode ?? undefined,
        sidekickId: sidekickId ?? undefined,
      },
      after: after === undefined ? undefined : Number(after),
      limit: limit ?? usual,
    });
    return {
      status: 200,
      body: { ...ids, issues, total, hasMore, nextCursor: hasMore ? encodeCursor(lastPosition) : null },
    };
  },
});
