import type { Span } from "../../evidence/evidence.ts";
import { blockColumns, blockRows, blockValues, type PicturePrint } from "../print.ts";
import { blockDistance, frameAt, frameSecondsOf } from "./align.ts";
import type { Levels } from "./fit-levels.ts";

const blockCount = blockColumns * blockRows;

export type FrameComparison = {
  /** Frames that show what the master does not show around that time. */
  strange: (Span & { excess: number })[];
  largestExcess: number;
  /** Of the same rate: frames of the other file minus those of the master, in the part that both have. Else 0. */
  frameDifference: number;
  /** Where the other file is ahead or behind by whole frames. */
  shifts: (Span & { frames: number })[];
  hasSameRate: boolean;
};

/** Compares every frame by its blocks. The master's first moment is at `offsetSeconds` of the other file. */
export function compareFrames(
  master: PicturePrint,
  other: PicturePrint,
  options: { offsetSeconds: number; limit: number; levels: Levels },
): FrameComparison {
  const [stepA, stepB] = [frameSecondsOf(master), frameSecondsOf(other)];
  const hasSameRate = Math.abs(stepA - stepB) / stepA < 0.002;
  const first = frameAt(other.times, options.offsetSeconds + 0.4 * stepB);
  const within = countWithin(
    other.times,
    options.offsetSeconds - stepB / 2,
    options.offsetSeconds + master.durationSeconds - stepB / 2,
  );
  return {
    ...findStrange(master, other, { ...options, reach: hasSameRate ? 0.55 * stepA : 1.05 * Math.max(stepA, stepB) }),
    frameDifference: hasSameRate ? within - master.times.length : 0,
    shifts: hasSameRate ? findShifts(master, other, first) : [],
    hasSameRate,
  };
}

function findStrange(
  master: PicturePrint,
  other: PicturePrint,
  options: { offsetSeconds: number; limit: number; levels: Levels; reach: number },
): Pick<FrameComparison, "strange" | "largestExcess"> {
  const { offsetSeconds, limit, levels, reach } = options;
  const strange: (Span & { excess: number })[] = [];
  let largestExcess = 0;
  const step = frameSecondsOf(other);
  for (const [frame, time] of other.times.entries()) {
    const seconds = time - offsetSeconds;
    if (seconds < -step / 2 || seconds > master.durationSeconds - step / 2) continue;
    const from = frameAt(master.times, seconds - reach + 0.002);
    const to = frameAt(master.times, seconds + reach - 0.002);
    const excess = excessOf(master, { from, to }, other, frame, levels);
    largestExcess = Math.max(largestExcess, excess);
    if (excess < limit) continue;
    const last = strange.at(-1);
    if (last !== undefined && seconds <= last.endSeconds + 3 * step) {
      last.endSeconds = seconds + step;
      last.excess = Math.max(last.excess, excess);
    } else strange.push({ startSeconds: Math.max(0, seconds), endSeconds: seconds + step, excess });
  }
  return { strange, largestExcess };
}

/** How far the block that differs most lies outside what the master's frames show around then. */
function excessOf(
  master: PicturePrint,
  { from, to }: { from: number; to: number },
  other: PicturePrint,
  frame: number,
  levels: Levels,
): number {
  let most = 0;
  for (let value = 0; value < blockValues; value++) {
    let [low, high] = [Infinity, -Infinity];
    for (let near = from; near <= to; near++) {
      const known = master.blocks[near * blockValues + value] as number;
      if (known < low) low = known;
      if (known > high) high = known;
    }
    const own = (other.blocks[frame * blockValues + value] as number) / 64;
    const isBrightness = value < blockCount;
    const lower = isBrightness ? (low / 64) * levels.gain + levels.lift : low / 64;
    const upper = isBrightness ? (high / 64) * levels.gain + levels.lift : high / 64;
    most = Math.max(most, own - upper, lower - own);
  }
  return most;
}

const shiftSeconds = 0.8;
const maxShift = 3;

/** Where a neighbour of the frame fits clearly better than the frame that should. */
function findShifts(master: PicturePrint, other: PicturePrint, first: number): (Span & { frames: number })[] {
  const step = frameSecondsOf(master);
  const length = Math.max(4, Math.round(shiftSeconds / step));
  const shifts: (Span & { frames: number })[] = [];
  for (let start = 0; start + length <= master.times.length; start += Math.max(1, length >> 1)) {
    const costs = Array.from({ length: 2 * maxShift + 1 }, (_, index) => {
      let sum = 0;
      for (let frame = start; frame < start + length; frame++) {
        const twin = frame + first + index - maxShift;
        sum += twin < 0 || twin >= other.times.length ? 20 : Math.min(20, blockDistance(master, frame, other, twin));
      }
      return sum / length;
    });
    const own = costs[maxShift] as number;
    const best = Math.min(...costs);
    const frames = costs.indexOf(best) - maxShift;
    if (frames === 0 || own - best < 0.25 || best > 0.6 * own) continue;
    shifts.push({ startSeconds: start * step, endSeconds: (start + length) * step, frames });
  }
  return shifts;
}

function countWithin(times: Float64Array, from: number, to: number): number {
  let count = 0;
  for (const time of times) if (time >= from && time < to) count += 1;
  return count;
}
