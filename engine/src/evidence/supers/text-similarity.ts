import { editDistance } from "../../edit-distance.ts";

/** How alike two readings of a text are, 0 to 1: spaces, case and signs are what readers differ in most. */
export function similarityOf(one: string, other: string): number {
  const [a, b] = [plain(one), plain(other)];
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 0 : 1 - editDistance(a, b) / longer;
}

/** Whether one text is a piece of another, three letters long or more. */
export function isPartOf(piece: string, text: string): boolean {
  return plain(piece).length >= 3 && plain(text).includes(plain(piece));
}

/** Where the end of one text is the beginning of another, as of a ticker; null: nowhere. */
export function joinOverlapping(one: string, other: string): string | null {
  let best = { length: 0, end: 0, start: 0 };
  const from = Math.max(0, one.length - 80);
  for (let end = from; end < one.length; end += 1) {
    for (let start = 0; start < other.length; start += 1) {
      let length = 0;
      while (end + length < one.length && one[end + length] === other[start + length] && start + length < other.length)
        length += 1;
      if (length > best.length) best = { length, end: end + length, start: start + length };
    }
  }
  if (best.length < Math.min(6, other.length)) return null;
  const rest = other.slice(best.start);
  return one.length - best.end >= rest.length ? one : one.slice(0, best.end) + rest;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
