import type { Span } from "../evidence.ts";
import { type FilmPart, ownSpan } from "./film-part.ts";

type PartSpans = { part: FilmPart; spans: readonly Span[] };

/** Stretches in which something holds at every moment: each part says what is in its own, and what goes over a cut is one. */
export function joinSpans(parts: readonly PartSpans[]): Span[] {
  const joined: Span[] = [];
  let isOpen = false;
  for (const { part, spans } of parts) {
    const own = ownSpan(part);
    for (const span of spans) {
      const startSeconds = Math.max(span.startSeconds, own.startSeconds);
      const endSeconds = Math.min(span.endSeconds, own.endSeconds);
      if (endSeconds <= startSeconds) continue;
      const last = joined.at(-1);
      // Two still pictures may meet at the cut: only what goes on over it, in the eyes of either part, is one.
      const goesOn = startSeconds === own.startSeconds && (isOpen || span.startSeconds < own.startSeconds);
      if (goesOn && last?.endSeconds === startSeconds) last.endSeconds = endSeconds;
      else joined.push({ startSeconds, endSeconds });
      isOpen = span.endSeconds > own.endSeconds;
    }
  }
  return joined;
}

/** Something that was seen as a whole, or as far as the part goes. */
type PartItems<Item> = { part: FilmPart; items: readonly Item[] };

/**
 * Things with a start and an end. Who sees the start has it; what the part before has seen up to its end goes on in the
 * next one. `unite` gets both views of the same thing, and whether the earlier one saw it end.
 */
export function joinItems<Item extends Span>(
  parts: readonly PartItems<Item>[],
  rules: {
    isSame: (earlier: Item, later: Item) => boolean;
    unite: (earlier: Item, later: Item, seen: { isWhole: boolean; cutSeconds: number }) => Item;
  },
): Item[] {
  const joined: Item[] = [];
  let earlierUntil = Infinity;
  for (const { part, items } of parts) {
    const { startSeconds: cutSeconds, endSeconds } = ownSpan(part);
    const known = joined.length;
    for (const item of items) {
      if (item.startSeconds >= endSeconds || item.endSeconds <= cutSeconds) continue;
      const index = joined.findIndex(
        (earlier, at) =>
          at < known &&
          earlier.endSeconds > cutSeconds - nearSeconds &&
          item.startSeconds < cutSeconds + nearSeconds &&
          earlier.startSeconds < item.endSeconds &&
          rules.isSame(earlier, item),
      );
      const earlier = joined[index];
      const isWhole = earlier !== undefined && earlier.endSeconds < earlierUntil - endsWithinSeconds;
      if (earlier === undefined) joined.push(item);
      else joined[index] = rules.unite(earlier, item, { isWhole, cutSeconds });
    }
    earlierUntil = part.range.untilSeconds ?? Infinity;
  }
  return joined.toSorted((a, b) => a.startSeconds - b.startSeconds);
}

/** What is seen to begin just before the cut by one part and just after it by the other is the same. */
const nearSeconds = 0.5;
/** As long as a pause within flashes may be: what ends so near to the end of a part may go on after it. */
const endsWithinSeconds = 1.5;
