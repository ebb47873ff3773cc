import type { LineInk } from "./line-ink.ts";

/** A stretch of columns without a letter; `to` is the first column past it. */
export type Blank = { from: number; to: number };

/** The stretches between two columns in which no letter stands. */
export function findBlanks(ink: LineInk, { from, to }: Blank): Blank[] {
  const blanks: Blank[] = [];
  for (let column = Math.max(0, from); column < Math.min(ink.width, to); column += 1) {
    if (!isBlank(ink, column)) continue;
    const last = blanks.at(-1);
    if (last !== undefined && last.to === column) last.to = column + 1;
    else blanks.push({ from: column, to: column + 1 });
  }
  return blanks;
}

export function widestOf(blanks: Blank[]): Blank | null {
  return blanks.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0] ?? null;
}

function isBlank({ width, height, mask }: LineInk, column: number): boolean {
  // The outermost rows hold what is near the line, not the line.
  const [top, bottom] = [Math.round(height * 0.12), Math.round(height * 0.88)];
  for (let row = top; row < bottom; row += 1) if (mask[row * width + column] === 1) return false;
  return true;
}
