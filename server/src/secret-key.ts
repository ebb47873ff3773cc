import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { ConfigError } from "./config.ts";
import type { Tables } from "./db/tables.ts";

/** The key of the configuration, or one made once and kept in the data folder. */
export function loadSecretKey(options: { configured: Buffer | undefined; dataFolder: string }): Buffer {
  if (options.configured) return options.configured;
  const file = join(options.dataFolder, "secret.key");
  if (!existsSync(file)) makeKeyFile(file);
  const key = Buffer.from(readFileSync(file, "utf8").trim(), "hex");
  if (key.length !== 32)
    throw new ConfigError(
      `${file} does not hold a key of 64 hexadecimal characters. Restore it from a backup, or set GREENLIT_SECRET_KEY.`,
    );
  return key;
}

/** Linked into place whole, so that neither a crash nor a second starter leaves or reads half a key. */
function makeKeyFile(file: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A key for one purpose; knowing it reveals nothing about the others. */
export function deriveKey(secretKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secretKey, "", `greenlit ${purpose}`, 32));
}

export function fingerprintOf(secretKey: Buffer): string {
  return createHmac("sha256", secretKey).update("fingerprint").digest("hex");
}

/** Refuses a key other than the one the database was set up with: what is stored could not be decrypted. */
export async function checkSecretKey(db: Kysely<Tables>, secretKey: Buffer): Promise<void> {
  const value = fingerprintOf(secretKey);
  await db
    .insertInto("deployment")
    .values({ name: "secret_key_fingerprint", value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await db
    .selectFrom("deployment")
    .select("value")
    .where("name", "=", "secret_key_fingerprint")
    .executeTakeFirst();
  if (stored?.value !== value)
    throw new ConfigError(
      "The secret key is not the one this database was set up with. Set GREENLIT_SECRET_KEY to the same value on every host, or use the data folder that belongs to this database.",
    );
}

export type Vault = { encrypt(text: string): Buffer; decrypt(sealed: Buffer): string };

/** Encrypts what must be readable again: AES-256-GCM, laid out as nonce, tag, text. */
export function openVault(secretKey: Buffer): Vault {
  const key = deriveKey(secretKey, "secrets at rest");
  return {
    encrypt(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    decrypt(sealed) {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString("utf8");
    },
  };
}
