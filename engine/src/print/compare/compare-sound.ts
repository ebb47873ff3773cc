import type { Span } from "../../evidence/evidence.ts";
import type { SoundPrint } from "../print.ts";
import { bandCount, bandStepSeconds } from "../sound-bands.ts";

/** Half decibels below the loudest of a band that still count; what is softer, codecs do as they like with. */
const audibleSteps = 80;
const gainWindow = 30;
const changeWindow = 6;

export type SoundComparison = {
  /** How much later the sound is in the other file than its picture says. */
  lagSeconds: number;
  /** The largest mean difference of the bands over 0.3 s, in dB, without what a gain explains. */
  largest: number;
  changes: (Span & { decibels: number })[];
  gainLu: number | null;
};

/** Compares what is heard, whatever the codec and the gain. `offsetSeconds`: where the master begins in the other. */
export function compareSound(
  master: SoundPrint,
  other: SoundPrint,
  options: { offsetSeconds: number; searchSeconds: number; limitDecibels: number },
): SoundComparison {
  const rows = Math.floor(master.bands.length / bandCount);
  // To half a row: codecs move the sound by less than one.
  const start = Math.round((2 * options.offsetSeconds) / bandStepSeconds) / 2;
  const reach = Math.round((2 * options.searchSeconds) / bandStepSeconds);
  let best = { lag: 0, cost: costAt(master.bands, other.bands, rows, start) };
  for (let step = -reach; step <= reach; step++) {
    const cost = costAt(master.bands, other.bands, rows, start + step / 2);
    if (cost < best.cost - 0.02) best = { lag: step / 2, cost };
  }
  const residual = residualsOf(master.bands, other.bands, rows, start + best.lag);
  const changes: (Span & { decibels: number })[] = [];
  let largest = 0;
  for (let row = 0; row + changeWindow <= residual.length; row++) {
    let sum = 0;
    for (let at = row; at < row + changeWindow; at++) sum += residual[at] as number;
    const decibels = sum / changeWindow;
    largest = Math.max(largest, decibels);
    if (decibels < options.limitDecibels) continue;
    const span = { startSeconds: row * bandStepSeconds, endSeconds: (row + changeWindow) * bandStepSeconds };
    const last = changes.at(-1);
    if (last !== undefined && span.startSeconds <= last.endSeconds + 0.3) {
      last.endSeconds = span.endSeconds;
      last.decibels = Math.max(last.decibels, decibels);
    } else changes.push({ ...span, decibels });
  }
  const [before, after] = [master.integratedLufs, other.integratedLufs];
  return {
    lagSeconds: best.lag * bandStepSeconds,
    largest,
    changes,
    gainLu: before === null || after === null ? null : after - before,
  };
}

/** Between two rows: the mean of both. */
function levelAt(bands: Uint8Array, row: number, band: number): number {
  const whole = Math.floor(row);
  const level = whole < 0 ? 0 : (bands[whole * bandCount + band] ?? 0);
  return whole === row ? level : (level + (bands[(whole + 1) * bandCount + band] ?? 0)) / 2;
}

function loudestOf(bands: Uint8Array): number {
  let loudest = 0;
  for (const level of bands) if (level > loudest) loudest = level;
  return loudest;
}

/** The mean difference with the median gain taken out, on every fourth row. */
function costAt(master: Uint8Array, other: Uint8Array, rows: number, shift: number): number {
  const floors = [loudestOf(master) - audibleSteps, loudestOf(other) - audibleSteps] as const;
  const differences: number[] = [];
  for (let row = 0; row < rows; row += 2)
    for (let band = 0; band < bandCount; band += 2) {
      const a = Math.max(floors[0], levelAt(master, row, band)) - floors[0];
      const b = Math.max(floors[1], levelAt(other, row + shift, band)) - floors[1];
      if (a > 0 || b > 0) differences.push(b - a);
    }
  if (differences.length === 0) return 0;
  const middle = medianOf(differences);
  return (
    differences.reduce((sum, difference) => sum + Math.min(40, Math.abs(difference - middle)), 0) /
    differences.length /
    2
  );
}

/** For each row how far the bands differ, in dB, when a gain that changes slowly is taken out. */
function residualsOf(master: Uint8Array, other: Uint8Array, rows: number, shift: number): Float32Array {
  const floorA = loudestOf(master) - audibleSteps;
  const whole: number[] = [];
  for (let row = 0; row < rows; row++)
    for (let band = 0; band < bandCount; band++)
      if (levelAt(master, row, band) > floorA + 30)
        whole.push(levelAt(other, row + shift, band) - levelAt(master, row, band));
  const usual = whole.length === 0 ? 0 : medianOf(whole);
  const gains = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const own: number[] = [];
    for (let band = 0; band < bandCount; band++)
      if (levelAt(master, row, band) > floorA + 30)
        own.push(levelAt(other, row + shift, band) - levelAt(master, row, band));
    gains[row] = own.length < 3 ? Number.NaN : medianOf(own);
  }
  const residual = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const near = [...gains.subarray(Math.max(0, row - gainWindow), row + gainWindow + 1)].filter(
      (gain) => !Number.isNaN(gain),
    );
    const gain = near.length < 5 ? usual : medianOf(near);
    let sum = 0;
    for (let band = 0; band < bandCount; band++) {
      // Codecs move the sound by less than a row: what the rows around it hold is the same.
      const near = [row - 1, row, row + 1].map((at) => Math.max(floorA, levelAt(master, at, band)));
      const b = Math.max(floorA, levelAt(other, row + shift, band) - gain);
      sum += Math.min(60, Math.max(0, b - Math.max(...near), Math.min(...near) - b));
    }
    residual[row] = sum / bandCount / 2;
  }
  return residual;
}

function medianOf(values: number[]): number {
  const sorted = Float32Array.from(values).sort();
  return sorted[sorted.length >> 1] ?? 0;
}
