import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, createCellCounts, type Look, type StrokeSteps } from "./cell-counts.ts";
import type { TextFrame } from "./text-frames.ts";

const sizes = [
  { width: 320, height: 180 },
  { width: 176, height: 144 },
  { width: 50, height: 38 },
  { width: 32, height: 16 },
  { width: 16, height: 32 },
  { width: 8, height: 64 },
  { width: 64, height: 8 },
];

const looks: { name: string; look: Look; steps: StrokeSteps }[] = [
  {
    name: "strokes",
    look: { isColour: false, rowStep: 2, firstRow: 2, lastRows: 2, step: 2, firstColumn: 2 },
    steps: { stroke: 37, still: 12, other: 28, flat: 0 },
  },
  {
    name: "faint strokes",
    look: { isColour: false, rowStep: 4, firstRow: 4, lastRows: 2, step: 2, firstColumn: 4 },
    steps: { stroke: 6, still: 3, other: 4, flat: 2 },
  },
  {
    name: "coloured strokes",
    look: { isColour: true, rowStep: 2, firstRow: 2, lastRows: 1, step: 1, firstColumn: 2 },
    steps: { stroke: 12, still: 6, other: 8, flat: 3 },
  },
];

for (const size of sizes) {
  const sizeName = `${size.width} × ${size.height}`;
  for (const { name, look, steps } of looks) {
    for (const hasSeen of [true, false])
      test(`${name} are counted sixteen at a time as one by one, ${sizeName}, ${hasSeen ? "some seen" : "nothing seen"}`, () => {
        const cells = createCellCounts(size);
        const frames = [1, 2, 3].map((index) => makeFrame(index, size));
        const [two, one, now] = frames as [TextFrame, TextFrame, TextFrame];
        cells.seen.set(makeFrame(4, size).yuv);
        // The frame after the first three takes the place of the oldest.
        cells.strokes({ now: two, one: two, two }, { look, steps, hasSeen });
        cells.strokes({ now: makeFrame(5, size), one, two }, { look, steps, hasSeen });
        const counts = cells.strokes({ now, one, two }, { look, steps, hasSeen });
        const seen = hasSeen ? cells.seen : null;
        assert.deepEqual([...counts], countOneByOne([now, one, two, seen], { ...size, look, steps }));
      });
  }
  test(`what has changed is counted sixteen at a time as one by one, ${sizeName}`, () => {
    const cells = createCellCounts(size);
    const [before, now] = [makeFrame(6, size), makeFrame(9, size)];
    const expected = changedOneByOne(now.yuv, before.yuv, size);
    assert.deepEqual([...cells.changed(now, before, 60)], expected);
    if (size.width >= 16 && size.height >= 16) assert.ok(expected.some((count) => count > 0 && count < 16));
  });
}

/** Plain cells, noise of a few levels, and hard strokes; every second cell stands still from frame to frame. */
function makeFrame(index: number, { width, height }: { width: number; height: number }): TextFrame {
  const yuv = new Uint8Array(width * height * 1.5);
  let state = 7;
  const random = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % limit;
  };
  for (let at = 0; at < yuv.length; at += 1) {
    const kind = Math.floor(at / 48) % 4;
    const own = random(256);
    const noise = random(5) * (index % 3);
    yuv[at] =
      kind === 0 ? 90 + noise : kind === 1 ? own : kind === 2 ? (own + index * 31) % 256 : 80 + (own % 24) + noise;
  }
  return { index, seconds: index, yuv };
}

/** As the watch for text did it before: each pixel by itself. */
function countOneByOne(
  [now, one, two, seen]: [TextFrame, TextFrame, TextFrame, Uint8Array | null],
  { width, height, look, steps }: { width: number; height: number; look: Look; steps: StrokeSteps },
): number[] {
  const { isColour, rowStep, firstRow, lastRows, step, firstColumn } = look;
  const shift = isColour ? 1 : 0;
  const size = 16 >> shift;
  const [columns, rows] = [Math.floor(width / 16), Math.floor(height / 16)];
  const [rowLength, back] = [width >> shift, isColour ? 1 : 2];
  const planes = isColour ? [width * height, width * height * 1.25] : [0];
  const counts = Array.from({ length: columns * rows * 4 }, () => 0);
  for (let y = firstRow; y < rows * size - lastRows; y += rowStep) {
    for (let x = firstColumn; x < columns * size - step; x += step) {
      const at = y * rowLength + x;
      const differ = (a: Uint8Array, from: number, b: Uint8Array, to: number) =>
        planes.reduce((sum, start) => sum + Math.abs((a[start + from] as number) - (b[start + to] as number)), 0);
      const count = (what: keyof typeof counted) => {
        const index = (Math.floor(y / size) * columns + Math.floor(x / size)) * 4 + counted[what];
        counts[index] = (counts[index] as number) + 1;
      };
      const across = differ(now.yuv, at + 1, now.yuv, at - back);
      const down = differ(now.yuv, at + rowLength, now.yuv, at - back * rowLength);
      if (across <= steps.flat && down <= steps.flat) count("flat");
      if (across < steps.stroke && down < steps.stroke) continue;
      if (seen !== null && differ(now.yuv, at, seen, at) < steps.other) continue;
      count("grain");
      if (differ(now.yuv, at, one.yuv, at) > steps.still || differ(now.yuv, at, two.yuv, at) > steps.still) continue;
      if (across >= steps.stroke) count("upright");
      if (down >= steps.stroke) count("level");
    }
  }
  return counts;
}

function changedOneByOne(now: Uint8Array, before: Uint8Array, { width, height }: { width: number; height: number }) {
  const [columns, rows] = [Math.floor(width / 16), Math.floor(height / 16)];
  return Array.from({ length: columns * rows }, (_, index) => {
    const start = Math.floor(index / columns) * 16 * width + (index % columns) * 16;
    let count = 0;
    for (let y = 0; y < 16; y += 4)
      for (let x = 0; x < 16; x += 4) {
        const at = start + y * width + x;
        if (Math.abs((now[at] as number) - (before[at] as number)) > 60) count += 1;
      }
    return count;
  });
}
