/** Planes of one picture, one after the other: the form that the models take. */
export type Planes = { width: number; height: number; values: Float32Array };

type Size = { width: number; height: number };

type Kernel = { reach: number; at: (distance: number) => number };

const kernels = {
  bilinear: { reach: 1, at: (distance) => Math.max(0, 1 - Math.abs(distance)) },
  /** Catmull and Rom's: keeps the strokes of letters that are made larger. */
  bicubic: {
    reach: 2,
    at(distance) {
      const x = Math.abs(distance);
      if (x >= 2) return 0;
      return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
    },
  },
} satisfies Record<string, Kernel>;

/**
 * Resizes interleaved rgb into three planes, in the order blue, green, red that the models were trained on. Where it
 * shrinks, the kernel is widened over all the pixels that fall together, or thin strokes would be missed.
 */
export function resampleToPlanes(
  source: Size & { pixels: Uint8Array },
  target: Size,
  kernel: keyof typeof kernels,
): Planes {
  const across = weigh({ from: source.width, to: target.width, kernel: kernels[kernel] });
  const down = weigh({ from: source.height, to: target.height, kernel: kernels[kernel] });
  const values = new Float32Array(3 * target.width * target.height);
  const narrowed = narrow(source, target.width, across);
  const rowLength = target.width * 3;
  const row = new Float32Array(rowLength);
  const area = target.width * target.height;
  for (let y = 0; y < target.height; y += 1) {
    row.fill(0);
    const first = down.first[y] as number;
    for (let tap = 0; tap < down.taps; tap += 1) {
      const weight = down.weights[y * down.taps + tap] as number;
      if (weight === 0) continue;
      const start = (first + tap) * rowLength;
      for (let x = 0; x < rowLength; x += 1) row[x] = (row[x] as number) + weight * (narrowed[start + x] as number);
    }
    for (let x = 0, to = y * target.width; x < rowLength; x += 3, to += 1) {
      values[to] = row[x + 2] as number;
      values[area + to] = row[x + 1] as number;
      values[2 * area + to] = row[x] as number;
    }
  }
  return { ...target, values };
}

/** Every row of the source at the width of the target. */
function narrow(source: Size & { pixels: Uint8Array }, width: number, across: Weights): Float32Array {
  const { pixels } = source;
  const { first, weights, taps } = across;
  const result = new Float32Array(width * source.height * 3);
  for (let y = 0, to = 0; y < source.height; y += 1) {
    const rowStart = y * source.width * 3;
    for (let x = 0; x < width; x += 1, to += 3) {
      let from = rowStart + (first[x] as number) * 3;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let tap = x * taps, end = tap + taps; tap < end; tap += 1, from += 3) {
        const weight = weights[tap] as number;
        red += weight * (pixels[from] as number);
        green += weight * (pixels[from + 1] as number);
        blue += weight * (pixels[from + 2] as number);
      }
      result[to] = red;
      result[to + 1] = green;
      result[to + 2] = blue;
    }
  }
  return result;
}

/** For each place of the target the first place of the source that counts, and what each of the next `taps` counts. */
type Weights = { taps: number; first: Int32Array; weights: Float32Array };

function weigh({ from, to, kernel }: { from: number; to: number; kernel: Kernel }): Weights {
  const scale = from / to;
  const widening = Math.max(1, scale);
  const reach = kernel.reach * widening;
  const taps = Math.min(from, Math.ceil(reach) * 2 + 1);
  const first = new Int32Array(to);
  const weights = new Float32Array(to * taps);
  for (let place = 0; place < to; place += 1) {
    const middle = (place + 0.5) * scale - 0.5;
    const start = Math.min(from - taps, Math.max(0, Math.ceil(middle - reach)));
    first[place] = start;
    let sum = 0;
    for (let tap = 0; tap < taps; tap += 1) {
      const weight = kernel.at((start + tap - middle) / widening);
      weights[place * taps + tap] = weight;
      sum += weight;
    }
    for (let tap = 0; tap < taps; tap += 1) weights[place * taps + tap] = (weights[place * taps + tap] as number) / sum;
  }
  return { taps, first, weights };
}
