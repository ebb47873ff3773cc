import { readSubmission as read } from "../../submissions/reading/read-submission.ts";
import { defineRoute } from "../route.ts";
import { Submission, SubmissionParams } from "./schemas.ts";
import { submissionExample } from "./examples.ts";

export const readSubmission = defineRoute({
  method: "GET",
  path: "/submissions/:submission_id",
  bucket: "submission_read",
  role: "viewer",
  operationId: "readSubmission",
  tag: "Submissions",
  summary: "Read the status of a submission",
  description:
    "Poll it until `status` is `complete` or `failed`: it becomes terminal only when every asset is. `progressPercent` never goes back within one attempt.",
  params: SubmissionParams,
  responses: { 200: { description: "The submission and its assets.", schema: Submission, example: submissionExample } },
  failures: ["not_found"],
  async handler({ app, caller, params }) {
    const submission = await read(app, { workspaceId: caller.workspaceId, submissionId: params.submission_id });
    return { status: 200, body: submission };
  },
});
