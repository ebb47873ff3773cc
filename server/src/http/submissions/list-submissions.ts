import { listSubmissions as list } from "../../submissions/reading/read-submission.ts";
import { Page, pageQuery, readPage } from "../cursor.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe } from "../schemas.ts";
import { Submission, SubmissionStatus } from "./schemas.ts";
import { submissionExample } from "./examples.ts";

const usual = 20;

export const listSubmissions = defineRoute({
  method: "GET",
  path: "/submissions",
  bucket: "submission_read",
  role: "viewer",
  operationId: "listSubmissions",
  tag: "Submissions",
  summary: "List submissions, newest first",
  description: "All submissions of the workspace, live and sandbox, or those of one status.",
  query: Body({ status: Maybe(SubmissionStatus), ...pageQuery({ most: 100, usual }) }),
  responses: {
    200: {
      description: "A page of submissions.",
      schema: Page(Submission, "SubmissionPage"),
      example: { data: [submissionExample], hasMore: false, nextCursor: null },
    },
  },
  failures: [],
  async handler({ app, caller, query }) {
    const { workspaceId } = caller;
    const { status } = query;
    const body = await readPage(query, {
      usual,
      list: async (span) =>
        // What is still uploading is not a submission yet.
        status === "uploading" ? [] : list(app, { workspaceId, status: status ?? undefined, ...span }),
      idOf: ({ submissionId }) => submissionId,
    });
    return { status: 200, body };
  },
});
