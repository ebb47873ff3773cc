import type { Finding } from "@greenlit/engine/finding.ts";
import { numberDuplicates } from "@greenlit/engine/fingerprint.ts";
import type { Kysely } from "kysely";
import { prepareStatement } from "../../db/prepared.ts";
import type { Tables } from "../../db/tables.ts";
import { uuidv7 } from "../../db/uuid.ts";
import { carryOver } from "./carry-over.ts";
import { initialStatus, type IssueRow } from "./issue.ts";
import { takeReferenceNumbers } from "./reference-numbers.ts";
import type { Asset } from "../submission.ts";

/** Issues of findings with distinct fingerprints, which nobody has stored yet. One of a known fingerprint keeps its id. */
export async function makeIssues(
  trx: Kysely<Tables>,
  options: {
    asset: Asset;
    findings: readonly Finding[];
    context: Record<string, unknown>;
    knownIds: ReadonlyMap<string, string>;
    now: Date;
  },
): Promise<IssueRow[]> {
  const { asset, findings, context, knownIds, now } = options;
  if (findings.length === 0) return [];
  const { assetId, workspaceId } = asset;
  const fingerprints = findings.map(({ fingerprint }) => fingerprint);
  const numbers = await takeReferenceNumbers(trx, { asset, fingerprints });
  const decisions = await carryOver(trx, { asset, findings, context });
  return findings.map((finding, position) => {
    const { fingerprint, ruleCode, severity, sidekickId } = finding;
    return {
      issueId: knownIds.get(fingerprint) ?? uuidv7(now.getTime()),
      assetId,
      workspaceId,
      position,
      referenceNumber: numbers.get(fingerprint) ?? 0,
      fingerprint,
      ruleCode,
      severity,
      sidekickId,
      finding,
      ...(decisions.get(fingerprint) ?? { status: initialStatus(finding), reopened: false, earlierIssueId: null }),
      createdAt: now,
      updatedAt: now,
    };
  });
}

export async function insertIssues(trx: Kysely<Tables>, issues: readonly IssueRow[]): Promise<void> {
  if (issues.length > 0) await insertAll(trx, { issues: JSON.stringify(issues) });
}

const insertAll = prepareStatement<{ issues: string }, never>(`
  insert into issues (issue_id, asset_id, workspace_id, position, reference_number, fingerprint, rule_code, severity,
      status, sidekick_id, finding, reopened, earlier_issue_id, created_at, updated_at)
    select * from jsonb_to_recordset(:issues) as new ("issueId" uuid, "assetId" uuid, "workspaceId" text, position integer,
      "referenceNumber" integer, fingerprint text, "ruleCode" text, severity text, status text, "sidekickId" uuid,
      finding jsonb, reopened boolean, "earlierIssueId" uuid, "createdAt" timestamptz, "updatedAt" timestamptz)`);

/** Two findings of one fingerprint could not be told apart in the next version. */
export function withDistinctFingerprints(findings: readonly Finding[]): Finding[] {
  return numberDuplicates(findings, {
    nameOf: ({ fingerprint }) => fingerprint,
    rename: (finding, count) => ({ ...finding, fingerprint: `${finding.fingerprint}-${count}` }),
  });
}
