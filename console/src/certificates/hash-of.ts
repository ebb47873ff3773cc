/** Browsers hash only what is in memory as a whole. */
const maxBytes = 2 ** 30;

/** The SHA-256 of a file, as hexadecimal text. */
export async function hashOf(file: File): Promise<string> {
  if (file.size > maxBytes) throw new Error("The file is too large to be compared in a browser.");
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
