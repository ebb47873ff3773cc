import type { Kysely, Selectable } from "kysely";
import type { Tables } from "../db/tables.ts";
import { chainWaiting } from "./chain-audit.ts";
import { firstLink, hashContent, linkHash } from "./record-audit.ts";

type AuditRow = Selectable<Tables["auditEntries"]>;

export type AuditFilter = { action?: string | undefined; actorId?: string | undefined; targetId?: string | undefined };

/** A page of the workspace's audit, the newest first. */
export async function listAudit(
  db: Kysely<Tables>,
  options: { workspaceId: string; filter: AuditFilter; before: number | undefined; limit: number },
) {
  const { workspaceId, filter, before, limit } = options;
  await chainWaiting(db, workspaceId);
  let query = db
    .selectFrom("auditEntries")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .orderBy("number", "desc")
    .limit(limit);
  if (before !== undefined) query = query.where("number", "<", before);
  if (filter.action !== undefined) query = query.where("action", "=", filter.action);
  if (filter.actorId !== undefined) query = query.where("actorId", "=", filter.actorId);
  if (filter.targetId !== undefined) query = query.where("targetId", "=", filter.targetId);
  return (await query.execute()).map(describeEntry);
}

export function describeEntry(row: AuditRow) {
  return {
    number: row.number,
    entryId: row.entryId,
    createdAt: row.createdAt.toISOString(),
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    action: row.action,
    target: { kind: row.targetKind, id: row.targetId },
    detail: row.detail,
    hash: row.hash.toString("hex"),
  };
}

const batchSize = 5000;

/** All entries in order, a batch at a time: a long audit does not fit into memory. */
export async function* readAllAudit(db: Kysely<Tables>, workspaceId: string): AsyncGenerator<AuditRow> {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom("auditEntries")
      .selectAll()
      .where("workspaceId", "=", workspaceId)
      .where("number", ">", after)
      .orderBy("number")
      .limit(batchSize)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.number;
  }
}

export type AuditProof = {
  workspaceId: string;
  entries: number;
  head: string;
  /** The first entry that is not what was written, or is missing; null when the chain is whole. */
  broken: { number: number; reason: string } | null;
};

/** Recomputes every link from what is stored, as it is at one moment: a service that goes on must not look like a forger. */
export async function verifyAudit(db: Kysely<Tables>, workspaceId: string): Promise<AuditProof> {
  await chainWaiting(db, workspaceId);
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute((trx) => verifyChain(trx, workspaceId));
}

async function verifyChain(db: Kysely<Tables>, workspaceId: string): Promise<AuditProof> {
  let link = firstLink(workspaceId);
  let entries = 0;
  const proof = (broken: AuditProof["broken"]) => ({ workspaceId, entries, head: link.toString("hex"), broken });
  for await (const row of readAllAudit(db, workspaceId)) {
    const number = entries + 1;
    if (row.number !== number) return proof({ number, reason: "the entry is missing" });
    const content = { ...row, createdAt: row.createdAt.toISOString() };
    const contentHash = hashContent(content);
    if (!contentHash.equals(row.contentHash)) return proof({ number, reason: "the entry was changed" });
    link = linkHash(link, contentHash);
    if (!link.equals(row.hash)) return proof({ number, reason: "the link to the entries before was changed" });
    entries = number;
  }
  const head = await db
    .selectFrom("auditHeads")
    .select(["number", "hash"])
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  if (head && head.number > entries) return proof({ number: entries + 1, reason: "the entry is missing" });
  if (head && (head.number !== entries || !head.hash.equals(link)))
    return proof({ number: entries, reason: "the head of the chain was changed" });
  return proof(null);
}
