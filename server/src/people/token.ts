import { createHash, randomBytes } from "node:crypto";

/** 32 random bytes for a cookie or a link; only their hash is stored. */
export function newToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString("base64url");
  return { token, tokenHash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
