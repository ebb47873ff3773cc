import { sql, type Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { IssueRow } from "../submissions/issues/issue.ts";

type Ids = { workspaceId: string; assetId: string };

/** Removes issues. What somebody decided about them is kept beside, for the day a rule finds the same again. */
export async function removeIssues(
  trx: Kysely<Tables>,
  { workspaceId, issueIds }: { workspaceId: string; issueIds: readonly string[] },
): Promise<void> {
  if (issueIds.length === 0) return;
  await sql`
    insert into removed_issues (asset_id, fingerprint, workspace_id, issue_id, reference_number, severity, status,
        finding, reopened, earlier_issue_id, created_at, changes)
      select asset_id, fingerprint, workspace_id, issue_id, reference_number, severity, status, finding, reopened,
          earlier_issue_id, created_at, coalesce(decided.changes, '[]')
        from issues left join lateral (
          select jsonb_agg(to_jsonb(change)) as changes from issue_status_changes change
            where change.issue_id = issues.issue_id
        ) decided on true
        where issue_id = any (${issueIds}::uuid[]) and workspace_id = ${workspaceId}
          and (decided.changes is not null or reopened or status not in ('OPEN', 'AWAITING_HUMAN_INPUT'))
      on conflict (asset_id, fingerprint) do update set issue_id = excluded.issue_id, severity = excluded.severity,
        status = excluded.status, finding = excluded.finding, reopened = excluded.reopened,
        changes = excluded.changes`.execute(trx);
  await trx.deleteFrom("issues").where("issueId", "in", issueIds).where("workspaceId", "=", workspaceId).execute();
}

export type RemovedIssue = Pick<
  IssueRow,
  | "issueId"
  | "fingerprint"
  | "referenceNumber"
  | "severity"
  | "status"
  | "finding"
  | "reopened"
  | "earlierIssueId"
  | "createdAt"
>;

/** What was decided about findings that an earlier run took away, by fingerprint. */
export async function readRemovedIssues(
  trx: Kysely<Tables>,
  { workspaceId, assetId }: Ids,
): Promise<Map<string, RemovedIssue>> {
  const rows = await trx
    .selectFrom("removedIssues")
    .select(["issueId", "fingerprint", "referenceNumber", "severity", "status", "finding", "reopened"])
    .select(["earlierIssueId", "createdAt"])
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .execute();
  return new Map(rows.map((row) => [row.fingerprint, row]));
}

/** Gives issues that are stored again the history they had. */
export async function restoreHistory(
  trx: Kysely<Tables>,
  { workspaceId, assetId, fingerprints }: Ids & { fingerprints: readonly string[] },
): Promise<void> {
  if (fingerprints.length === 0) return;
  await sql`
    with back as (
      delete from removed_issues where asset_id = ${assetId} and workspace_id = ${workspaceId}
        and fingerprint = any (${fingerprints}::text[]) returning changes
    )
    insert into issue_status_changes
      select change.* from back, jsonb_populate_recordset(null::issue_status_changes, back.changes) as change`.execute(
    trx,
  );
}
