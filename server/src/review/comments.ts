import type { Kysely, Selectable } from "kysely";
import type { App } from "../app.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { Failure } from "../failure.ts";
import { notFound } from "../not-found.ts";
import { announce } from "../realtime/announce.ts";
import { hasRole } from "../people/role.ts";
import { issueNotFound } from "../submissions/reading/read-issues.ts";
import { findAsset, type AssetIds } from "../submissions/reading/read-asset.ts";
import type { Asset } from "../submissions/submission.ts";
import type { Caller } from "../workspaces/caller.ts";

type Ids = Omit<AssetIds, "workspaceId">;
type CommentRow = Selectable<Tables["comments"]>;

/** Where a comment points: a moment or a range, a box in the picture, a page, an issue; what applies. */
export type Anchor = {
  startSeconds?: number | null;
  endSeconds?: number | null;
  page?: number | null;
  region?: { x: number; y: number; width: number; height: number } | null;
  issueId?: string | null;
};

/**
 * The threads of an asset, and those of its earlier versions that were open when it came. An issue's thread follows its
 * finding.
 */
export async function listComments(app: App, options: AssetIds & { after: string | undefined; limit: number }) {
  const { workspaceId, after, limit } = options;
  const asset = await findAsset(app, options);
  const rows = await app.db
    .selectFrom("comments")
    .leftJoin("comments as thread", "thread.commentId", "comments.threadId")
    .innerJoin("submissions", (join) => join.on("submissions.submissionId", "=", asset.submissionId))
    .selectAll("comments")
    .where("comments.workspaceId", "=", workspaceId)
    .where("comments.versionGroupId", "=", asset.versionGroupId)
    .where("comments.versionNumber", "<=", asset.versionNumber)
    .where("comments.deletedAt", "is", null)
    .where("thread.deletedAt", "is", null)
    .where((where) => {
      const begunIn = where.fn.coalesce("thread.versionNumber", "comments.versionNumber");
      const resolvedAt = where.fn.coalesce("thread.resolvedAt", "comments.resolvedAt");
      return where.or([
        where(begunIn, "=", asset.versionNumber),
        where(resolvedAt, "is", null),
        // Resolved on this version: who resolved it by mistake must still find it.
        where(resolvedAt, ">=", where.ref("submissions.createdAt")),
      ]);
    })
    .$if(after !== undefined, (query) => query.where("comments.commentId", ">", after ?? ""))
    .orderBy("comments.commentId")
    .limit(limit)
    .execute();
  const issues = await issuesOf(app.db, { asset, rows });
  return rows.map((row) => describeComment(row, { asset, issues }));
}

export async function createComment(
  app: App,
  options: Ids & { caller: Caller; text: string; anchor: Anchor | undefined; threadId: string | undefined },
) {
  const { caller, submissionId, assetId, text, anchor, threadId } = options;
  const { workspaceId, actor } = caller;
  const asset = await findAsset(app, { workspaceId, submissionId, assetId });
  const fingerprint = anchor?.issueId ? await fingerprintOf(app.db, { asset, issueId: anchor.issueId }) : null;
  if (threadId !== undefined) await requireThread(app.db, { asset, threadId });
  const now = app.now();
  const row = await app.db.transaction().execute(async (trx) => {
    const inserted = await trx
      .insertInto("comments")
      .values({
        commentId: uuidv7(now.getTime()),
        workspaceId,
        assetId,
        versionGroupId: asset.versionGroupId,
        versionNumber: asset.versionNumber,
        threadId: threadId ?? null,
        text,
        anchor: anchor ? JSON.stringify(anchor) : null,
        fingerprint,
        actorKind: actor.kind,
        actorId: actor.id,
        actorName: actor.name,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const { commentId } = inserted;
    await announce(trx, { workspaceId, event: "comment.created", data: { submissionId, assetId, commentId } });
    const target = { kind: "comment", id: commentId };
    await recordAudit(trx, {
      workspaceId,
      actor,
      now,
      changes: [{ action: "comment.created", target, detail: { assetId, threadId } }],
    });
    return inserted;
  });
  return describeComment(row, { asset, issues: new Map(fingerprint ? [[fingerprint, anchor?.issueId ?? ""]] : []) });
}

/** Its author changes the text; anybody who reviews resolves a thread or opens it again. */
export async function changeComment(
  app: App,
  options: Ids & { caller: Caller; commentId: string; text: string | undefined; isResolved: boolean | undefined },
) {
  const { caller, commentId, text, isResolved } = options;
  const { workspaceId, actor } = caller;
  const { asset, comment } = await findComment(app, options);
  if (text !== undefined && comment.actorId !== actor.id) throw notYours("change");
  if (isResolved !== undefined && comment.threadId !== null)
    throw new Failure("invalid_request", "Only a thread is resolved: name the comment that began it.", {
      details: [{ path: "isResolved", message: "is for the comment that began the thread" }],
    });
  const now = app.now();
  const row = await app.db.transaction().execute(async (trx) => {
    const updated = await trx
      .updateTable("comments")
      .set({
        ...(text !== undefined && { text }),
        ...(isResolved !== undefined && {
          resolvedAt: isResolved ? now : null,
          resolvedBy: isResolved ? (actor.name ?? actor.id) : null,
        }),
        updatedAt: now,
      })
      .where("commentId", "=", commentId)
      .where("workspaceId", "=", workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow(commentNotFound);
    const target = { kind: "comment", id: commentId };
    await recordAudit(trx, {
      workspaceId,
      actor,
      now,
      changes: [
        {
          action: "comment.changed",
          target,
          detail: { assetId: asset.assetId, isTextChanged: text !== undefined, isResolved },
        },
      ],
    });
    return updated;
  });
  return describeComment(row, { asset, issues: await issuesOf(app.db, { asset, rows: [row] }) });
}

/** Its author, or an admin. The answers to it are not shown any more. */
export async function deleteComment(app: App, options: Ids & { caller: Caller; commentId: string }): Promise<void> {
  const { caller, commentId } = options;
  const { workspaceId, actor } = caller;
  const { asset, comment } = await findComment(app, options);
  if (comment.actorId !== actor.id && !hasRole(actor.role, "admin")) throw notYours("delete");
  const now = app.now();
  await app.db.transaction().execute(async (trx) => {
    await trx
      .updateTable("comments")
      .set({ deletedAt: now, text: "" })
      .where("commentId", "=", commentId)
      .where("workspaceId", "=", workspaceId)
      .execute();
    const target = { kind: "comment", id: commentId };
    await recordAudit(trx, {
      workspaceId,
      actor,
      now,
      changes: [{ action: "comment.deleted", target, detail: { assetId: asset.assetId } }],
    });
  });
}

async function findComment(app: App, options: Ids & { caller: Caller; commentId: string }) {
  const { caller, submissionId, assetId, commentId } = options;
  const { workspaceId } = caller;
  const asset = await findAsset(app, { workspaceId, submissionId, assetId });
  const comment = await app.db
    .selectFrom("comments")
    .selectAll()
    .where("commentId", "=", commentId)
    .where("versionGroupId", "=", asset.versionGroupId)
    .where("workspaceId", "=", workspaceId)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!comment) throw commentNotFound();
  return { asset, comment };
}

function commentNotFound(): Failure {
  return notFound("comment");
}

function notYours(verb: string): Failure {
  return new Failure("role_required", `Only the author of a comment may ${verb} it.`);
}

async function requireThread(
  db: Kysely<Tables>,
  { asset, threadId }: { asset: Asset; threadId: string },
): Promise<void> {
  const thread = await db
    .selectFrom("comments")
    .select("commentId")
    .where("commentId", "=", threadId)
    .where("workspaceId", "=", asset.workspaceId)
    .where("versionGroupId", "=", asset.versionGroupId)
    .where("threadId", "is", null)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!thread)
    throw new Failure("invalid_request", "The threadId names no thread of this asset.", {
      details: [{ path: "threadId", message: "must be a comment that began a thread of this asset" }],
    });
}

async function fingerprintOf(
  db: Kysely<Tables>,
  { asset, issueId }: { asset: Asset; issueId: string },
): Promise<string> {
  const issue = await db
    .selectFrom("issues")
    .select("fingerprint")
    .where("issueId", "=", issueId)
    .where("assetId", "=", asset.assetId)
    .where("workspaceId", "=", asset.workspaceId)
    .executeTakeFirst();
  if (!issue) throw issueNotFound();
  return issue.fingerprint;
}

/** This version's issues with the fingerprints that comments point to. */
async function issuesOf(
  db: Kysely<Tables>,
  { asset, rows }: { asset: Asset; rows: readonly CommentRow[] },
): Promise<Map<string, string>> {
  const fingerprints = [...new Set(rows.flatMap(({ fingerprint }) => fingerprint ?? []))];
  if (fingerprints.length === 0) return new Map();
  const issues = await db
    .selectFrom("issues")
    .select(["issueId", "fingerprint"])
    .where("assetId", "=", asset.assetId)
    .where("workspaceId", "=", asset.workspaceId)
    .where("fingerprint", "in", fingerprints)
    .execute();
  return new Map(issues.map(({ fingerprint, issueId }) => [fingerprint, issueId]));
}

export type DescribedComment = ReturnType<typeof describeComment>;

function describeComment(row: CommentRow, { asset, issues }: { asset: Asset; issues: Map<string, string> }) {
  const anchor = row.anchor as Anchor | null;
  return {
    commentId: row.commentId,
    threadId: row.threadId,
    text: row.text,
    anchor: anchor && {
      startSeconds: anchor.startSeconds ?? null,
      endSeconds: anchor.endSeconds ?? null,
      page: anchor.page ?? null,
      region: anchor.region ?? null,
      issueId: row.fingerprint === null ? null : (issues.get(row.fingerprint) ?? null),
    },
    author: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    fromVersion: row.versionNumber === asset.versionNumber ? null : row.versionNumber,
    isResolved: row.resolvedAt !== null,
    resolvedBy: row.resolvedBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
