import type { Greenlit } from "@greenlit/sdk/src/client.ts";
import { describeIssue } from "./check-draft.ts";
import type { CheckedIssue } from "../check/check-file.ts";

/** Status and findings, as far as there are any. */
export async function readSubmission(greenlit: Greenlit, submissionId: string) {
  const { status, progressPercent, errorMessage, metadata, assets } = await greenlit.submissions.get(submissionId);
  return {
    submissionId,
    status,
    progressPercent,
    errorMessage,
    metadata,
    assets: await Promise.all(
      assets.map(async ({ assetId, filename, status, versionNumber, errorType, errorMessage }) => {
        const issues = status === "complete" ? await greenlit.assets.issues(submissionId, assetId).all() : [];
        return {
          assetId,
          filename,
          status,
          versionNumber,
          errorType,
          errorMessage,
          findings: (issues as CheckedIssue[]).map(describeIssue),
        };
      }),
    ),
  };
}
