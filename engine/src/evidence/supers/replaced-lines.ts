import { placeOf } from "./super-match.ts";
import { tellsApart } from "./text-edits.ts";
import { overlapOfBoxes } from "./text-extent.ts";
import type { Track } from "./text-track.ts";

/** Of the smaller of two boxes: the new line is where the other was. */
const samePlace = 0.3;
/** Figures that stand for less than this are counted, not read. */
const counterSeconds = 1.2;
/** So many in a row are a clock: what follows is not looked into any more. */
const clockRun = 3;

/** A line that has come where another was does not begin before the other ended, however alike their letters are. */
export function beginAfter(track: Track, ended: readonly Track[]): void {
  for (const other of ended) {
    if (other.goneSeconds === null || other.goneSeconds > track.readSeconds) continue;
    if (overlapOfBoxes(placeOf(other), track.box) < samePlace) continue;
    if (!other.isReplaced && !tellsApart(other.reading, track.reading)) continue;
    if (track.since !== null && track.since.seconds > other.goneSeconds) continue;
    track.since = { seconds: other.goneSeconds, beforeSeconds: other.lastSeconds, isReplacing: other.isReplaced };
    track.counterRun = isCounted(other, track) ? other.counterRun + 1 : 0;
    if (track.counterRun >= clockRun) track.slices = null;
  }
}

export function isClock({ counterRun }: Track): boolean {
  return counterRun >= clockRun;
}

function isCounted(other: Track, track: Track): boolean {
  const isShort = other.lastSeconds - other.firstSeconds < counterSeconds;
  return isShort && figuresIn(track.reading.text) >= 4 && shapeOf(other.reading.text) === shapeOf(track.reading.text);
}

/** A text without what counts on in a clock. */
export function shapeOf(text: string): string {
  return text.replaceAll(/\d/g, "0").replaceAll(/[^\p{L}\p{N}]/gu, "");
}

export function figuresIn(text: string): number {
  return text.match(/\d/g)?.length ?? 0;
}
