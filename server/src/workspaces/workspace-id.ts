import { randomBytes } from "node:crypto";

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** `ws_` and 16 characters of lower-case base32. */
export function newWorkspaceId(): string {
  return `ws_${Array.from(randomBytes(16), (byte) => alphabet[byte % 32]).join("")}`;
}
