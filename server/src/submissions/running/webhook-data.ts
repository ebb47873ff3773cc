import { severities, type Severity } from "../../db/tables.ts";
import type { Asset, Submission } from "../submission.ts";

/** What an event carries about its asset, in snake_case. */

type Facts = { submission: Submission; asset: Asset; livemode: boolean };

export function completedData(
  facts: Facts & { severityCounts: Record<Severity, number> | null },
): Record<string, unknown> {
  const { severityCounts } = facts;
  const highest = severities.find((severity) => (severityCounts?.[severity] ?? 0) > 0) ?? null;
  return {
    ...identity(facts),
    status: "complete",
    issue_count: facts.asset.issueCount,
    severity_counts: severityCounts,
    highest_severity: highest,
    ...description(facts),
  };
}

export function failedData(
  facts: Facts & { errorMessage: string; errorType: string | null; isRetryable: boolean },
): Record<string, unknown> {
  return {
    ...identity(facts),
    status: "failed",
    error_message: facts.errorMessage,
    error_type: facts.errorType,
    is_retryable: facts.isRetryable,
    retry_count: facts.asset.retryCount,
    ...description(facts),
  };
}

function identity({ submission, asset }: Facts) {
  return { asset_id: asset.assetId, submission_id: submission.submissionId, workspace_id: submission.workspaceId };
}

function description({ submission, asset, livemode }: Facts) {
  return {
    filename: asset.filename,
    version_group_id: asset.versionGroupId,
    version_number: asset.versionNumber,
    metadata: submission.metadata,
    livemode,
  };
}

/** The same facts for the realtime channel, whose names are camelCase; what is inside `metadata` is the caller's own. */
export function realtimeData(data: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
