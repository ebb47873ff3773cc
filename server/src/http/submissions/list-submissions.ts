import { statuses } from "../../db/tables.ts";
import { listSubmissions as list } from "../../submissions/read-submission.ts";
import { decodeCursor, encodeCursor, Page, pageQuery, uuidPattern } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, OneOf } from "../schemas.ts";
import { Submission } from "./schemas.ts";

const usual = 20;

export const listSubmissions = defineRoute({
  method: "GET",
  path: "/submissions",
  bucket: "submission_read",
  operationId: "listSubmissions",
  tag: "Submissions",
  summary: "List submissions, newest first",
  description: "All submissions of the workspace, live and sandbox, or those of one status.",
  query: Body({ status: Maybe(OneOf(statuses)), ...pageQuery({ most: 100, usual }) }),
  responses: { 200: { description: "A page of submissions.", schema: Page(Submission, "SubmissionPage") } },
  failures: [],
  async handler({ app, caller, query }) {
    const limit = query.limit ?? usual;
    const rows = await list(app, {
      workspaceId: caller.workspaceId,
      status: query.status ?? undefined,
      after: decodeCursor(query.cursor, uuidPattern),
      limit: limit + 1,
    });
    const data = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return {
      status: 200,
      body: { data, hasMore, nextCursor: hasMore ? encodeCursor(data.at(-1)?.submissionId) : null },
    };
  },
});
