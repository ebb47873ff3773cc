import type { Raster } from "./raster.ts";

/** Catmull and Rom's kernel a quarter of a pixel beside a sample: keeps the strokes of letters that are made larger. */
const taps = [-0.0703125, 0.8671875, 0.2265625, -0.0234375];

/** Twice as wide and twice as high. */
export function doubleRaster({ width, height, pixels }: Raster): Raster {
  const wide = doubled(pixels, { count: width, stride: 3, lines: height, lineStride: width * 3, span: 3 });
  const both = doubled(wide, { count: height, stride: width * 6, lines: 1, lineStride: 0, span: width * 6 });
  return { width: width * 2, height: height * 2, pixels: both };
}

/** Puts two samples in the place of each of `count`, which are `stride` apart and `span` values wide, in every line. */
function doubled(
  values: Uint8Array,
  { count, stride, lines, lineStride, span }: Record<"count" | "stride" | "lines" | "lineStride" | "span", number>,
): Uint8Array {
  const result = new Uint8ClampedArray(values.length * 2);
  const [before, near, after, far] = taps as [number, number, number, number];
  for (let line = 0; line < lines; line += 1) {
    const start = line * lineStride;
    const placeOf = (index: number) => start + Math.min(count - 1, Math.max(0, index)) * stride;
    for (let index = 0; index < count; index += 1) {
      const [first, second] = [placeOf(index - 2), placeOf(index - 1)];
      const [own, next, last] = [placeOf(index), placeOf(index + 1), placeOf(index + 2)];
      const to = 2 * start + index * 2 * stride;
      for (let each = 0; each < span; each += 1) {
        const value = values[own + each] as number;
        const [left, right] = [values[second + each] as number, values[next + each] as number];
        result[to + each] = before * right + near * value + after * left + far * (values[first + each] as number);
        result[to + stride + each] =
          before * left + near * value + after * right + far * (values[last + each] as number);
      }
    }
  }
  return new Uint8Array(result.buffer);
}
