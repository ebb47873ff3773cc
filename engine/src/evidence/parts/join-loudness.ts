import { describeLoudness, loudnessStepSeconds, type LoudnessSteps } from "../decode/decode-detectors.ts";
import type { LoudnessEvidence } from "../evidence.ts";
import { type FilmPart, ownSpan } from "./film-part.ts";

type PartSteps = { part: FilmPart; steps: LoudnessSteps };

/** The loudness of the whole: each part gives the steps of its own, and the gates of EBU R 128 are over all of them. */
export function joinLoudness(parts: readonly PartSteps[]): LoudnessEvidence {
  const startSeconds = parts[0]?.steps.startSeconds ?? 0;
  const stepAt = (seconds: number) => Math.round((seconds - startSeconds) / loudnessStepSeconds);
  const own = parts.map(({ part, steps }) => {
    const { startSeconds: from, endSeconds: to } = ownSpan(part);
    const first = stepAt(steps.startSeconds);
    const bounds = [Math.max(0, stepAt(from) - first), Math.max(0, stepAt(to) - first)] as const;
    return {
      momentaryLufs: steps.momentaryLufs.slice(...bounds),
      shortTermLufs: steps.shortTermLufs.slice(...bounds),
    };
  });
  const steps: LoudnessSteps = {
    startSeconds,
    momentaryLufs: own.flatMap(({ momentaryLufs }) => momentaryLufs),
    shortTermLufs: own.flatMap(({ shortTermLufs }) => shortTermLufs),
    truePeak: Math.max(0, ...parts.map(({ steps: { truePeak } }) => truePeak)),
  };
  return describeLoudness(steps, {
    integratedLufs: integratedOf(steps.momentaryLufs),
    rangeLu: rangeOf(steps.shortTermLufs),
  });
}

/** The absolute gate, and how far the relative ones are below the mean of what passes it. */
const absoluteGate = -70;
const integratedGate = -10;
const rangeGate = -20;
/** Loudness is sorted into classes of a hundredth of a unit, up to +10 LUFS, as the meter does. */
const classesPerUnit = 100;
const classCount = 80 * classesPerUnit + 1;
const [lowShare, highShare] = [0.1, 0.95];

/** EBU R 128 from the momentary loudness at every tenth of a second, which is that of its gating blocks. */
function integratedOf(momentary: readonly number[]): number | null {
  const { counts, gate } = sortByLoudness(momentary, integratedGate);
  let [sum, count] = [0, 0];
  for (let index = gate; index < classCount; index += 1) {
    count += counts[index] as number;
    sum += (counts[index] as number) * powerOf(loudnessOf(index));
  }
  return count === 0 ? absoluteGate : thousandths(10 * Math.log10(sum / count) - 0.691);
}

/** EBU Tech 3342 from the short-term loudness at the same steps. */
function rangeOf(shortTerm: readonly number[]): number {
  const { counts, gate } = sortByLoudness(shortTerm, rangeGate);
  const above = counts.subarray(gate).reduce((sum, count) => sum + count, 0);
  if (above === 0) return 0;
  let [low, high] = [0, 0];
  for (let index = gate, sum = 0; index < classCount; index += 1) {
    sum += counts[index] as number;
    if (sum < Math.floor(lowShare * above + 0.5)) continue;
    low = loudnessOf(index);
    break;
  }
  for (let index = classCount - 1, left = above; index >= 0; index -= 1) {
    left -= Math.min(left, counts[index] as number);
    if (left >= Math.floor(highShare * above + 0.5)) continue;
    high = loudnessOf(index);
    break;
  }
  return thousandths(high - low);
}

function sortByLoudness(values: readonly number[], relativeGate: number) {
  const counts = new Uint32Array(classCount);
  let [sum, count] = [0, 0];
  for (const lufs of values) {
    if (!(lufs >= absoluteGate)) continue;
    const at = classOf(lufs);
    counts[at] = (counts[at] as number) + 1;
    sum += powerOf(lufs);
    count += 1;
  }
  const mean = count === 0 ? 0 : sum / count;
  return { counts, gate: classOf(10 * Math.log10(mean || 1e-12) - 0.691 + relativeGate) };
}

function classOf(lufs: number): number {
  return Math.max(0, Math.min(classCount - 1, Math.trunc((lufs - absoluteGate) * classesPerUnit)));
}

function loudnessOf(index: number): number {
  return index / classesPerUnit + absoluteGate;
}

function powerOf(lufs: number): number {
  return 10 ** ((lufs + 0.691) / 10);
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
