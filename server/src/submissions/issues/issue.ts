import type { Finding } from "@greenlit/engine/finding.ts";
import type { Selectable } from "kysely";
import type { Tables } from "../../db/tables.ts";

export type IssueRow = Selectable<Tables["issues"]>;

/** An issue as asset results and topics show it. */
export function compactIssue(row: IssueRow) {
  const { issueId: id, referenceNumber, ruleCode, severity, status } = row;
  return { id, referenceNumber, ruleCode, summary: findingOf(row).summary, severity, status };
}

/** An issue with everything that is known about it. */
export function fullIssue(row: IssueRow) {
  const finding = findingOf(row);
  return {
    ...compactIssue(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    sidekickId: row.sidekickId,
    sidekickName: finding.sidekickName,
    packVersion: finding.packVersion,
    ruleVersion: finding.ruleVersion,
    ruleSummary: finding.ruleSummary,
    severityReasoning: finding.severityReasoning,
    severityReasoningHeadline: finding.severityReasoningHeadline,
    precedents: finding.precedents,
    fingerprint: row.fingerprint,
    location: finding.location,
    measurement: finding.measurement,
    recommendation: finding.recommendation,
    citation: finding.citation,
    secondReader: finding.secondReader ?? null,
    reopened: row.reopened,
    earlierIssueId: row.earlierIssueId,
  };
}

export type FullIssue = ReturnType<typeof fullIssue>;

function findingOf(row: IssueRow): Finding {
  return row.finding as Finding;
}

/** What a finding starts with when nobody has decided about it before. */
export function initialStatus({ needsHuman }: Finding): "OPEN" | "AWAITING_HUMAN_INPUT" {
  return needsHuman ? "AWAITING_HUMAN_INPUT" : "OPEN";
}
