import { deleteSubmission as remove } from "../../submissions/delete-submission.ts";
import { defineRoute } from "../route.ts";
import { SubmissionParams } from "./schemas.ts";

export const deleteSubmission = defineRoute({
  method: "DELETE",
  path: "/submissions/:submission_id",
  bucket: "submission_write",
  role: "admin",
  operationId: "deleteSubmission",
  tag: "Submissions",
  summary: "Delete a submission",
  description:
    "Running work is cancelled, results and media are gone (media that another submission uses stays). Version numbers are never used again. Needs a key of the submission's own mode.",
  params: SubmissionParams,
  responses: { 204: { description: "Gone.", schema: null } },
  failures: ["mode_mismatch", "not_found"],
  async handler({ app, caller, params }) {
    await remove(app, { caller, submissionId: params.submission_id });
    return { status: 204 };
  },
});
