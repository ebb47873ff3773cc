import { soundSampleRate, type Sound } from "../evidence/evidence.ts";

/** Edges in Hz: about what a telephone carries, and a little more. Codecs at low rates keep nothing above. */
const edges = [100, 200, 300, 420, 570, 770, 1040, 1400, 1900, 2550, 3400, 4500, 6000];

export const bandCount = edges.length - 1;
/** One row of bands a step. */
export const bandStepSeconds = 0.05;

const size = 512;
const hop = (soundSampleRate * bandStepSeconds) / 2;

/** Energy by band, in half decibels above −100 dB of full scale: what is said and played, whatever codec carries it. */
export function createBands(): { accept: (sound: Pick<Sound, "samples">) => void; finish: () => Uint8Array } {
  const transform = createTransform(size);
  const window = Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
  const pending = new Float64Array(size);
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  const rows: number[] = [];
  let filled = 0;
  let power = new Float64Array(bandCount);
  let halves = 0;

  function measure(): void {
    for (let n = 0; n < size; n++) real[n] = (pending[n] as number) * (window[n] as number);
    imaginary.fill(0);
    transform(real, imaginary);
    for (let band = 0; band < bandCount; band++) {
      const first = Math.ceil(((edges[band] as number) * size) / soundSampleRate);
      const last = Math.ceil(((edges[band + 1] as number) * size) / soundSampleRate);
      let sum = 0;
      for (let bin = first; bin < last; bin++) sum += (real[bin] as number) ** 2 + (imaginary[bin] as number) ** 2;
      power[band] = (power[band] as number) + sum;
    }
    halves += 1;
    if (halves < 2) return;
    for (const sum of power) rows.push(levelOf(sum / 2));
    power = new Float64Array(bandCount);
    halves = 0;
  }

  return {
    accept({ samples }) {
      for (const sample of samples) {
        pending[filled++] = sample / 32_768;
        if (filled < size) continue;
        measure();
        pending.copyWithin(0, hop);
        filled = size - hop;
      }
    },
    finish() {
      return Uint8Array.from(rows);
    },
  };
}

function levelOf(power: number): number {
  const decibels = 10 * Math.log10((4 * power) / (size * size) + 1e-12);
  return Math.max(0, Math.min(255, Math.round((decibels + 100) * 2)));
}

/** The Fourier transform in place; `length` is a power of two. */
function createTransform(length: number): (real: Float64Array, imaginary: Float64Array) => void {
  const bits = Math.log2(length);
  const cosines = Float64Array.from({ length: length / 2 }, (_, n) => Math.cos((2 * Math.PI * n) / length));
  const sines = Float64Array.from({ length: length / 2 }, (_, n) => -Math.sin((2 * Math.PI * n) / length));
  const reversed = Int32Array.from({ length }, (_, n) => {
    let turned = 0;
    for (let bit = 0; bit < bits; bit++) if (n & (1 << bit)) turned |= 1 << (bits - 1 - bit);
    return turned;
  });
  return (real, imaginary) => {
    for (let n = 0; n < length; n++) {
      const other = reversed[n] as number;
      if (other <= n) continue;
      [real[n], real[other]] = [real[other] as number, real[n] as number];
      [imaginary[n], imaginary[other]] = [imaginary[other] as number, imaginary[n] as number];
    }
    for (let span = 2; span <= length; span *= 2) {
      const half = span / 2;
      const step = length / span;
      for (let start = 0; start < length; start += span)
        for (let k = 0; k < half; k++) {
          const [c, s] = [cosines[k * step] as number, sines[k * step] as number];
          const [a, b] = [start + k, start + k + half];
          const x = (real[b] as number) * c - (imaginary[b] as number) * s;
          const y = (real[b] as number) * s + (imaginary[b] as number) * c;
          real[b] = (real[a] as number) - x;
          imaginary[b] = (imaginary[a] as number) - y;
          real[a] = (real[a] as number) + x;
          imaginary[a] = (imaginary[a] as number) + y;
        }
    }
  };
}
