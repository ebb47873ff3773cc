import type { ReadLine } from "../../models/read-line.ts";
import { areOtherWords } from "../../models/ocr/other-words.ts";
import { editsBetween, isSlip } from "./text-edits.ts";
import type { TextFrame } from "./text-frames.ts";
import { acceptSlices, type DrawnChange, findChanges, type SliceChange } from "./text-slices.ts";
import type { Look } from "./text-template.ts";
import { isTicker } from "./text-ticker.ts";
import { isMoving, strengthOf, type Tools, type Track } from "./text-track.ts";

/** Of a cell, see `SliceChange`: the bar of a G, the left side of an 8. */
const leastStrength = 0.25;
/** Where nothing has stirred for so many frames, half of that is a letter too: 3 and 8 differ by two short strokes. */
const calmStrength = 0.1;
const calmFrames = 4;
/** As many cells as a wide letter has: more at once are the picture behind. */
const maxCalmCells = 9;
/** A cell that stirred before and differs by so much more from one frame to the next has changed now. */
const newStrength = 0.2;
/** What a picture that moves behind letters does to a cell comes and goes; a stroke stays, for so many frames. */
const steadyStrength = 0.12;
const steadyFrames = 6;
/** One frame may be torn, or hold a flash. */
export const leastFrames = 2;
/** So strongly a letter is another even if a reader may take one for the other. */
const sureStrength = 0.3;
const fullStrength = 0.85;
/** Of the full strength, in so many frames: a fade of four seconds. What is behind letters may dim them for good. */
const fadeStep = 0.05;
const fadeFrames = 3;
/** Each false alarm doubles the wait: a picture that moves behind thin letters must not keep the reader busy. */
const firstWait = 0.4;
const longestWait = 2;

/** Notes whether the letters are still drawn as they were read. */
export function watchLetters(track: Track, sight: { look: Look; frame: TextFrame }, tools: Tools): void {
  const { slices, template, place } = track;
  const { look, frame } = sight;
  if (slices === null || template === null || isTicker(track) || isMoving(track)) return;
  const levels = levelsOf(track, look);
  const stirred = findChanges(slices, { template, frame, format: tools.format, levels, place });
  const isCalm = track.calmFrames >= calmFrames && stirred.length <= maxCalmCells;
  const isKnown = ({ cell }: { cell: number }) => track.changes.some((change) => change.cell === cell);
  const beforeSeconds = track.sameSeconds;
  const goOn = (changes: readonly DrawnChange[]) => (change: SliceChange) => {
    const known = changes.find(({ cell }) => cell === change.cell);
    return known === undefined || change.strength - known.strength >= newStrength
      ? { ...change, seconds: frame.seconds, beforeSeconds, frames: 1 }
      : { ...known, strength: change.strength, frames: known.frames + 1 };
  };
  track.weakChanges = stirred.filter(({ strength }) => strength >= steadyStrength).map(goOn(track.weakChanges));
  const steady = track.weakChanges.filter(({ frames }) => frames >= steadyFrames);
  const places = stirred.filter(
    (change) =>
      change.strength >= (isCalm || isKnown(change) ? calmStrength : leastStrength) ||
      steady.some(({ cell }) => cell === change.cell),
  );
  track.calmFrames = stirred.length === 0 ? track.calmFrames + 1 : 0;
  if (isFading(track, look) && places.every(({ hasGained }) => !hasGained)) places.length = 0;
  track.sameSeconds = frame.seconds;
  track.changes = places.map(goOn([...track.changes, ...steady]));
}

/** Letters that fade lose ink and gain none, keep their shape, and are weaker from frame to frame or stronger. */
function isFading(track: Track, look: Look): boolean {
  const strength = strengthOf(track, look);
  const earlier = track.looks.at(-1 - fadeFrames) ?? track.looks[0] ?? look;
  const isOnItsWay = Math.abs(strength - strengthOf(track, earlier)) >= fadeStep;
  return strength < fullStrength && isOnItsWay && isSameShape(track, look);
}

/** Of the best match of the last frames: with less, letters that stood may be others now. */
const sameShape = 0.75;

/** Whether a track is found about as clearly as it was. */
export function isSameShape({ looks }: Track, { match }: Look): boolean {
  return match >= sameShape * Math.max(0, ...looks.map((look) => look.match));
}

/** Whether it is time to read again what has changed: when it may be, and at the latest when the line goes. */
export function isDue({ changes, quietSeconds, goneSeconds }: Track, seconds: number): boolean {
  const isTime = goneSeconds === null ? seconds >= quietSeconds : goneSeconds === seconds;
  return isTime && changes.some(({ frames }) => frames >= leastFrames);
}

/** When the letters most likely changed; null: they are the same. */
export function replacedAt(changes: readonly DrawnChange[], before: ReadLine, after: ReadLine): DrawnChange | null {
  return replacements(changes, before, after)[0] ?? null;
}

/**
 * When the letters may have changed, if those read before and after differ where it was drawn; the likeliest first. What
 * changes behind the letters may have begun earlier: most of what is drawn tells.
 */
export function replacements(changes: readonly DrawnChange[], before: ReadLine, after: ReadLine): DrawnChange[] {
  if (after.confidence < leastConfidence) return [];
  const edits = editsBetween(before.text, after.text);
  const isSure = Math.min(before.confidence, after.confidence) >= sureConfidence;
  const areWords = isSure && areOtherWords(before.text, after.text);
  const near = changes.filter((change) =>
    edits.some((edit) => {
      const at = before.letters[edit.place] ?? 1;
      const margin = nearLetters * (change.to - change.from);
      const isNear = at > change.from - margin && at < change.to + margin;
      return isNear && (areWords || !isSlip(edit) || change.strength >= sureStrength);
    }),
  );
  const weightOf = (some: DrawnChange[]) => some.reduce((sum, { strength }) => sum + strength, 0);
  return [...Map.groupBy(near, ({ seconds }) => seconds).values()]
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .flatMap((some) => some.slice(0, 1));
}

const sureConfidence = 0.95;
/** In widths of a cell, which is half a letter. */
const nearLetters = 1.5;
const leastConfidence = 0.7;

/** Ends a line where another has taken its place. */
export function endReplaced(track: Track, change: Pick<DrawnChange, "seconds" | "beforeSeconds">): void {
  track.isReplaced = true;
  track.lastSeconds = change.beforeSeconds;
  track.goneSeconds = change.seconds;
  track.looks = track.looks.filter(({ seconds }) => seconds <= change.beforeSeconds);
}

/** It was the picture behind: what is drawn now is how the letters look. */
export function forgetChange(
  track: Track,
  frame: TextFrame,
  { tools, read }: { tools: Tools; read: Track["confirmed"] },
): void {
  const { slices, template, place } = track;
  const look = track.looks.at(-1);
  if (slices === null || template === null || look === undefined) return;
  // A letter that has changed in this very frame was not looked at: taken for the usual, it would be lost.
  const fresh = track.changes.filter(({ frames }) => frames < leastFrames);
  const sight = { template, frame, format: tools.format, levels: levelsOf(track, look), place };
  acceptSlices(slices, sight, (cell) => fresh.some((change) => change.cell === cell));
  track.changes = fresh;
  track.weakChanges = [];
  track.confirmed = read;
  track.falseAlarms += 1;
  track.quietSeconds = frame.seconds + Math.min(longestWait, firstWait * 2 ** track.falseAlarms);
}

/** While a line fades in, its levels are those of the moment. */
function levelsOf({ isSettled, template }: Track, { ink, ground }: Look): { ink: number; ground: number } {
  return isSettled && template !== null ? { ink: template.inkLevel, ground: template.groundLevel } : { ink, ground };
}
