import type { FlashKind, FlashSequence, FlashStandard, Region } from "../evidence.ts";
import type { Zone } from "./flash-area.ts";
import type { FlashRates } from "./flash-rates.ts";
import type { LightCells } from "./light-cells.ts";

/** Where it flashes at one frame. */
export type FlashPlace = { windowShare: number; zone: Zone; region: Region | null };

type Moment = { rate: number; areaShare: number; place: FlashPlace };

export type SequenceOptions = {
  kind: FlashKind;
  standard: FlashStandard;
  cells: LightCells;
  cover: Float32Array;
  rates: FlashRates;
  /** The flashing of the picture as one: it alone knows of flashes that are in another place each time. */
  pictureRates: FlashRates;
};

/** From two a second on; a flash on its own, and one every second, are no sequence. */
const minSequenceRate = 2;
/** As long as the window of a rate, or flashes of one sequence would be counted into the next. */
const maxPauseSeconds = 1;

type OpenSequence = { startSeconds: number; openedSeconds: number; lastSeconds: number; peak: Moment };

export function createSequences(options: SequenceOptions) {
  const { kind, standard, cells, rates, pictureRates } = options;
  const sequences: FlashSequence[] = [];
  const changesBefore = new Uint32Array(cells.count);
  let pictureChangesBefore = 0;
  let open: OpenSequence | null = null;

  function begin(seconds: number, peak: Moment): OpenSequence {
    for (let cell = 0; cell < cells.count; cell += 1) changesBefore[cell] = changesBeforeFlashes(rates, cell);
    pictureChangesBefore = changesBeforeFlashes(pictureRates, 0);
    const isMember = (cell: number) => (rates.rate[cell] as number) >= minSequenceRate;
    const began = gatherCells({
      ...options,
      zone: peak.place.zone,
      isMember,
      valueOf: (cell) => rates.sinceSeconds[cell],
    });
    const startSeconds = agreed(began.toSorted(ascending), peak.place.zone) ?? pictureRates.sinceSeconds[0] ?? seconds;
    return { startSeconds, openedSeconds: seconds, lastSeconds: seconds, peak };
  }

  function close(): void {
    if (open === null) return;
    const { startSeconds, openedSeconds, lastSeconds, peak } = open;
    open = null;
    const isMember = (cell: number) => (rates.lastChangeSeconds[cell] as number) >= openedSeconds;
    const within = { ...options, zone: peak.place.zone, isMember };
    const ends = gatherCells({ ...within, valueOf: (cell) => rates.lastChangeSeconds[cell] });
    const counts = gatherCells({
      ...within,
      valueOf: (cell) => flashesSince(rates, { cell, changesBefore: changesBefore[cell] ?? 0 }),
    });
    const pictureEnd = pictureRates.lastChangeSeconds[0] ?? lastSeconds;
    const endSeconds = agreed(ends.toSorted(descending), peak.place.zone) ?? Math.max(openedSeconds, pictureEnd);
    const flashes = Math.max(
      agreed(counts.toSorted(descending), peak.place.zone) ?? peak.rate,
      flashesSince(pictureRates, { cell: 0, changesBefore: pictureChangesBefore }),
    );
    const { windowShare, region } = peak.place;
    sequences.push({
      kind,
      standard,
      startSeconds,
      endSeconds,
      flashes,
      maxPerSecond: peak.rate,
      areaShare: rounded(peak.areaShare),
      windowShare: rounded(windowShare),
      region,
    });
  }

  /** `look` is asked only when a sequence begins or gets worse: finding the place costs more than the rate. */
  function step(seconds: number, now: { rate: number; areaShare: number; look: () => FlashPlace }): void {
    const { rate, areaShare } = now;
    if (rate >= minSequenceRate) {
      open ??= begin(seconds, { rate, areaShare, place: now.look() });
      open.lastSeconds = seconds;
      const isWorse = rate > open.peak.rate || (rate === open.peak.rate && areaShare > open.peak.areaShare);
      if (isWorse) open.peak = { rate, areaShare, place: now.look() };
    } else if (open !== null && seconds - open.lastSeconds > maxPauseSeconds) {
      close();
    }
  }

  return { sequences, step, close };
}

function changesBeforeFlashes(rates: FlashRates, cell: number): number {
  return Math.max(0, (rates.changes[cell] as number) - 2 * (rates.rate[cell] as number));
}

function flashesSince(rates: FlashRates, { cell, changesBefore }: { cell: number; changesBefore: number }): number {
  return Math.floor(((rates.changes[cell] as number) - changesBefore) / 2);
}

type Weighted = readonly [value: number, share: number];

const ascending = (a: Weighted, b: Weighted) => a[0] - b[0];
const descending = (a: Weighted, b: Weighted) => b[0] - a[0];

function gatherCells(options: {
  cells: LightCells;
  cover: Float32Array;
  zone: Zone;
  isMember: (cell: number) => boolean;
  valueOf: (cell: number) => number | undefined;
}): Weighted[] {
  const { cells, cover, zone, isMember, valueOf } = options;
  const values: Weighted[] = [];
  for (let row = zone.top; row < zone.top + zone.rows; row += 1) {
    for (let column = zone.left; column < zone.left + zone.columns; column += 1) {
      const cell = row * cells.columns + column;
      if (!isMember(cell)) continue;
      values.push([valueOf(cell) ?? 0, (cells.share[cell] as number) * (cover[cell] as number)]);
    }
  }
  return values;
}

/**
 * The first value, in the given order, up to which the cells cover more than the zone asks for. A few cells that began
 * earlier or went on longer do not move it, so times are exact to the frame.
 */
function agreed(values: readonly Weighted[], zone: Zone): number | null {
  let sum = 0;
  for (const [value, share] of values) {
    sum += share;
    if (sum > zone.minShare) return value;
  }
  return null;
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
