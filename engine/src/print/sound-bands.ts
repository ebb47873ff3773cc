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
  // Two windows are transformed at once, one as the real and one as the imaginary part.
  const parts = [new Float64Array(size), new Float64Array(size)] as const;
  const rows: number[] = [];
  let filled = 0;
  let isSecond = false;

  function measure(): void {
    const part = parts[isSecond ? 1 : 0];
    for (let n = 0; n < size; n++) part[n] = (pending[n] as number) * (window[n] as number);
    isSecond = !isSecond;
    if (isSecond) return;
    const [real, imaginary] = parts;
    transform(real, imaginary);
    for (let band = 0; band < bandCount; band++) {
      const first = Math.ceil(((edges[band] as number) * size) / soundSampleRate);
      const last = Math.ceil(((edges[band + 1] as number) * size) / soundSampleRate);
      let sum = 0;
      // The power of both windows is half of that of a frequency and its mirror image.
      for (let bin = first; bin < last; bin++) {
        const [re, im] = [real[bin] as number, imaginary[bin] as number];
        const [mirrorRe, mirrorIm] = [real[size - bin] as number, imaginary[size - bin] as number];
        sum += re * re + im * im + mirrorRe * mirrorRe + mirrorIm * mirrorIm;
      }
      rows.push(levelOf(sum / 4));
    }
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
      const [re, im] = [real[n] as number, imaginary[n] as number];
      real[n] = real[other] as number;
      imaginary[n] = imaginary[other] as number;
      real[other] = re;
      imaginary[other] = im;
    }
    for (let span = 2; span <= length; span *= 2) {
      const half = span / 2;
      const step = length / span;
      for (let k = 0; k < half; k++) {
        const c = cosines[k * step] as number;
        const s = sines[k * step] as number;
        for (let a = k, b = k + half; b < length; a += span, b += span) {
          const x = (real[b] as number) * c - (imaginary[b] as number) * s;
          const y = (real[b] as number) * s + (imaginary[b] as number) * c;
          real[b] = (real[a] as number) - x;
          imaginary[b] = (imaginary[a] as number) - y;
          real[a] = (real[a] as number) + x;
          imaginary[a] = (imaginary[a] as number) + y;
        }
      }
    }
  };
}
