export type ByteRange = { start: number; end: number };

/**
 * The bytes that a `Range` header asks for; `end` is inclusive. Null: all of them, as for a header that is none of ours
 * to understand. An open end (`bytes=0-`) is cut at `openBytes`: a player asks for the next part, and is refused once
 * its session is over.
 */
export function parseRange(
  header: string | undefined,
  { sizeBytes, openBytes }: { sizeBytes: number; openBytes: number },
): ByteRange | "unsatisfiable" | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (first === "") {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? "unsatisfiable" : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return null;
  if (start >= sizeBytes) return "unsatisfiable";
  return { start, end: Math.min(last === "" ? start + openBytes - 1 : Number(last), sizeBytes - 1) };
}
