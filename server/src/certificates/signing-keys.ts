import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Vault } from "../secret-key.ts";
import { keyIdOf } from "./dsse.ts";

type Keeper = { vault: Vault; now: () => Date };

/** The key that signs; the first certificate of a deployment makes it. */
export async function signingKey(
  trx: Kysely<Tables>,
  keeper: Keeper,
): Promise<{ keyId: string; privateKey: KeyObject }> {
  const find = () => trx.selectFrom("signingKeys").selectAll().where("retiredAt", "is", null).executeTakeFirst();
  const known = (await find()) ?? (await makeKey(trx, keeper).then(find));
  if (!known) throw new Error("There is no signing key, though one was just made.");
  const privateKey = createPrivateKey({
    key: Buffer.from(keeper.vault.decrypt(known.privateKey), "base64"),
    format: "der",
    type: "pkcs8",
  });
  return { keyId: known.keyId, privateKey };
}

async function makeKey(trx: Kysely<Tables>, { vault, now }: Keeper): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const secret = privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");
  await trx
    .insertInto("signingKeys")
    .values({
      keyId: keyIdOf(publicKey),
      publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
      privateKey: vault.encrypt(secret),
      createdAt: now(),
      retiredAt: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** New certificates are signed by a new key from now on. What the old one signed stays valid. */
export async function rotateSigningKey(db: Kysely<Tables>, keeper: Keeper): Promise<{ keyId: string }> {
  return db.transaction().execute(async (trx) => {
    await sql`lock table signing_keys in exclusive mode`.execute(trx);
    await trx.updateTable("signingKeys").set({ retiredAt: keeper.now() }).where("retiredAt", "is", null).execute();
    const { keyId } = await signingKey(trx, keeper);
    return { keyId };
  });
}

/** What anybody may know, to verify certificates without us. */
export async function publishedKeys(db: Kysely<Tables>) {
  const rows = await db.selectFrom("signingKeys").selectAll().orderBy("createdAt").execute();
  return {
    keys: rows.map(({ keyId, publicKey, createdAt, retiredAt }) => ({
      keyid: keyId,
      algorithm: "ed25519",
      publicKey,
      pem: createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" }).export({
        type: "spki",
        format: "pem",
      }) as string,
      createdAt: createdAt.toISOString(),
      retiredAt: retiredAt?.toISOString() ?? null,
    })),
  };
}
