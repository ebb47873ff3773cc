import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import { runPrepared } from "../db/prepared.ts";
import type { Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import type { Actor } from "../workspaces/caller.ts";

export type Change = {
  /** What happened, as `noun.verb`: `key.revoked`. */
  action: string;
  /** What it happened to. */
  target: { kind: string; id: string };
  /** Never a secret, never the text of media. Whole numbers and text only: what is hashed must read the same later. */
  detail?: Record<string, unknown>;
};

/**
 * Appends to the workspace's audit, in the transaction of the change and as its last step: the next one in the
 * workspace waits from here to the commit.
 */
export async function recordAudit(
  trx: Kysely<Tables>,
  options: { workspaceId: string; actor: Actor; now: Date; changes: readonly Change[] },
): Promise<void> {
  if (options.changes.length === 0) return;
  await runPrepared(trx, "select append_audit($1, $2::jsonb)", [options.workspaceId, writeAudit(options)]);
}

/** The entries for a statement that leaves them in `audit_waiting` itself. */
export function writeAudit(options: {
  workspaceId: string;
  actor: Actor;
  now: Date;
  changes: readonly Change[];
}): string {
  const { workspaceId, actor, now } = options;
  return JSON.stringify(
    options.changes.map(({ action, target, detail = {} }) => {
      const content = {
        workspaceId,
        entryId: uuidv7(now.getTime()),
        createdAt: now.toISOString(),
        actorKind: actor.kind,
        actorId: actor.id,
        actorName: actor.name,
        action,
        targetKind: target.kind,
        targetId: target.id,
        detail,
      };
      return { ...content, contentHash: hashContent(content).toString("hex") };
    }),
  );
}

export type AuditContent = {
  workspaceId: string;
  entryId: string;
  createdAt: string;
  actorKind: string;
  actorId: string | null;
  actorName: string | null;
  action: string;
  targetKind: string;
  targetId: string;
  detail: Record<string, unknown>;
};

export function hashContent(content: AuditContent): Buffer {
  const { workspaceId, entryId, createdAt, actorKind, actorId, actorName, action, targetKind, targetId } = content;
  const facts = [workspaceId, entryId, createdAt, actorKind, actorId, actorName, action, targetKind, targetId];
  return createHash("sha256")
    .update(JSON.stringify([...facts, inOrder(content.detail)]))
    .digest();
}

/** The link to everything before: what the database's `append_audit` computes. */
export function linkHash(previous: Buffer, contentHash: Buffer): Buffer {
  return createHash("sha256").update(previous).update(contentHash).digest();
}

export function firstLink(workspaceId: string): Buffer {
  return createHash("sha256").update(workspaceId).digest();
}

/** The database keeps no order of properties. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, inOrder(inner)]),
  );
}
