type Share = { from: number; to: number; weight: number };

/** Means over the cells of a grid that is laid over a plane; a cell need not be whole samples. */
export function createCells(options: {
  width: number;
  height: number;
  columns: number;
  rows: number;
}): (plane: Uint8Array, target: Float32Array) => void {
  const { width, height, columns, rows } = options;
  const sumRow = width % columns === 0 ? wholeSums(width / columns) : sharedSums(width, columns);
  const down = Map.groupBy(sharesOf(height, rows), ({ from }) => from);
  const sums = new Float32Array(columns);
  return (plane, target) => {
    target.fill(0);
    for (const [row, shares] of down) {
      sumRow(plane, row * width, sums);
      for (const { to, weight } of shares)
        for (let column = 0; column < columns; column++)
          target[to * columns + column] = (target[to * columns + column] as number) + (sums[column] as number) * weight;
    }
  };
}

/** Puts the means of a row that starts at `start` into `sums`. */
type RowSums = (plane: Uint8Array, start: number, sums: Float32Array) => void;

/** Where every cell is so many whole samples wide: whole numbers are added several times as fast. */
function wholeSums(samples: number): RowSums {
  return (plane, start, sums) => {
    let at = start;
    for (let column = 0; column < sums.length; column++) {
      let sum = 0;
      for (const end = at + samples; at < end; at++) sum = (sum + (plane[at] as number)) | 0;
      sums[column] = sum / samples;
    }
  };
}

function sharedSums(width: number, columns: number): RowSums {
  const across = sharesOf(width, columns);
  const weights = Float32Array.from(across, ({ weight }) => weight);
  // The shares of a column follow each other, and so do their samples.
  const shareOf = Int32Array.from(
    { length: columns + 1 },
    (_, column) => across.filter(({ to }) => to < column).length,
  );
  const sampleOf = Int32Array.from({ length: columns }, (_, column) => across[shareOf[column] ?? 0]?.from ?? 0);
  return (plane, start, sums) => {
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      let at = start + (sampleOf[column] as number);
      const end = shareOf[column + 1] as number;
      // In single precision at each step: prints that are kept were made so.
      for (let share = shareOf[column] as number; share < end; share++)
        sum = Math.fround(sum + (plane[at++] as number) * (weights[share] as number));
      sums[column] = sum;
    }
  };
}

/** Which sample belongs to which cell, and with what share of the cell. */
function sharesOf(size: number, cells: number): Share[] {
  const length = size / cells;
  const shares: Share[] = [];
  for (let to = 0; to < cells; to++) {
    const [first, last] = [to * length, (to + 1) * length];
    for (let from = Math.floor(first); from < Math.min(size, Math.ceil(last)); from++) {
      const weight = (Math.min(last, from + 1) - Math.max(first, from)) / length;
      if (weight > 1e-6) shares.push({ from, to, weight });
    }
  }
  return shares;
}
