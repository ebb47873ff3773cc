import { peaksRate } from "./film-plan.ts";

const maxPeaks = 2000;
const bytesPerSample = 4;
/** Hundredths of a second: of two hours that is under a million numbers. */
const samplesPerStep = peaksRate / 100;

/** The highest level of each hundredth of a second of 16-bit stereo, folded into at most 2,000 at the end. */
export function createPeakMeter(): {
  add: (bytes: Buffer) => void;
  finish: () => { durationSeconds: number; peaks: number[] };
} {
  const steps: number[] = [];
  let pending = Buffer.alloc(0);
  let highest = 0;
  let samples = 0;
  let total = 0;
  return {
    add(bytes) {
      const all = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
      const whole = all.length - (all.length % bytesPerSample);
      for (let at = 0; at < whole; at += bytesPerSample) {
        const level = Math.max(Math.abs(all.readInt16LE(at)), Math.abs(all.readInt16LE(at + 2)));
        if (level > highest) highest = level;
        samples += 1;
        if (samples < samplesPerStep) continue;
        steps.push(highest);
        total += samples;
        [highest, samples] = [0, 0];
      }
      pending = Buffer.from(all.subarray(whole));
    },
    finish() {
      if (samples > 0) steps.push(highest);
      return { durationSeconds: (total + samples) / peaksRate, peaks: fold(steps) };
    },
  };
}

function fold(steps: readonly number[]): number[] {
  const count = Math.min(maxPeaks, steps.length);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * steps.length) / count);
    const to = Math.floor(((index + 1) * steps.length) / count);
    let highest = 0;
    for (let at = from; at < to; at += 1) highest = Math.max(highest, steps[at] ?? 0);
    return Math.round((Math.min(highest, 32_767) / 32_767) * 1000) / 1000;
  });
}
