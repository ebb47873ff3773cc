import type { LoudnessEvidence, Span } from "../evidence.ts";
import type { LogEntry } from "./decode-streams.ts";

/** Joins the starts and ends that a detector writes into spans; one that is still open ends with the stream. */
export function createSpanReader(keys: { start: string; end: string }): {
  read: (entry: LogEntry) => void;
  finish: (durationSeconds: number) => Span[];
} {
  const spans: Span[] = [];
  let start: number | undefined;
  return {
    read(entry) {
      for (const [key, value] of entry.values) {
        if (key === keys.start) start = Math.max(0, Number(value));
        if (key !== keys.end || start === undefined) continue;
        spans.push({ startSeconds: start, endSeconds: Number(value) });
        start = undefined;
      }
    },
    finish(durationSeconds) {
      if (start !== undefined && durationSeconds > start) {
        spans.push({ startSeconds: start, endSeconds: durationSeconds });
      }
      start = undefined;
      return spans;
    },
  };
}

/** A meter window is measured only once it is full; before that the filter counts what is missing as silence. */
const windowSeconds = { momentary: 0.4, shortTerm: 3 };
export const loudnessStepSeconds = 0.1;
/** The range is a spread of short-term values; of a handful it is noise. */
const leastRangeSeconds = 6;
/** What the meter shows for digital silence is around -120; nothing real is that low. */
const floorLufs = -100;

/** What the meter showed at every step, as it was written. */
export type LoudnessSteps = {
  /** When the first step began. */
  startSeconds: number;
  momentaryLufs: number[];
  shortTermLufs: number[];
  /** The highest so far, 1: full scale. */
  truePeak: number;
};

export function createLoudnessReader(): {
  read: (entry: LogEntry) => void;
  finish: () => LoudnessEvidence;
  steps: LoudnessSteps;
} {
  const steps: LoudnessSteps = { startSeconds: 0, momentaryLufs: [], shortTermLufs: [], truePeak: 0 };
  let integratedLufs: number | null = null;
  let rangeLu: number | null = null;
  return {
    steps,
    read(entry) {
      const values = new Map(entry.values);
      if (!values.has("lavfi.r128.M")) return;
      if (steps.momentaryLufs.length === 0) steps.startSeconds = entry.seconds ?? 0;
      steps.momentaryLufs.push(Number(values.get("lavfi.r128.M")));
      steps.shortTermLufs.push(Number(values.get("lavfi.r128.S")));
      integratedLufs = Number(values.get("lavfi.r128.I"));
      rangeLu = Number(values.get("lavfi.r128.LRA"));
      steps.truePeak = Math.max(steps.truePeak, Number(values.get("lavfi.r128.true_peak") ?? 0));
    },
    finish: () => describeLoudness(steps, { integratedLufs, rangeLu }),
  };
}

export function describeLoudness(
  steps: LoudnessSteps,
  { integratedLufs, rangeLu }: { integratedLufs: number | null; rangeLu: number | null },
): LoudnessEvidence {
  const isFull = (index: number, seconds: number) => (index + 1) * loudnessStepSeconds + 0.001 >= seconds;
  const curve: LoudnessEvidence["curve"] = {
    startSeconds: steps.startSeconds,
    stepSeconds: loudnessStepSeconds,
    momentaryLufs: steps.momentaryLufs.map((lufs, at) => (isFull(at, windowSeconds.momentary) ? level(lufs) : null)),
    shortTermLufs: steps.shortTermLufs.map((lufs, at) => (isFull(at, windowSeconds.shortTerm) ? level(lufs) : null)),
  };
  // Nothing louder than the absolute gate of -70 LUFS: then there is no programme to measure.
  const hasProgramme = integratedLufs !== null && integratedLufs > -70;
  return {
    integratedLufs: hasProgramme ? integratedLufs : null,
    maxShortTermLufs: highest(curve.shortTermLufs),
    maxMomentaryLufs: highest(curve.momentaryLufs),
    rangeLu: hasProgramme && curve.momentaryLufs.length * loudnessStepSeconds >= leastRangeSeconds ? rangeLu : null,
    truePeakDbtp: steps.truePeak > 0 ? Number((20 * Math.log10(steps.truePeak)).toFixed(2)) : null,
    curve,
  };
}

function level(lufs: number): number | null {
  return Number.isFinite(lufs) && lufs > floorLufs ? Number(lufs.toFixed(1)) : null;
}

function highest(values: (number | null)[]): number | null {
  let best: number | null = null;
  for (const value of values) if (value !== null && (best === null || value > best)) best = value;
  return best;
}
