/** The middle of one of the three squares by which readers find a QR code, in pixels, and the size of its smallest part. */
export type CodeMark = { x: number; y: number; module: number };

/** The light of a picture, one byte a pixel. */
export type Plane = { width: number; height: number; values: Uint8Array };

/** Every so many rows: a square that is smaller than seven pixels cannot be read. */
const rowStep = 3;
/** Levels of 255 between dark and light. */
const leastStep = 40;
/** Of a part: how far the five runs of a mark may differ from 1 : 1 : 3 : 1 : 1. */
const tolerance = 0.6;
const leastModule = 1;

/**
 * Looks for the marks of QR codes along rows, and down the column where one may be. Costs a millisecond; asking the
 * reader costs twenty times as much.
 */
export function findCodeMarks({ width, height, values }: Plane): CodeMark[] {
  const marks: CodeMark[] = [];
  for (let y = rowStep; y < height - rowStep; y += rowStep) {
    for (const { middle, module } of marksAlong({ values, start: y * width, step: 1, count: width })) {
      const isKnown = marks.some((mark) => near(mark, { x: middle, y, module }));
      if (isKnown) continue;
      const x = Math.round(middle);
      const from = Math.max(0, Math.round(y - 8 * module));
      const count = Math.min(height, Math.round(y + 8 * module)) - from;
      const down = marksAlong({ values, start: from * width + x, step: width, count });
      const own = down.find(
        (mark) => Math.abs(from + mark.middle - y) < 2 * module && Math.abs(mark.module - module) < 0.5 * module,
      );
      if (own !== undefined) marks.push({ x: middle, y: from + own.middle, module });
    }
  }
  return marks;
}

function near(one: CodeMark, other: CodeMark): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y) < 4 * one.module;
}

/** Dark, light, three dark, light, dark, or the other way round. */
function marksAlong(line: {
  values: Uint8Array;
  start: number;
  step: number;
  count: number;
}): { middle: number; module: number }[] {
  const { values, start, step, count } = line;
  const found: { middle: number; module: number }[] = [];
  // The ends of the last runs, the latest last. A run ends where the light goes half way to the other side.
  const ends: number[] = [];
  let isRising = true;
  let extreme = values[start] ?? 0;
  let index = 1;
  let at = start + step;
  while (index < count) {
    // Two small loops instead of one that asks which way the light goes: this passes every third row of a film.
    if (isRising)
      for (; index < count; index += 1, at += step) {
        const value = values[at] as number;
        if (value > extreme) extreme = value;
        else if (extreme - value >= leastStep) break;
      }
    else
      for (; index < count; index += 1, at += step) {
        const value = values[at] as number;
        if (value < extreme) extreme = value;
        else if (value - extreme >= leastStep) break;
      }
    if (index >= count) break;
    const value = values[at] as number;
    push(ends, edgeOf(line, index, (extreme + value) / 2));
    check(ends, found);
    isRising = !isRising;
    extreme = value;
    index += 1;
    at += step;
  }
  return found;
}

/** Between this pixel and the one before it: where the level was passed. */
function edgeOf(
  { values, start, step }: { values: Uint8Array; start: number; step: number },
  index: number,
  level: number,
): number {
  const [before, after] = [values[start + (index - 1) * step] as number, values[start + index * step] as number];
  return before === after ? index : index - 1 + Math.min(1, Math.max(0, (level - before) / (after - before)));
}

function push(ends: number[], end: number): void {
  ends.push(end);
  if (ends.length > 6) ends.shift();
}

function check(ends: readonly number[], found: { middle: number; module: number }[]): void {
  if (ends.length < 6) return;
  const module = ((ends[5] as number) - (ends[0] as number)) / 7;
  if (module < leastModule) return;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = ends;
  const fits = (length: number, parts: number) =>
    Math.abs(length - parts * module) < tolerance * module * Math.sqrt(parts);
  if (fits(b - a, 1) && fits(c - b, 1) && fits(d - c, 3) && fits(e - d, 1) && fits(f - e, 1)) {
    found.push({ middle: (c + d) / 2, module });
  }
}
