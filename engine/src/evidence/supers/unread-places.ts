import type { ReadLine } from "../../models/read-line.ts";
import type { Omission } from "../evidence.ts";
import { overlapOfBoxes } from "./text-extent.ts";
import { foreignScript, unreadLine } from "./unread-lines.ts";

/** Something that looks like a line of text and cannot be read. */
export type UnreadPlace = { line: ReadLine; seconds: number };

export type UnreadPlaces = {
  /** The reader has seen it for the first time, or again. */
  add: (line: ReadLine, seconds: number) => void;
  /** One that has stood long enough to be looked at again, and is forgotten with that; null: none. */
  due: (seconds: number) => UnreadPlace | null;
  /** It was there again, and is no texture. */
  confirm: (place: UnreadPlace, line: ReadLine, seconds: number) => void;
  omissions: () => Omission[];
};

/** Texture looks like text for a moment: what does so still after this time is text. */
const standsSeconds = 0.3;
/** What is over by then cannot be looked at again. */
const maxAgeSeconds = 1.5;
/** Of the smaller of two boxes. */
const samePlace = 0.6;
/** Looking again costs as much as a look at a strip: a film full of texture must not keep the reader busy. */
const restSeconds = 1.5;
const firstLooks = 2;
const secondsPerLook = 15;

/** Lines of a film that were found and not read: they are named as not checked, where they stand still. */
export function createUnreadPlaces(): UnreadPlaces {
  let waiting: UnreadPlace[] = [];
  const found: (Omission & { line: ReadLine; endSeconds: number })[] = [];
  let nextLook = 0;
  let looks = 0;
  const isAt = (one: ReadLine, other: ReadLine) => overlapOfBoxes(one.box, other.box) >= samePlace;
  return {
    add(line, seconds) {
      const known = found.find((other) => isAt(other.line, line) && seconds - other.endSeconds < 2 * restSeconds);
      if (known !== undefined) known.endSeconds = seconds;
      else if (!waiting.some((place) => isAt(place.line, line))) waiting.push({ line, seconds });
    },
    due(seconds) {
      waiting = waiting.filter((place) => seconds - place.seconds <= maxAgeSeconds);
      const place = waiting.find((each) => seconds - each.seconds >= standsSeconds);
      if (place === undefined || seconds < nextLook || looks >= firstLooks + seconds / secondsPerLook) return null;
      waiting = waiting.filter((other) => other !== place);
      nextLook = seconds + restSeconds;
      looks += 1;
      return place;
    },
    confirm(place, line, seconds) {
      if (!isAt(place.line, line)) return;
      const script = foreignScript(line);
      if (line.text !== "" && script === null) return;
      const what = script === null ? unreadLine : `Text in ${script} was not read.`;
      found.push({ what, startSeconds: place.seconds, endSeconds: seconds, line });
    },
    omissions: () =>
      found.map(({ what, startSeconds, endSeconds }) => ({ what, startSeconds: startSeconds ?? 0, endSeconds })),
  };
}
