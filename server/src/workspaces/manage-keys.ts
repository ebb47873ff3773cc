import type { Kysely } from "kysely";
import type { Mode, Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { OperatorError } from "../failure.ts";
import { newApiKey } from "./api-key.ts";
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
  options: { workspace: string; mode: Mode; name?: string | undefined; expiresAt?: Date | undefined },
): Promise<{ keyId: string; workspaceId: string; mode: Mode; key: string }> {
  const { workspaceId } = await findWorkspace(db, options.workspace);
  const { key, keyHash, keyHint } = newApiKey(options.mode);
  const keyId = uuidv7();
  await db
    .insertInto("apiKeys")
    .values({
      keyId,
      workspaceId,
      mode: options.mode,
      name: options.name ?? null,
      keyHash,
      keyHint,
      expiresAt: options.expiresAt ?? null,
    })
    .execute();
  return { keyId, workspaceId, mode: options.mode, key };
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

/** Running processes refuse the key within five seconds. Revoking twice keeps the first time. */
export async function revokeKey(db: Kysely<Tables>, keyId: string): Promise<{ keyId: string; revokedAt: Date }> {
  const missing = new OperatorError(`There is no key "${keyId}". See their ids with: greenlit keys list`);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(keyId)) throw missing;
  const row = await db
    .updateTable("apiKeys")
    .set((where) => ({ revokedAt: where.fn.coalesce("revokedAt", where.fn<Date>("now")) }))
    .where("keyId", "=", keyId)
    .returning(["keyId", "revokedAt"])
    .executeTakeFirst();
  if (!row?.revokedAt) throw missing;
  return { keyId: row.keyId, revokedAt: row.revokedAt };
}
