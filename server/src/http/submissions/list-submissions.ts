import { statuses } from "../../db/tables.ts";
import { listSubmissions as list } from "../../submissions/reading/read-submission.ts";
import { Page, pageQuery, readPage } from "../cursor.ts";
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
    const { workspaceId } = caller;
    const body = await readPage(query, {
      usual,
      list: (span) => list(app, { workspaceId, status: query.status ?? undefined, ...span }),
      idOf: ({ submissionId }) => submissionId,
    });
    return { status: 200, body };
  },
});
