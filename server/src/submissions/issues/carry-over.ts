import { isDeepStrictEqual } from "node:util";
import type { Finding } from "@greenlit/engine/finding.ts";
import type { Kysely } from "kysely";
import { severities, type IssueStatus, type Severity, type Tables } from "../../db/tables.ts";
import { initialStatus } from "./issue.ts";
import type { Asset } from "../submission.ts";
import { previousComplete } from "../creating/previous-version.ts";

export type Decision = { status: IssueStatus; reopened: boolean; earlierIssueId: string | null };

/** What reviewers decided about the same findings in the version before, as far as it still holds. */
export async function carryOver(
  trx: Kysely<Tables>,
  options: { asset: Asset; findings: readonly Finding[]; context: Record<string, unknown> },
): Promise<Map<string, Decision>> {
  const { asset, findings, context } = options;
  const previous = await previousComplete(trx, asset);
  if (!previous) return new Map();
  const earlier = await trx
    .selectFrom("issues")
    .select(["issueId", "fingerprint", "severity", "status", "finding"])
    .where("assetId", "=", previous.assetId)
    .where("workspaceId", "=", asset.workspaceId)
    .execute();
  const result = await trx
    .selectFrom("assetResults")
    .select("context")
    .where("assetId", "=", previous.assetId)
    .where("workspaceId", "=", asset.workspaceId)
    .executeTakeFirst();
  const isSameContext = isDeepStrictEqual(result?.context, context);
  const byFingerprint = new Map(earlier.map((issue) => [issue.fingerprint, issue]));

  return new Map(
    findings.flatMap((finding) => {
      const issue = byFingerprint.get(finding.fingerprint);
      if (!issue) return [];
      const holds =
        isSameContext &&
        issue.finding["ruleVersion"] === finding.ruleVersion &&
        isMilderOrSame(finding.severity, issue.severity);
      return [[finding.fingerprint, decide({ finding, issue, holds })]];
    }),
  );
}

function decide(options: {
  finding: Finding;
  issue: { issueId: string; status: IssueStatus };
  holds: boolean;
}): Decision {
  const { finding, issue, holds } = options;
  const earlierIssueId = issue.issueId;
  if (issue.status === "RESOLVED") return { status: "OPEN", reopened: true, earlierIssueId };
  if (holds && (issue.status === "DISMISSED" || issue.status === "ACKNOWLEDGED"))
    return { status: issue.status, reopened: false, earlierIssueId };
  return { status: initialStatus(finding), reopened: false, earlierIssueId };
}

function isMilderOrSame(severity: Severity, than: Severity): boolean {
  return severities.indexOf(severity) >= severities.indexOf(than);
}
