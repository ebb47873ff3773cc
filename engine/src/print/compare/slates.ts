import type { ContentPrint } from "../make-print.ts";
import { blockValues, type PicturePrint, type SoundPrint } from "../print.ts";
import { bandCount, bandStepSeconds } from "../sound-bands.ts";
import { frameAt } from "./align.ts";
import { type Difference, difference, hundredths } from "./comparison.ts";
import { limits } from "./limits.ts";

/** What is before and after the film: a slate, black or bars are noted; anything else was not cleared. */
export function findSlates(
  master: ContentPrint,
  other: ContentPrint,
  options: { offsetSeconds: number; differences: Difference[]; notes: string[] },
): void {
  const { offsetSeconds, differences, notes } = options;
  const whole = other.picture?.durationSeconds ?? other.sound?.durationSeconds ?? 0;
  const length = master.picture?.durationSeconds ?? master.sound?.durationSeconds ?? 0;
  const parts = [
    { from: 0, to: offsetSeconds, where: "before" },
    { from: offsetSeconds + length, to: whole, where: "after" },
  ];
  for (const { from, to, where } of parts) {
    if (to - from < 0.2) continue;
    const seconds = hundredths(to - from);
    const isSlate =
      to - from <= limits.slateSeconds &&
      (other.picture === null || standsStill(other.picture, from, to)) &&
      (other.sound === null || isMonotonous(other.sound, from, to));
    const place = { startSeconds: hundredths(from - offsetSeconds), endSeconds: hundredths(to - offsetSeconds) };
    if (isSlate) notes.push(`${seconds} s of a still picture were added ${where} the film.`);
    else differences.push(difference("length", `${seconds} s were added ${where} the film.`, place));
  }
}

const stillDistance = 1.2;
const stepSeconds = 0.2;
/** Cards may follow each other. */
const maxCuts = 3;

/** Nothing moves but from one card to the next: over 0.4 s every block stays as it is. */
function standsStill(picture: PicturePrint, from: number, to: number): boolean {
  let moving = 0;
  for (let seconds = from + 2 * stepSeconds; seconds < to - 0.02; seconds += stepSeconds) {
    const [a, b] = [frameAt(picture.times, seconds - 2 * stepSeconds), frameAt(picture.times, seconds)];
    if (largestChange(picture, a, b) > stillDistance) moving += 1;
  }
  // Each cut is seen by two comparisons.
  return moving <= Math.min(2 * maxCuts, (to - from) / stepSeconds / 3);
}

function largestChange({ blocks }: PicturePrint, a: number, b: number): number {
  let most = 0;
  for (let value = 0; value < blockValues; value++)
    most = Math.max(
      most,
      Math.abs((blocks[a * blockValues + value] as number) - (blocks[b * blockValues + value] as number)),
    );
  return most / 64;
}

/** Silent, or a tone: nothing that anybody says. */
function isMonotonous({ bands }: SoundPrint, from: number, to: number): boolean {
  const rows: number[][] = [];
  for (let row = Math.ceil(from / bandStepSeconds) + 2; row < Math.floor(to / bandStepSeconds) - 2; row++)
    rows.push([...bands.subarray(row * bandCount, (row + 1) * bandCount)]);
  const audible = 80;
  let changes = 0;
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    if (before === undefined) continue;
    const difference = row.reduce(
      (sum, level, band) => sum + Math.abs(Math.max(audible, level) - Math.max(audible, before[band] ?? 0)),
      0,
    );
    if (difference / bandCount > 6) changes += 1;
  }
  return changes <= Math.max(2, rows.length / 20);
}
