import type { Region, Span } from "../../evidence/evidence.ts";
import { phaseSeconds, type PicturePrint } from "../print.ts";

export type GridChange = Span & { region: Region; size: number };

export type GridComparison = {
  /** The largest difference that lasts for one, two and four samples. */
  largest: [number, number, number];
  /** What most of the picture differs by: the work of a codec. */
  noise: number;
  /** The same of its edges and letters. */
  edges: number;
  changes: GridChange[];
};

type Limit = readonly [least: number, most: number];
/** `isSteady`: samples are not of the very same frames, and only what two of them in a row agree on is the codec's. */
export type GridLimits = { once: Limit; twice: Limit; lasting: Limit; isSteady: boolean };

/**
 * Compares brightness cell by cell, after taking out what codecs do to the whole of it: another gain, and blur. `other`
 * has to be sampled at the same moments of the film.
 */
export function compareGrid(
  master: PicturePrint,
  other: Pick<PicturePrint, "grid">,
  limits: GridLimits,
): GridComparison {
  const { columns, rows } = master;
  const cells = columns * rows;
  const samples = Math.min(master.grid.length, other.grid.length) / cells;
  const blurred = blurOf(master, samples);
  const fit = fitBlur(master.grid, other.grid, blurred, samples * cells);
  const difference = new Int8Array(samples * cells);
  for (let index = 0; index < difference.length; index++) {
    const known = master.grid[index] as number;
    const soft = (blurred[index] as number) - known;
    const expected = fit.lift + fit.gain * known + fit.blur * soft;
    difference[index] = clamp((other.grid[index] as number) - expected);
  }
  const work = limits.isSteady ? steadyOf(difference, cells) : difference;
  const noise = quantileOf(work, 0.95);
  // Letters and edges are a small part of a picture, and where codecs err most.
  const edges = quantileOf(work, 0.997);
  const barOf = ([least, most]: Limit, factor: number) => Math.min(most, least + factor * edges);
  const bars = [barOf(limits.once, 2), barOf(limits.twice, 1.5), barOf(limits.lasting, 1)];
  const largest: [number, number, number] = [0, 0, 0];
  const changed: { sample: number; cell: number; samples: number; size: number }[] = [];
  for (let cell = 0; cell < cells; cell++)
    for (let sample = 0; sample < samples; sample++)
      for (const [kind, length] of [1, 2, 4].entries()) {
        if (sample + length > samples) continue;
        const size = lastingSize(difference, sample * cells + cell, cells, length);
        if (size > (largest[kind] as number)) largest[kind] = size;
        if (size >= (bars[kind] as number)) changed.push({ sample, cell, samples: length, size });
      }
  return { largest, noise, edges, changes: joinChanges(changed, master) };
}

function steadyOf(difference: Int8Array, cells: number): Int8Array {
  return difference.map((_, index) =>
    index + cells < difference.length ? lastingSize(difference, index, cells, 2) : 0,
  );
}

/** The least of some differences in a row that all go the same way. */
function lastingSize(difference: Int8Array, start: number, stride: number, length: number): number {
  const first = difference[start] as number;
  const sign = first < 0 ? -1 : 1;
  let size = first * sign;
  for (let step = 1; step < length && size > 0; step++)
    size = Math.min(size, (difference[start + step * stride] as number) * sign);
  return Math.max(0, size);
}

function clamp(value: number): number {
  return Math.max(-127, Math.min(127, Math.round(value)));
}

/** Means of three by three cells. */
function blurOf({ grid, columns, rows }: PicturePrint, samples: number): Uint8Array {
  const blurred = new Uint8Array(samples * columns * rows);
  const rowMeans = new Float32Array(columns * rows);
  for (let sample = 0; sample < samples; sample++) {
    const start = sample * columns * rows;
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const at = start + row * columns + column;
        const left = grid[column === 0 ? at : at - 1] as number;
        const right = grid[column === columns - 1 ? at : at + 1] as number;
        rowMeans[row * columns + column] = (left + (grid[at] as number) + right) / 3;
      }
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const at = row * columns + column;
        const above = rowMeans[row === 0 ? at : at - columns] as number;
        const below = rowMeans[row === rows - 1 ? at : at + columns] as number;
        blurred[start + at] = Math.round((above + (rowMeans[at] as number) + below) / 3);
      }
  }
  return blurred;
}

/** Least squares of other = lift + gain × master + blur × (blurred − master), on cells that agree roughly. */
function fitBlur(master: Uint8Array, other: Uint8Array, blurred: Uint8Array, length: number) {
  const m = Array.from({ length: 3 }, () => [0, 0, 0, 0]);
  const every = Math.max(1, Math.floor(length / 200_000)) | 1;
  for (let index = 0; index < length; index += every) {
    const known = master[index] as number;
    const seen = other[index] as number;
    if (Math.abs(seen - known) > 25) continue;
    const terms = [1, known, (blurred[index] as number) - known, seen];
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 4; column++)
        (m[row] as number[])[column] =
          ((m[row] as number[])[column] as number) + (terms[row] as number) * (terms[column] as number);
  }
  const [lift, gain, blur] = solve(m) ?? [0, 1, 0];
  const isPlausible = Math.abs(gain - 1) < 0.1 && Math.abs(lift) < 12 && blur > -0.5 && blur < 0.9;
  return isPlausible ? { lift, gain, blur } : { lift: 0, gain: 1, blur: 0 };
}

/** Three equations by elimination; undefined where they say too little. */
function solve(rows: number[][]): [number, number, number] | undefined {
  const m = rows.map((row) => [...row]);
  for (let column = 0; column < 3; column++) {
    const pivot =
      [0, 1, 2].slice(column).toSorted((a, b) => Math.abs(at(m, b, column)) - Math.abs(at(m, a, column)))[0] ?? column;
    [m[column], m[pivot]] = [m[pivot] as number[], m[column] as number[]];
    if (Math.abs(at(m, column, column)) < 1e-6) return undefined;
    for (let row = 0; row < 3; row++) {
      if (row === column) continue;
      const factor = at(m, row, column) / at(m, column, column);
      for (let other = column; other < 4; other++)
        (m[row] as number[])[other] = at(m, row, other) - factor * at(m, column, other);
    }
  }
  return [0, 1, 2].map((row) => at(m, row, 3) / at(m, row, row)) as [number, number, number];
}

function at(m: number[][], row: number, column: number): number {
  return m[row]?.[column] ?? 0;
}

/** The size that this share of the differences does not exceed. */
function quantileOf(difference: Int8Array, share: number): number {
  const counts = new Uint32Array(129);
  for (const value of difference) counts[Math.abs(value)] = (counts[Math.abs(value)] as number) + 1;
  let seen = 0;
  for (const [size, count] of counts.entries()) {
    seen += count;
    if (seen >= share * difference.length) return size;
  }
  return 0;
}

type Changed = { sample: number; cell: number; samples: number; size: number };

/** Cells that change at about the same time, near each other, are one change. */
function joinChanges(changed: Changed[], { columns, rows, stepSeconds }: PicturePrint): GridChange[] {
  type Box = { from: number; to: number; left: number; right: number; top: number; bottom: number; size: number };
  const boxes: Box[] = [];
  const order = changed.toSorted((a, b) => a.sample - b.sample);
  for (const { sample, cell, samples, size } of order) {
    const [column, row] = [cell % columns, Math.floor(cell / columns)];
    const near = boxes.find(
      ({ from, to, left, right, top, bottom }) =>
        sample <= to + 1 &&
        sample + samples >= from - 1 &&
        column >= left - 6 &&
        column <= right + 6 &&
        row >= top - 4 &&
        row <= bottom + 4,
    );
    if (near === undefined)
      boxes.push({ from: sample, to: sample + samples, left: column, right: column, top: row, bottom: row, size });
    else {
      near.to = Math.max(near.to, sample + samples);
      [near.left, near.right] = [Math.min(near.left, column), Math.max(near.right, column)];
      [near.top, near.bottom] = [Math.min(near.top, row), Math.max(near.bottom, row)];
      near.size = Math.max(near.size, size);
    }
  }
  return boxes.map(({ from, to, left, right, top, bottom, size }) => ({
    startSeconds: from * stepSeconds + phaseSeconds,
    endSeconds: (to - 1) * stepSeconds + phaseSeconds,
    region: {
      x: left / columns,
      y: top / rows,
      width: (right + 1 - left) / columns,
      height: (bottom + 1 - top) / rows,
    },
    size,
  }));
}
