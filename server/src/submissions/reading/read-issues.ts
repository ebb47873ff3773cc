import type { App } from "../../app.ts";
import type { IssueStatus, Severity } from "../../db/tables.ts";
import type { Failure } from "../../failure.ts";
import { notFound } from "../../not-found.ts";
import { fullIssue, type FullIssue, type IssueRow } from "../issues/issue.ts";
import { findFinishedAsset, type AssetIds } from "./read-asset.ts";

export type IssueFilter = {
  severity?: Severity | undefined;
  status?: IssueStatus | undefined;
  ruleCode?: string | undefined;
  sidekickId?: string | undefined;
};

/** One page of the asset's issues in their order, and how many there are on all pages. */
export async function readIssues(
  app: App,
  options: AssetIds & { filter: IssueFilter; after: number | undefined; limit: number },
): Promise<{ issues: FullIssue[]; total: number; hasMore: boolean; lastPosition: number | undefined }> {
  const { workspaceId, filter, after, limit } = options;
  const { assetId } = await findFinishedAsset(app, options);
  const matching = app.db
    .selectFrom("issues")
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .$if(filter.severity !== undefined, (query) => query.where("severity", "=", filter.severity ?? "INFO"))
    .$if(filter.status !== undefined, (query) => query.where("status", "=", filter.status ?? "OPEN"))
    .$if(filter.ruleCode !== undefined, (query) => query.where("ruleCode", "=", filter.ruleCode ?? ""))
    .$if(filter.sidekickId !== undefined, (query) => query.where("sidekickId", "=", filter.sidekickId ?? ""));
  const [rows, { total }] = await Promise.all([
    matching
      .selectAll()
      .where("position", ">", after ?? -1)
      .orderBy("position")
      .limit(limit + 1)
      .execute(),
    matching.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
  ]);
  if (total === 0 || rows.length === 0) await findFinishedAsset(app, options);
  const page = rows.slice(0, limit);
  return { issues: page.map(fullIssue), total, hasMore: rows.length > limit, lastPosition: page.at(-1)?.position };
}

/** All issues of a finished asset, in their order. */
export async function readAllIssues(app: App, ids: AssetIds): Promise<IssueRow[]> {
  const { assetId } = await findFinishedAsset(app, ids);
  const issues = await app.db
    .selectFrom("issues")
    .selectAll()
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", ids.workspaceId)
    .orderBy("position")
    .execute();
  if (issues.length === 0) await findFinishedAsset(app, ids);
  return issues;
}

export function issueNotFound(): Failure {
  return notFound("issue");
}
