import type { Kysely } from "kysely";
import { recordAudit } from "../audit/record-audit.ts";
import type { Mode, Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { OperatorError } from "../failure.ts";
import { newApiKey } from "./api-key.ts";
import { operator, type Actor } from "./caller.ts";
import { findWorkspace } from "./manage-workspaces.ts";

export type KeyRow = {
  keyId: string;
  workspaceId: string;
  mode: Mode;
  name: string | null;
  keyHint: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
};

/** The key itself is in this answer and nowhere else: only its hash is stored. */
export async function createKey(
  db: Kysely<Tables>,
  options: {
    workspace: string;
    mode: Mode;
    name?: string | undefined;
    expiresAt?: Date | undefined;
    actor?: Actor | undefined;
  },
): Promise<{ keyId: string; workspaceId: string; mode: Mode; key: string }> {
  const { workspaceId } = await findWorkspace(db, options.workspace);
  const { key, keyHash, keyHint } = newApiKey(options.mode);
  const keyId = uuidv7();
  const { mode, name = null, actor = operator } = options;
  const expiresAt = options.expiresAt ?? null;
  const createdBy = actor.kind === "person" ? actor.id : null;
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto("apiKeys")
      .values({ keyId, workspaceId, mode, name, keyHash, keyHint, expiresAt, createdBy })
      .execute();
    const target = { kind: "key", id: keyId };
    const detail = { mode, name, keyHint, expiresAt: expiresAt?.toISOString() ?? null };
    await recordAudit(trx, {
      workspaceId,
      actor,
      now: new Date(),
      changes: [{ action: "key.created", target, detail }],
    });
  });
  return { keyId, workspaceId, mode, key };
}

export async function listKeys(db: Kysely<Tables>, options: { workspace?: string | undefined }): Promise<KeyRow[]> {
  const workspace = options.workspace === undefined ? undefined : await findWorkspace(db, options.workspace);
  return db
    .selectFrom("apiKeys")
    .select(["keyId", "workspaceId", "mode", "name", "keyHint", "createdAt", "expiresAt", "revokedAt", "lastUsedAt"])
    .$if(workspace !== undefined, (query) => query.where("workspaceId", "=", workspace?.workspaceId ?? ""))
    .orderBy("keyId")
    .execute();
}

/** By the operator: a key of any workspace. */
export async function revokeKey(db: Kysely<Tables>, keyId: string): Promise<{ keyId: string; revokedAt: Date }> {
  const revoked = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(keyId)
    ? await revokeKeyOf(db, { keyId, actor: operator })
    : undefined;
  if (!revoked) throw new OperatorError(`There is no key "${keyId}". See their ids with: greenlit keys list`);
  return revoked;
}

/** Running processes refuse the key within five seconds. Revoking twice changes nothing. */
export async function revokeKeyOf(
  db: Kysely<Tables>,
  options: { keyId: string; workspaceId?: string; actor: Actor },
): Promise<{ keyId: string; revokedAt: Date } | undefined> {
  const { keyId, workspaceId, actor } = options;
  return db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom("apiKeys")
      .select(["keyId", "revokedAt"])
      .where("keyId", "=", keyId)
      .$if(workspaceId !== undefined, (query) => query.where("workspaceId", "=", workspaceId ?? ""))
      .forUpdate()
      .executeTakeFirst();
    if (!before) return undefined;
    if (before.revokedAt) return { keyId, revokedAt: before.revokedAt };
    const row = await trx
      .updateTable("apiKeys")
      .set((where) => ({ revokedAt: where.fn<Date>("now") }))
      .where("keyId", "=", keyId)
      .returning(["keyId", "workspaceId", "revokedAt"])
      .executeTakeFirstOrThrow();
    if (!row.revokedAt) return undefined;
    const changes = [{ action: "key.revoked", target: { kind: "key", id: row.keyId } }];
    await recordAudit(trx, { workspaceId: row.workspaceId, actor, now: new Date(), changes });
    return { keyId: row.keyId, revokedAt: row.revokedAt };
  });
}
