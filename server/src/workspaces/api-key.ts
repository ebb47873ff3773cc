import { hash, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { databaseUnavailable } from "../db/database.ts";
import type { Mode, Tables } from "../db/tables.ts";
import { createFreshCache } from "../fresh-cache.ts";
import type { Caller } from "./caller.ts";

type KeyCaller = Caller & { keyId: string };

export type ApiKeys = {
  find(key: string): Promise<KeyCaller | undefined>;
  /** For those who prove by other means that they act for the key. */
  findById(keyId: string): Promise<KeyCaller | undefined>;
};

const prefixes: Record<Mode, string> = { live: "sk_live_", sandbox: "sk_test_" };

export function newApiKey(mode: Mode): { key: string; keyHash: Buffer; keyHint: string } {
  const key = prefixes[mode] + randomBytes(32).toString("hex");
  return { key, keyHash: hashOf(key), keyHint: `${prefixes[mode]}…${key.slice(-4)}` };
}

/** Revocation and plan changes are seen within this time. */
const freshMs = 2000;

type Found = { caller: KeyCaller; expiresAt: Date | null };
type By = { keyHash: Buffer } | { keyId: string };

/** Looks keys up by their hash, and remembers them for two seconds. */
export function createApiKeys(options: { db: Kysely<Tables>; now: () => Date }): ApiKeys {
  const { db, now } = options;

  async function read(by: By): Promise<Found | undefined> {
    const row = await db
      .selectFrom("apiKeys")
      .innerJoin("workspaces", "workspaces.workspaceId", "apiKeys.workspaceId")
      .select(["keyId", "mode", "apiKeys.name", "apiKeys.workspaceId", "plan", "expiresAt", "lastUsedAt"])
      .where((where) => where.and(by))
      .where("revokedAt", "is", null)
      .executeTakeFirst();
    if (!row) return undefined;
    const { keyId, name, mode, workspaceId, plan, expiresAt, lastUsedAt } = row;
    if (!lastUsedAt || now().getTime() - lastUsedAt.getTime() > 60_000) await touch(keyId);
    const actor = { kind: "key", id: keyId, name, role: "admin", markets: null } as const;
    return { caller: { keyId, workspaceId, plan, mode, actor }, expiresAt };
  }

  /** The time of last use is coarse on purpose: a write a minute and key, not one a request. */
  async function touch(keyId: string) {
    try {
      await db.updateTable("apiKeys").set({ lastUsedAt: now() }).where("keyId", "=", keyId).execute();
    } catch (error) {
      if (!databaseUnavailable(error)) throw error;
    }
  }

  const cache = createFreshCache({ freshMs, read });

  async function findCached(id: string, by: By): Promise<KeyCaller | undefined> {
    const found = await cache.get(id, by);
    if (!found) return undefined;
    const { caller, expiresAt } = found;
    return expiresAt && expiresAt <= now() ? undefined : caller;
  }

  return {
    async find(key) {
      if (!/^sk_(live|test)_[0-9a-f]{64}$/.test(key)) return undefined;
      const keyHash = hashOf(key);
      return findCached(keyHash.toString("base64"), { keyHash });
    },
    findById: (keyId) => findCached(keyId, { keyId }),
  };
}

function hashOf(key: string): Buffer {
  return hash("sha256", key, "buffer");
}
