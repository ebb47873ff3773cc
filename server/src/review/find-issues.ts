import type { Kysely } from "kysely";
import type { IssueStatus, Severity, Tables } from "../db/tables.ts";
import { Failure } from "../failure.ts";
import { issueNotFound } from "../submissions/reading/read-issues.ts";

const maxIssues = 10_000;

type Filter = {
  severity?: Severity | null | undefined;
  status?: IssueStatus | null | undefined;
  ruleCode?: string | null | undefined;
  sidekickId?: string | null | undefined;
};

/** The issues that a decision is about, by id or by filter. One unknown id refuses all. */
export async function findIssues(
  trx: Kysely<Tables>,
  options: { workspaceId: string; assetId: string; issueIds: readonly string[] | undefined; filter: Filter },
) {
  const { workspaceId, assetId, issueIds, filter } = options;
  let query = trx
    .selectFrom("issues")
    .select(["issueId", "status", "severity", "referenceNumber", "ruleCode"])
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .orderBy("position")
    .limit(maxIssues + 1)
    .forUpdate();
  if (issueIds) query = query.where("issueId", "in", issueIds);
  if (filter.severity) query = query.where("severity", "=", filter.severity);
  if (filter.status) query = query.where("status", "=", filter.status);
  if (filter.ruleCode) query = query.where("ruleCode", "=", filter.ruleCode);
  if (filter.sidekickId) query = query.where("sidekickId", "=", filter.sidekickId);
  const found = await query.execute();
  if (issueIds && found.length < issueIds.length) throw issueNotFound();
  if (found.length > maxIssues)
    throw new Failure("invalid_request", `The filter matches more than ${maxIssues} issues. Narrow it.`, {
      details: [{ path: "filter", message: `matches more than ${maxIssues} issues` }],
    });
  return found;
}
