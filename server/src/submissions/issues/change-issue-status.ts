import type { App } from "../../app.ts";
import type { IssueStatus } from "../../db/tables.ts";
import { uuidv7 } from "../../db/uuid.ts";
import type { Caller } from "../../workspaces/caller.ts";
import { checkMode } from "../check-mode.ts";
import { fullIssue, type FullIssue } from "./issue.ts";
import { issueNotFound } from "../reading/read-issues.ts";

export type IssueIds = { submissionId: string; assetId: string; issueId: string };

/** A reviewer's decision. Every change is kept with its time, key and reason. */
export async function changeIssueStatus(
  app: App,
  options: IssueIds & { caller: Caller; status: IssueStatus; reason: string | undefined },
): Promise<FullIssue> {
  const { caller, submissionId, assetId, issueId, status, reason } = options;
  const { workspaceId, actor } = caller;
  return app.db.transaction().execute(async (trx) => {
    const issue = await trx
      .selectFrom("issues")
      .innerJoin("assets", "assets.assetId", "issues.assetId")
      .innerJoin("submissions", "submissions.submissionId", "assets.submissionId")
      .select(["issues.status", "submissions.mode"])
      .where("issueId", "=", issueId)
      .where("issues.assetId", "=", assetId)
      .where("assets.submissionId", "=", submissionId)
      .where("issues.workspaceId", "=", workspaceId)
      .forUpdate("issues")
      .executeTakeFirst();
    if (!issue) throw issueNotFound();
    checkMode(caller, issue);

    const now = app.now();
    if (issue.status !== status || reason !== undefined)
      await trx
        .insertInto("issueStatusChanges")
        .values({
          changeId: uuidv7(),
          issueId,
          workspaceId,
          fromStatus: issue.status,
          toStatus: status,
          reason: reason ?? null,
          keyId: actor.kind === "key" ? actor.id : null,
          personId: actor.kind === "person" ? actor.id : null,
          createdAt: now,
        })
        .execute();
    const row = await trx
      .updateTable("issues")
      .set({ status, updatedAt: now })
      .where("issueId", "=", issueId)
      .where("workspaceId", "=", workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    return fullIssue(row);
  });
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
