import { severities, type Finding } from "@greenlit/engine/finding.ts";
import { sql, type Kysely } from "kysely";
import type { App } from "../app.ts";
import type { Tables } from "../db/tables.ts";
import { announce } from "../realtime/announce.ts";
import { reviewersId } from "../review/report-issue.ts";
import { lockReview, recountReview } from "../review/review.ts";
import { secondReaderId } from "../second-reader/second-reader.ts";
import { initialStatus, type IssueRow } from "../submissions/issues/issue.ts";
import { insertIssues, makeIssues } from "../submissions/issues/make-issues.ts";
import { recordEvent } from "../webhooks/record-event.ts";
import type { Judged, Run } from "./rejudge.ts";
import { readRemovedIssues, removeIssues, restoreHistory, type RemovedIssue } from "./removed-issues.ts";

/**
 * Puts a new result in the place of an asset's old one. Issues with a known fingerprint stay the same issues with their
 * decisions, unless they have become graver, and so do those that an earlier run took away and this one brings back;
 * what people and the second reader found stays. False: the asset is gone.
 */
export async function replaceResult(
  app: App,
  trx: Kysely<Tables>,
  { run, judged }: { run: Run; judged: Judged },
): Promise<boolean> {
  const { candidate, context, findings, measurements, changes } = judged;
  const { submissionId, assetId } = candidate;
  const { workspaceId } = run;
  const ids = { workspaceId, submissionId, assetId };
  const asset = await trx
    .selectFrom("assets")
    .selectAll()
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  if (!asset) return false;
  const review = await lockReview(app, trx, ids);
  const now = app.now();
  const old = await trx
    .selectFrom("issues")
    .selectAll()
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .orderBy("position")
    .forUpdate()
    .execute();
  const byRules = old.filter(isByRules);
  const known = new Map(byRules.map((issue) => [issue.fingerprint, issue]));
  const removed = await readRemovedIssues(trx, ids);
  const knownIds = new Map([...removed.values(), ...byRules].map(({ fingerprint, issueId }) => [fingerprint, issueId]));
  const made = await makeIssues(trx, { asset, findings, context, knownIds, now });
  const before = (fingerprint: string) => known.get(fingerprint) ?? removed.get(fingerprint);
  const issues = made.map((issue) => keepDecision(issue, before(issue.fingerprint)));
  const found = new Set(issues.map(({ issueId }) => issueId));
  const gone = byRules.filter(({ issueId }) => !found.has(issueId)).map(({ issueId }) => issueId);
  const byOthers = old
    .filter((issue) => !isByRules(issue))
    .map((issue, index) => ({ ...issue, position: issues.length + index }));

  await removeIssues(trx, { workspaceId, issueIds: gone });
  const stays = [...issues.filter(({ fingerprint }) => known.has(fingerprint)), ...byOthers];
  await moveIssues(trx, { workspaceId, assetId, issues: stays });
  const added = issues.filter(({ fingerprint }) => !known.has(fingerprint));
  await insertIssues(trx, added);
  await restoreHistory(trx, { ...ids, fingerprints: added.map(({ fingerprint }) => fingerprint) });
  await moveFrames(trx, { workspaceId, assetId, old, issues: [...issues, ...byOthers] });
  await trx
    .updateTable("assetResults")
    .set({ measurements: JSON.stringify(measurements), context: JSON.stringify(context) })
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .execute();
  await trx
    .updateTable("assets")
    .set({ issueCount: issues.length + byOthers.length })
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .execute();
  await trx
    .updateTable("reviews")
    .set({ markets: (context.jurisdictions ?? []).map(String) })
    .where("reviewId", "=", review.reviewId)
    .where("workspaceId", "=", workspaceId)
    .execute();
  // It certifies a result that is no longer the asset's.
  await trx
    .updateTable("certificates")
    .set({ supersededByRejudge: run.rejudgeId })
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .where("supersededByRejudge", "is", null)
    .execute();
  await recountReview(trx, { assetId, workspaceId, now });
  await announce(trx, {
    workspaceId,
    event: "review.changed",
    data: { submissionId, assetId, reviewId: review.reviewId },
  });
  const countOf = (kind: string) => changes.filter(({ change }) => change === kind).length;
  await recordEvent(trx, {
    ...ids,
    type: "asset.rejudged",
    now,
    data: {
      asset_id: assetId,
      submission_id: submissionId,
      workspace_id: workspaceId,
      rejudge_id: run.rejudgeId,
      issue_count: issues.length + byOthers.length,
      new_count: countOf("new"),
      gone_count: countOf("gone"),
      changed_count: countOf("changed"),
      filename: asset.filename,
      version_group_id: asset.versionGroupId,
      version_number: asset.versionNumber,
      livemode: run.mode === "live",
    },
  });
  return true;
}

function isByRules({ sidekickId }: IssueRow): boolean {
  return sidekickId !== reviewersId && sidekickId !== secondReaderId;
}

/** A decision about a milder problem does not cover a graver one. */
function keepDecision(issue: IssueRow, before: RemovedIssue | undefined): IssueRow {
  if (!before) return issue;
  const { createdAt, referenceNumber, earlierIssueId } = before;
  const isGraver = severities.indexOf(issue.severity) < severities.indexOf(before.severity);
  const isDecided = before.status !== "OPEN" && before.status !== "AWAITING_HUMAN_INPUT";
  const { secondReader } = before.finding as Finding;
  const finding = secondReader ? { ...issue.finding, secondReader } : issue.finding;
  const status = isDecided && !isGraver ? before.status : initialStatus(issue.finding as Finding);
  const reopened = before.reopened || (isDecided && isGraver);
  return { ...issue, finding, status, reopened, createdAt, referenceNumber, earlierIssueId };
}

/** Out of the way first: two issues must never have one position, not even for a moment. */
async function moveIssues(
  trx: Kysely<Tables>,
  { workspaceId, assetId, issues }: { workspaceId: string; assetId: string; issues: readonly IssueRow[] },
): Promise<void> {
  await sql`update issues set position = -1 - position
    where asset_id = ${assetId} and workspace_id = ${workspaceId}`.execute(trx);
  await sql`
    update issues set position = new.position, severity = new.severity, status = new.status, finding = new.finding,
        rule_code = new."ruleCode", sidekick_id = new."sidekickId", reopened = new.reopened,
        updated_at = case when issues.finding = new.finding and issues.status = new.status then issues.updated_at
          else new."updatedAt" end
      from jsonb_to_recordset(${JSON.stringify(issues)}) as new ("issueId" uuid, position integer, severity text,
        status text, finding jsonb, "ruleCode" text, "sidekickId" uuid, reopened boolean, "updatedAt" timestamptz)
      where issues.issue_id = new."issueId" and issues.workspace_id = ${workspaceId}`.execute(trx);
}

/** Frames know issues by position. What is new has no frame: the file is not opened for it. */
async function moveFrames(
  trx: Kysely<Tables>,
  options: { workspaceId: string; assetId: string; old: readonly IssueRow[]; issues: readonly IssueRow[] },
): Promise<void> {
  const { workspaceId, assetId, old, issues } = options;
  const places = new Map(issues.map(({ issueId, position }) => [issueId, position]));
  const moved = new Map(old.map(({ issueId, position }) => [position, places.get(issueId)]));
  const frames = await trx
    .selectFrom("assetFrames")
    .select(["frameId", "issuePositions"])
    .where("assetId", "=", assetId)
    .where("workspaceId", "=", workspaceId)
    .execute();
  for (const { frameId, issuePositions } of frames)
    await trx
      .updateTable("assetFrames")
      .set({ issuePositions: issuePositions.flatMap((position) => moved.get(position) ?? []) })
      .where("frameId", "=", frameId)
      .where("workspaceId", "=", workspaceId)
      .execute();
}
