import { sql, type Selectable } from "kysely";
import type { App } from "../app.ts";
import { changeKinds, type ChangeKind, type Tables } from "../db/tables.ts";
import { notFound } from "../not-found.ts";
import type { RejudgeRequest } from "./rejudge.ts";

type RejudgeRow = Selectable<Tables["rejudges"]>;
type ChangeRow = Selectable<Tables["rejudgeChanges"]>;

const samplesEach = 3;

export type DescribedRejudge = Awaited<ReturnType<typeof readRejudge>>;

/** A run with its differences by rule so far, the rules that changed most first. */
export async function readRejudge(app: App, ids: { workspaceId: string; rejudgeId: string }) {
  const row = await findRejudge(app, ids);
  const { rows: counts } = await sql<{ ruleCode: string; change: ChangeKind; count: number; assets: number }>`
    select rule_code, change, count(*)::integer as count, count(distinct asset_id)::integer as assets
      from rejudge_changes where rejudge_id = ${ids.rejudgeId} and workspace_id = ${ids.workspaceId}
      group by rule_code, change`.execute(app.db);
  const { rows: samples } = await sql<ChangeRow>`
    select * from (
      select *, row_number() over (partition by rule_code, change order by change_id) as place
        from rejudge_changes where rejudge_id = ${ids.rejudgeId} and workspace_id = ${ids.workspaceId}
    ) numbered where place <= ${samplesEach} order by rule_code, change, change_id`.execute(app.db);
  const rules = Map.groupBy(counts, ({ ruleCode }) => ruleCode);
  const changes = [...rules].map(([ruleCode, group]) => {
    const countOf = (kind: ChangeKind) => group.find(({ change }) => change === kind)?.count ?? 0;
    return {
      ruleCode,
      new: countOf("new"),
      gone: countOf("gone"),
      changed: countOf("changed"),
      samples: samples.filter((sample) => sample.ruleCode === ruleCode).map(describeChange),
    };
  });
  const size = (rule: (typeof changes)[number]) => changeKinds.reduce((sum, kind) => sum + rule[kind], 0);
  return { ...describeRun(row), rules: changes.toSorted((a, b) => size(b) - size(a)) };
}

async function findRejudge(
  { db }: App,
  { workspaceId, rejudgeId }: { workspaceId: string; rejudgeId: string },
): Promise<RejudgeRow> {
  const row = await db
    .selectFrom("rejudges")
    .selectAll()
    .where("rejudgeId", "=", rejudgeId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  if (!row) throw notFound("rejudge");
  return row;
}

function describeRun(row: RejudgeRow) {
  const { filter, context, sidekickIds } = row.request as RejudgeRequest;
  return {
    rejudgeId: row.rejudgeId,
    state: row.state,
    dryRun: row.isDryRun,
    filter,
    context,
    sidekickIds,
    assetCount: row.assetCount,
    doneCount: row.doneCount,
    changedCount: row.changedCount,
    skippedCount: row.skippedCount,
    progressPercent: progressOf(row),
    errorMessage: row.errorMessage,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

function progressOf({ state, assetCount, doneCount }: RejudgeRow): number {
  if (state === "complete") return 100;
  return Math.min(99, Math.floor((100 * doneCount) / Math.max(1, assetCount)));
}

function describeChange(row: ChangeRow) {
  const { changeId, submissionId, assetId, filename, change, ruleCode, fingerprint, summary } = row;
  const { severityBefore, severityAfter } = row;
  return {
    changeId,
    submissionId,
    assetId,
    filename,
    change,
    ruleCode,
    fingerprint,
    severityBefore,
    severityAfter,
    summary,
  };
}

export type ChangeFilter = { ruleCode?: string | undefined; change?: ChangeKind | undefined };

/** Single differences, in the order in which they were found. */
export async function listChanges(
  app: App,
  options: {
    workspaceId: string;
    rejudgeId: string;
    filter: ChangeFilter;
    after: string | undefined;
    limit: number;
  },
) {
  await findRejudge(app, options);
  const { ruleCode, change } = options.filter;
  let query = app.db
    .selectFrom("rejudgeChanges")
    .selectAll()
    .where("rejudgeId", "=", options.rejudgeId)
    .where("workspaceId", "=", options.workspaceId)
    .orderBy("changeId")
    .limit(options.limit);
  if (ruleCode !== undefined) query = query.where("ruleCode", "=", ruleCode);
  if (change !== undefined) query = query.where("change", "=", change);
  if (options.after !== undefined) query = query.where("changeId", ">", options.after);
  return (await query.execute()).map(describeChange);
}

const columns = [
  "submissionId",
  "assetId",
  "filename",
  "change",
  "ruleCode",
  "severityBefore",
  "severityAfter",
] as const;
const pageSize = 1000;

/** All differences as CSV, for a spreadsheet. */
export async function* exportChanges(
  app: App,
  ids: { workspaceId: string; rejudgeId: string },
): AsyncGenerator<string> {
  yield `${[...columns, "summary"].join(",")}\r\n`;
  for (let after: string | undefined; ;) {
    const page = await listChanges(app, { ...ids, filter: {}, after, limit: pageSize });
    for (const change of page)
      yield `${[...columns.map((column) => change[column]), change.summary].map(csvCell).join(",")}\r\n`;
    after = page.at(-1)?.changeId;
    if (page.length < pageSize) return;
  }
}

/** A text that begins like a formula would be run by a spreadsheet. */
function csvCell(value: string | null): string {
  const text = value ?? "";
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
