import { editDistance } from "../../edit-distance.ts";
import type { Models } from "../../models/models.ts";
import type { Omission, PlanarFormat, Span } from "../evidence.ts";
import { type CellCounts, changedStep } from "./cell-counts.ts";
import { cell } from "./cell-kernels.ts";
import { findFastWords, joinSpans, longestSeconds } from "./fast-words.ts";
import type { SuperLine } from "./super-lines.ts";
import { type Extent, overlapOf, unitedExtent } from "./text-extent.ts";
import { rasterOf, type TextFrame, windowAround } from "./text-frames.ts";

export type FastLetters = {
  /**
   * The next frame, those before it, the latest first, and where text moves that is followed. Answers how often the
   * reader was asked.
   */
  take: (frame: TextFrame, past: readonly TextFrame[], moving: readonly Extent[]) => Promise<number>;
  /** Of what was not read after all: `lines` were. `missed`: when the reader was too busy to look. */
  omissions: (lines: readonly SuperLine[], missed: readonly Span[]) => Omission[];
};

type Flip = { seconds: number; extent: Extent };

/** Every fourth pixel of every fourth row. */
const step = changedStep;
/** Levels of 255 between a letter and its ground, and what plain ground differs by from pixel to pixel. */
const otherStep = 60;
const plainStep = 12;
/** Of the pixels looked at in a cell. */
const leastChanged = 3;
const leastCells = 4;
/** Of what has changed with all that lies between: what moves on changes at its edges alone. */
const leastFilled = 0.15;
/** Of the picture: where more changes at once, a shot changes or something moves. */
const maxShare = 0.3;
/** Of the pixels around letters; pictures have less that is plain. */
const leastPlain = 0.7;
/** All flips together, of the middle one: letters take each other's place, and what moves leaves its own. */
const maxSpread = 1.8;
const windowSeconds = 2;
const leastFlips = 6;
const readings = 3;
const sureConfidence = 0.8;
/** Of the longer of two texts: a line that moves on keeps most of its letters. */
const otherText = 0.6;
/** Whatever flickers looks like this: it must not keep the reader busy. */
const firstLooks = 2;
const secondsPerLook = 30;
const margin = 24;

/** Of the changes: where nearly all of them began a line that was read, words came fast, and none was lost. */
const readShare = 0.7;

const tooFast = "Letters that change too fast to be read were not checked.";

/** One letter or word after the other, each for a moment: nothing stands long enough to be followed. */
export function createFastLetters(
  format: PlanarFormat,
  { models, counts }: { models: Pick<Models, "readText">; counts: CellCounts },
): FastLetters {
  const found: { startSeconds: number; endSeconds: number; extent: Extent; flips: number }[] = [];
  let flips: Flip[] = [];
  /** When what changes now began to. */
  let sinceSeconds = 0;
  let isRunning = false;
  let lastSeconds = -Infinity;
  let looks = 0;
  let calls = 0;

  /** Where so little has changed since the last frame that it may be a letter; null: nothing, or more than that. */
  function changeOf(now: TextFrame, before: TextFrame): Extent | null {
    const columns = Math.floor(format.width / cell);
    let extent: Extent | null = null;
    let cells = 0;
    let pixels = 0;
    const ofCells = counts.changed(now, before, otherStep);
    for (let index = 0; index < ofCells.length; index += 1) {
      const changed = ofCells[index] as number;
      if (changed < leastChanged) continue;
      const [left, top] = [(index % columns) * cell, Math.floor(index / columns) * cell];
      const own = { left, right: left + cell, top, bottom: top + cell };
      extent = extent === null ? own : unitedExtent(extent, own);
      cells += 1;
      pixels += changed;
    }
    if (extent === null || cells < leastCells) return null;
    return pixels < leastFilled * (areaOf(extent) / step ** 2) ? null : extent;
  }

  function isPlain({ yuv }: TextFrame, { left, right, top, bottom }: Extent): boolean {
    let [plain, all] = [0, 0];
    for (let y = top; y < bottom; y += step) {
      for (let x = left; x < right - 1; x += step) {
        const at = y * format.width + x;
        if (Math.abs((yuv[at + 1] as number) - (yuv[at] as number)) < plainStep) plain += 1;
        all += 1;
      }
    }
    return plain >= leastPlain * all;
  }

  function isInPlace(whole: Extent): boolean {
    const areas = flips.map(({ extent }) => areaOf(extent)).toSorted((a, b) => a - b);
    return areaOf(whole) <= maxSpread * (areas[areas.length >> 1] ?? 0);
  }

  async function areLetters(extent: Extent, frames: readonly TextFrame[]): Promise<boolean> {
    const { left, right, top, bottom } = extent;
    const around = { left: left - margin, right: right + margin, top: top - margin, bottom: bottom + margin };
    const window = windowAround({ ...around, left: Math.max(0, around.left), top: Math.max(0, around.top) }, format);
    const texts: string[] = [];
    for (const frame of frames) {
      calls += 1;
      const lines = await models.readText(rasterOf([frame], format, window), { isStill: true, isThorough: false });
      const sure = lines.filter(({ text, confidence }) => confidence >= sureConfidence && /\p{L}/u.test(text));
      const text = sure.map((line) => line.text.trim()).join(" ");
      if (text === "" && texts.length === 0) return false;
      const isOther = (one: string) => editDistance(one, text) >= otherText * Math.max(one.length, text.length);
      if (text !== "" && texts.every(isOther)) texts.push(text);
    }
    return texts.length > 1;
  }

  return {
    async take(frame, past, moving) {
      const [before] = past;
      const extent = before === undefined ? null : changeOf(frame, before);
      flips = flips.filter(({ seconds }) => frame.seconds - seconds <= windowSeconds);
      const last = flips.at(-1);
      if (last !== undefined && frame.seconds - last.seconds > longestSeconds) [flips, isRunning] = [[], false];
      if (extent === null) return 0;
      if (flips.length === 0 && frame.seconds - lastSeconds > longestSeconds) sinceSeconds = frame.seconds;
      lastSeconds = frame.seconds;
      flips.push({ seconds: frame.seconds, extent });
      const whole = flips.map((flip) => flip.extent).reduce(unitedExtent);
      if (areaOf(whole) > maxShare * format.width * format.height || !isPlain(frame, whole)) {
        [flips, isRunning] = [[], false];
        return 0;
      }
      if (moving.some((place) => overlapOf(place, whole) > 0)) {
        // It was a line that rolls or crawls by.
        if (isRunning) found.pop();
        [flips, isRunning] = [[], false];
        return 0;
      }
      const current = found.at(-1);
      if (isRunning && current !== undefined) {
        current.endSeconds = frame.seconds;
        current.flips += 1;
      }
      if (
        isRunning ||
        flips.length < leastFlips ||
        !isInPlace(whole) ||
        looks >= firstLooks + Math.floor(frame.seconds / secondsPerLook)
      )
        return 0;
      looks += 1;
      const callsBefore = calls;
      const shown = new Set(flips.map(({ seconds }) => seconds));
      const frames = [frame, ...past].filter(({ seconds }) => shown.has(seconds)).slice(0, 2 * readings);
      const chosen = frames.filter((_, index) => index % 2 === 0).slice(0, readings);
      isRunning = await areLetters(whole, chosen);
      const span = { startSeconds: sinceSeconds, endSeconds: frame.seconds };
      if (isRunning) found.push({ ...span, extent: whole, flips: flips.length });
      else flips = [];
      return calls - callsBefore;
    },
    omissions(lines, missed) {
      const unread = found.filter(({ startSeconds, endSeconds, extent, flips: changes }) => {
        const read = lines.filter(
          (line) =>
            line.startSeconds > startSeconds - longestSeconds &&
            line.startSeconds < endSeconds &&
            overlapOf(line.extent, extent) > 0,
        );
        return read.length < readShare * changes;
      });
      const spans = joinSpans([...unread, ...findFastWords(lines, missed)]);
      return spans.map((span) => ({ what: tooFast, ...span }));
    },
  };
}

function areaOf({ left, right, top, bottom }: Extent): number {
  return (right - left) * (bottom - top);
}
