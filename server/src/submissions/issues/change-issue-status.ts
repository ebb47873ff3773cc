import type { Kysely } from "kysely";
import type { App } from "../../app.ts";
import type { Tables } from "../../db/tables.ts";
import { decideIssues, type IssueDecision } from "../../review/decide-issues.ts";
import type { Caller } from "../../workspaces/caller.ts";
import { fullIssue, type FullIssue } from "./issue.ts";
import { issueNotFound } from "../reading/read-issues.ts";

export type IssueIds = { submissionId: string; assetId: string; issueId: string };

/** A reviewer's decision. Every change is kept with its time, who made it and why. */
export async function changeIssueStatus(
  app: App,
  options: IssueIds & { caller: Caller; decision: IssueDecision },
): Promise<FullIssue> {
  const { caller, submissionId, assetId, issueId, decision } = options;
  const { workspaceId } = caller;
  const find = async (trx: Kysely<Tables>) => {
    const issue = await trx
      .selectFrom("issues")
      .innerJoin("assets", "assets.assetId", "issues.assetId")
      .select(["issueId", "issues.status", "severity", "referenceNumber", "ruleCode"])
      .where("issueId", "=", issueId)
      .where("issues.assetId", "=", assetId)
      .where("assets.submissionId", "=", submissionId)
      .where("issues.workspaceId", "=", workspaceId)
      .forUpdate("issues")
      .executeTakeFirst();
    if (!issue) throw issueNotFound();
    return [issue];
  };
  await decideIssues(app, { caller, submissionId, assetId, decision, find });
  const row = await app.db
    .selectFrom("issues")
    .selectAll()
    .where("issueId", "=", issueId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  if (!row) throw issueNotFound();
  return fullIssue(row);
}

/** The issue with the history of its status, oldest first. */
export async function readIssue(app: App, options: IssueIds & { workspaceId: string }) {
  const { workspaceId, submissionId, assetId, issueId } = options;
  const row = await app.db
    .selectFrom("issues")
    .innerJoin("assets", "assets.assetId", "issues.assetId")
    .selectAll("issues")
    .where("issueId", "=", issueId)
    .where("issues.assetId", "=", assetId)
    .where("assets.submissionId", "=", submissionId)
    .where("issues.workspaceId", "=", workspaceId)
    .executeTakeFirst();
  if (!row) throw issueNotFound();
  const changes = await app.db
    .selectFrom("issueStatusChanges")
    .select(["fromStatus", "toStatus", "reason", "keyId", "personId", "reasonCode", "proposedStatus", "createdAt"])
    .where("issueId", "=", issueId)
    .where("workspaceId", "=", workspaceId)
    .orderBy("changeId")
    .execute();
  return {
    ...fullIssue(row),
    history: changes.map((change) => ({ ...change, createdAt: change.createdAt.toISOString() })),
  };
}
