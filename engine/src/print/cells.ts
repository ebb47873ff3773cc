type Share = { from: number; to: number; weight: number };

/** Means over the cells of a grid that is laid over a plane; a cell need not be whole samples. */
export function createCells(options: {
  width: number;
  height: number;
  columns: number;
  rows: number;
}): (plane: Uint8Array, target: Float32Array) => void {
  const { width, height, columns, rows } = options;
  const across = sharesOf(width, columns);
  const acrossFrom = Int32Array.from(across, ({ from }) => from);
  const acrossTo = Int32Array.from(across, ({ to }) => to);
  const acrossWeight = Float32Array.from(across, ({ weight }) => weight);
  const down = Map.groupBy(sharesOf(height, rows), ({ from }) => from);
  const sums = new Float32Array(columns);
  return (plane, target) => {
    target.fill(0);
    for (const [row, shares] of down) {
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
