import { blockColumns, blockRows, blockValues, type PicturePrint } from "../print.ts";

const blockCount = blockColumns * blockRows;
/** Spread over the whole film. */
const maxInstants = 400;
const lagSeconds = 0.04;
const maxLeadSeconds = 120;
const maxCutSeconds = 20;
/** Beyond this a block shows something else; how far does not matter. */
const otherPicture = 20;
const samePicture = 8;
/** Lags that are as good as the best one, but for noise. */
const nearlyBest = 0.3;

export type Alignment = {
  /** When the first moment of the master is seen in the other file. */
  offsetSeconds: number;
  /** How much of the master is seen in the other file at that offset, 0 to 1. */
  share: number;
};

/** Where in the other file the master begins. Nothing moves: at the start. */
export function alignPictures(master: PicturePrint, other: PicturePrint): Alignment {
  const instants = instantsOf(master);
  const known = instants.map((seconds) => frameAt(master.times, seconds));
  const measure = (lag: number) => costAt({ master, other, instants, known, lag });
  const count = (seconds: number) => Math.round(seconds / lagSeconds);
  const most = count(Math.min(maxLeadSeconds, Math.max(1, other.durationSeconds)));
  const least = -count(Math.min(maxCutSeconds, master.durationSeconds));
  const measured: { lag: number; cost: number; share: number }[] = [];
  for (let step = least; step <= most; step++) {
    const lag = step * lagSeconds;
    const result = measure(lag);
    if (result !== undefined) measured.push({ lag, ...result });
  }
  const best = Math.min(...measured.map(({ cost }) => cost));
  const good = measured.filter(({ cost }) => cost <= best + nearlyBest);
  const usual = startDifference(master, other);
  const tail = other.durationSeconds - master.durationSeconds;
  // A film that stands still fits everywhere: then both begin, or else end, together.
  const preference = (lag: number) => Math.min(Math.abs(lag - usual), Math.abs(lag - tail) + 0.02);
  const [chosen] = good.toSorted((a, b) => preference(a.lag) - preference(b.lag));
  if (chosen === undefined) return { offsetSeconds: 0, share: 0 };
  return { offsetSeconds: refine(chosen.lag, usual, measure), share: chosen.share };
}

/** Where the master begins when both begin with their first frames. */
export function startDifference(master: PicturePrint, other: PicturePrint): number {
  return (other.times[0] ?? 0) - (master.times[0] ?? 0);
}

/** The middle of the lags that show the same frames: those of the search need not be those of the frames. */
function refine(lag: number, usual: number, measure: (lag: number) => { cost: number } | undefined): number {
  const costAtLag = (at: number) => measure(at)?.cost ?? Infinity;
  const near = Array.from({ length: 21 }, (_, index) => lag + (index - 10) * (lagSeconds / 10));
  const costs = near.map(costAtLag);
  const best = Math.min(...costs);
  if (Math.abs(lag - usual) < 1.5 * lagSeconds && costAtLag(usual) <= best + 0.05) return usual;
  const good = near.filter((_, index) => (costs[index] ?? Infinity) <= best + 1e-6);
  return good.reduce((sum, value) => sum + value, 0) / good.length;
}

function instantsOf(master: PicturePrint): number[] {
  const count = Math.max(1, Math.min(maxInstants, master.times.length));
  return Array.from({ length: count }, (_, index) => {
    const place = Math.floor(((index + 0.5) / count) * master.times.length);
    return (master.times[place] ?? 0) + 0.4 * frameSecondsOf(master);
  });
}

function costAt(options: {
  master: PicturePrint;
  other: PicturePrint;
  instants: readonly number[];
  known: readonly number[];
  lag: number;
}): { cost: number; share: number } | undefined {
  const { master, other, instants, known, lag } = options;
  let [sum, count, same] = [0, 0, 0];
  for (const [index, seconds] of instants.entries()) {
    const at = seconds + lag;
    if (at < 0 || at > other.durationSeconds) continue;
    const distance = blockDistance(master, known[index] ?? 0, other, frameAt(other.times, at));
    sum += Math.min(distance, otherPicture);
    if (distance < samePicture) same += 1;
    count += 1;
  }
  // What is cut off counts as other pictures, half as much: else the shortest overlap would win.
  const missing = instants.length - count;
  if (count < instants.length / 4) return undefined;
  return { cost: (sum + (missing * otherPicture) / 2) / instants.length, share: same / instants.length };
}

/** The mean difference of brightness over the blocks of two frames. */
export function blockDistance(a: PicturePrint, frameA: number, b: PicturePrint, frameB: number): number {
  let sum = 0;
  for (let block = 0; block < blockCount; block++)
    sum += Math.abs(
      (a.blocks[frameA * blockValues + block] as number) - (b.blocks[frameB * blockValues + block] as number),
    );
  return sum / blockCount / 64;
}

/** The frame that is seen at that time. */
export function frameAt(times: Float64Array, seconds: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((times[middle] as number) <= seconds + 1e-4) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function frameSecondsOf({ framesPerSecond, times, durationSeconds }: PicturePrint): number {
  return framesPerSecond !== null && framesPerSecond > 0
    ? 1 / framesPerSecond
    : durationSeconds / Math.max(1, times.length);
}
