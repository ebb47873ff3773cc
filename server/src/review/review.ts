import { sql, type Kysely, type Selectable } from "kysely";
import type { App } from "../app.ts";
import type { ReviewDecision, ReviewState } from "../db/people-tables.ts";
import { prepareStatement } from "../db/prepared.ts";
import type { Tables } from "../db/tables.ts";
import { Failure } from "../failure.ts";
import { nameTerms } from "./name-terms.ts";
import { assetNotFound, findAsset, type AssetIds } from "../submissions/reading/read-asset.ts";

export type ReviewRow = Selectable<Tables["reviews"]>;
export type DecisionRow = Selectable<Tables["reviewDecisions"]>;

/** States in which somebody still has to do something. */
export function isApproval(decision: ReviewDecision | ReviewState): boolean {
  return decision === "approved" || decision === "approved_with_conditions";
}

/**
 * The review of an asset, locked until the transaction ends: changes of its issues and decisions about it take turns, so
 * that what it counts is what there is.
 */
export async function lockReview(app: App, trx: Kysely<Tables>, ids: AssetIds): Promise<ReviewRow> {
  await keepSubmission(trx, ids);
  const found = await selectReview(trx, ids).forUpdate().executeTakeFirst();
  if (found) return found;
  await openMissing(app, trx, ids);
  return selectReview(trx, ids).forUpdate().executeTakeFirstOrThrow(assetNotFound);
}

/**
 * Holds off a deletion of the submission until the transaction ends. A deletion locks the submission, its assets and then
 * what belongs to them: a change that began with an issue or a review would deadlock with it, so this comes first.
 */
export async function keepSubmission(
  trx: Kysely<Tables>,
  { workspaceId, submissionId }: Omit<AssetIds, "assetId">,
): Promise<void> {
  await trx
    .selectFrom("submissions")
    .select("submissionId")
    .where("submissionId", "=", submissionId)
    .where("workspaceId", "=", workspaceId)
    .forKeyShare()
    .execute();
}

export async function findReview(app: App, ids: AssetIds): Promise<ReviewRow> {
  const found = await selectReview(app.db, ids).executeTakeFirst();
  if (found) return found;
  await openMissing(app, app.db, ids);
  return selectReview(app.db, ids).executeTakeFirstOrThrow(assetNotFound);
}

function selectReview(db: Kysely<Tables>, { workspaceId, submissionId, assetId }: AssetIds) {
  return db
    .selectFrom("reviews")
    .selectAll()
    .where("assetId", "=", assetId)
    .where("submissionId", "=", submissionId)
    .where("workspaceId", "=", workspaceId);
}

/** For an asset that a process of an older release completed. */
async function openMissing(app: App, db: Kysely<Tables>, ids: AssetIds): Promise<void> {
  const asset = await findAsset({ db }, ids);
  if (asset.status !== "complete")
    throw new Failure(
      asset.status === "failed" ? "asset_failed" : "asset_not_finished",
      "There is nothing to review: the asset is not complete. Poll the submission.",
    );
  await sql`
    insert into reviews (review_id, asset_id, submission_id, workspace_id, mode, state, filename, content_type,
        version_group_id, version_number, uploader_kind, uploader_id, opened_at, updated_at, terms)
      select asset_id, asset_id, submission_id, assets.workspace_id, mode, 'awaiting_review', filename, content_type,
          version_group_id, version_number, actor_kind, actor_id, ${app.now()}, ${app.now()},
          ${nameTerms(asset.filename)}::text[]
        from assets join submissions using (submission_id)
        where asset_id = ${asset.assetId} and assets.workspace_id = ${ids.workspaceId}
      on conflict (asset_id) do nothing`.execute(db);
  await recountReview(db, { assetId: asset.assetId, workspaceId: ids.workspaceId, now: app.now() });
}

/** Brings the counts in line with the issues. The review is locked: nobody else changes them meanwhile. */
export const recountReview = prepareStatement<{ assetId: string; workspaceId: string; now: Date }, ReviewRow>(`
  update reviews set critical_count = counted.critical, major_count = counted.major, minor_count = counted.minor,
      info_count = counted.info, undecided_count = counted.undecided, updated_at = :now
    from (
      select count(*) filter (where severity = 'CRITICAL' and is_open) as critical,
        count(*) filter (where severity = 'MAJOR' and is_open) as major,
        count(*) filter (where severity = 'MINOR' and is_open) as minor,
        count(*) filter (where severity = 'INFO' and is_open) as info,
        count(*) filter (where status in ('OPEN', 'AWAITING_HUMAN_INPUT')) as undecided
      from (
        select severity, status, status not in ('RESOLVED', 'DISMISSED') as is_open
          from issues where asset_id = :assetId and workspace_id = :workspaceId
      ) issue
    ) counted
    where asset_id = :assetId and workspace_id = :workspaceId`);

/** Names of people, for what only knows their ids. */
export async function namesOf(db: Kysely<Tables>, personIds: (string | null)[]): Promise<Map<string, string>> {
  const ids = [...new Set(personIds.filter((id) => id !== null))];
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("people").select(["personId", "name"]).where("personId", "in", ids).execute();
  return new Map(rows.map(({ personId, name }) => [personId, name]));
}

/** Those of the assets that have a small picture. */
export async function withThumbnail(db: Kysely<Tables>, rows: readonly ReviewRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const found = await db
    .selectFrom("renditions")
    .select("assetId")
    .where("kind", "=", "thumbnail")
    .where("number", "=", 0)
    .where(
      "assetId",
      "in",
      rows.map(({ assetId }) => assetId),
    )
    .where(
      "workspaceId",
      "in",
      rows.map(({ workspaceId }) => workspaceId),
    )
    .execute();
  return new Set(found.map(({ assetId }) => assetId));
}

export function describeReview(
  row: ReviewRow,
  { names, thumbnails, now }: { names: Map<string, string>; thumbnails: Set<string>; now: Date },
) {
  const isClaimed = row.claimedBy !== null && row.claimedUntil !== null && row.claimedUntil > now;
  return {
    reviewId: row.reviewId,
    submissionId: row.submissionId,
    assetId: row.assetId,
    state: row.state,
    mode: row.mode,
    filename: row.filename,
    mimeType: row.contentType,
    hasThumbnail: thumbnails.has(row.assetId),
    versionGroupId: row.versionGroupId,
    versionNumber: row.versionNumber,
    markets: row.markets,
    severity: row.severity === "NONE" ? null : row.severity,
    openIssues: {
      CRITICAL: row.criticalCount,
      MAJOR: row.majorCount,
      MINOR: row.minorCount,
      INFO: row.infoCount,
    },
    undecidedCount: row.undecidedCount,
    uploader: row.uploaderKind && row.uploaderId ? { kind: row.uploaderKind, id: row.uploaderId } : null,
    assignee: row.assigneeId === null ? null : { personId: row.assigneeId, name: names.get(row.assigneeId) ?? "" },
    dueAt: row.dueAt?.toISOString() ?? null,
    claim: isClaimed
      ? {
          holderId: row.claimedBy ?? "",
          name: names.get(row.claimedBy ?? "") ?? null,
          until: row.claimedUntil?.toISOString() ?? "",
        }
      : null,
    openedAt: row.openedAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  };
}

export type DescribedReview = ReturnType<typeof describeReview>;

export function describeDecision(row: DecisionRow) {
  return {
    decisionId: row.decisionId,
    decision: row.decision,
    reason: row.reason,
    conditions: row.conditions,
    markets: row.markets,
    decidedBy: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    createdAt: row.createdAt.toISOString(),
    supersededBy: row.supersededBy,
  };
}

/** The review with every decision about it, oldest first. */
export async function readReview(app: App, ids: AssetIds) {
  const row = await findReview(app, ids);
  const decisions = await app.db
    .selectFrom("reviewDecisions")
    .selectAll()
    .where("reviewId", "=", row.reviewId)
    .where("workspaceId", "=", ids.workspaceId)
    .orderBy("decisionId")
    .execute();
  const [names, thumbnails] = await Promise.all([
    namesOf(app.db, [row.assigneeId, row.claimedBy]),
    withThumbnail(app.db, [row]),
  ]);
  return { ...describeReview(row, { names, thumbnails, now: app.now() }), decisions: decisions.map(describeDecision) };
}

/** Somebody else works on it. */
export function refuseClaimed(review: ReviewRow, { holderId, now }: { holderId: string; now: Date }): void {
  const { claimedBy, claimedUntil } = review;
  if (claimedBy === null || claimedBy === holderId || claimedUntil === null || claimedUntil <= now) return;
  throw new Failure(
    "review_claimed",
    `Somebody else is working on this review until ${claimedUntil.toISOString()}. Wait, or ask them to release it.`,
  );
}

/** A role that is limited to markets decides only about those. What is decided of an issue holds for all its asset's. */
export function refuseForeignMarkets(markets: readonly string[], allowed: readonly string[] | null): void {
  if (allowed === null) return;
  const foreign = markets.filter((market) => !allowed.includes(market));
  if (foreign.length > 0 || markets.length === 0) throw marketNotAllowed(foreign, allowed);
}

/** To take part in a review, one of its markets is enough. */
export function refuseOutsider({ markets }: ReviewRow, allowed: readonly string[] | null): void {
  if (allowed === null || markets.some((market) => allowed.includes(market))) return;
  throw marketNotAllowed(markets, allowed);
}

function marketNotAllowed(markets: readonly string[], allowed: readonly string[]): Failure {
  const about = markets.length > 0 ? `this is about ${markets.join(", ")}` : "no market is named";
  return new Failure(
    "market_not_allowed",
    `Your role is limited to ${allowed.join(", ") || "no market"}, and ${about}. Ask an admin.`,
  );
}
