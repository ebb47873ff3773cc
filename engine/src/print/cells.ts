import type { Region } from "../evidence/evidence.ts";

/** The whole picture. */
export const wholeWindow: Region = { x: 0, y: 0, width: 1, height: 1 };

type Share = { from: number; to: number; weight: number };

/**
 * Means over the cells of a grid that is laid over a window of a plane. A window may reach beyond the plane: there is
 * nothing but `fill` there.
 */
export function createCells(options: {
  width: number;
  height: number;
  columns: number;
  rows: number;
  window?: Region;
  fill: number;
}): (plane: Uint8Array, target: Float32Array) => void {
  const { width, height, columns, rows, fill, window = wholeWindow } = options;
  const across = sharesOf({ size: width, cells: columns, start: window.x, length: window.width });
  const down = sharesOf({ size: height, cells: rows, start: window.y, length: window.height });
  const [acrossFrom, acrossTo] = [across, across].map((list, index) =>
    Int32Array.from(list, ({ from, to }) => (index === 0 ? from : to)),
  ) as [Int32Array, Int32Array];
  const acrossWeight = Float32Array.from(across, ({ weight }) => weight);
  const downOf = Map.groupBy(down, ({ from }) => from);
  const coverX = coverOf(across, columns);
  const coverY = coverOf(down, rows);
  const sums = new Float32Array(columns);
  return (plane, target) => {
    target.fill(0);
    for (const [row, shares] of downOf) {
      sums.fill(0);
      const start = row * width;
      for (let k = 0; k < acrossFrom.length; k++)
        sums[acrossTo[k] as number] =
          (sums[acrossTo[k] as number] as number) +
          (plane[start + (acrossFrom[k] as number)] as number) * (acrossWeight[k] as number);
      for (const { to, weight } of shares)
        for (let column = 0; column < columns; column++)
          target[to * columns + column] = (target[to * columns + column] as number) + (sums[column] as number) * weight;
    }
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const cover = (coverX[column] as number) * (coverY[row] as number);
        if (cover < 0.9999)
          target[row * columns + column] = (target[row * columns + column] as number) + fill * (1 - cover);
      }
  };
}

/** Which sample belongs to which cell, and with what share of the cell. */
function sharesOf(options: { size: number; cells: number; start: number; length: number }): Share[] {
  const { size, cells } = options;
  const cellLength = (options.length * size) / cells;
  const shares: Share[] = [];
  for (let to = 0; to < cells; to++) {
    const first = options.start * size + to * cellLength;
    const last = first + cellLength;
    for (let from = Math.max(0, Math.floor(first)); from < Math.min(size, Math.ceil(last)); from++) {
      const weight = (Math.min(last, from + 1) - Math.max(first, from)) / cellLength;
      if (weight > 1e-6) shares.push({ from, to, weight });
    }
  }
  return shares;
}

function coverOf(shares: readonly Share[], cells: number): Float32Array {
  const cover = new Float32Array(cells);
  for (const { to, weight } of shares) cover[to] = (cover[to] as number) + weight;
  return cover;
}
