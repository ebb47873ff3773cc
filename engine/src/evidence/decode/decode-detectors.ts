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
const stepSeconds = 0.1;
/** The range is a spread of short-term values; of a handful it is noise. */
const leastRangeSeconds = 6;
/** What the meter shows for digital silence is around -120; nothing real is that low. */
const floorLufs = -100;

export function createLoudnessReader(): {
  read: (entry: LogEntry) => void;
  finish: () => LoudnessEvidence;
} {
  const curve: LoudnessEvidence["curve"] = { startSeconds: 0, stepSeconds, momentaryLufs: [], shortTermLufs: [] };
  let integrated: number | null = null;
  let range: number | null = null;
  let peak = 0;
  return {
    read(entry) {
      const values = new Map(entry.values);
      if (!values.has("lavfi.r128.M")) return;
      if (curve.momentaryLufs.length === 0) curve.startSeconds = entry.seconds ?? 0;
      const elapsed = (curve.momentaryLufs.length + 1) * stepSeconds + 0.001;
      curve.momentaryLufs.push(elapsed < windowSeconds.momentary ? null : level(values.get("lavfi.r128.M")));
      curve.shortTermLufs.push(elapsed < windowSeconds.shortTerm ? null : level(values.get("lavfi.r128.S")));
      integrated = Number(values.get("lavfi.r128.I"));
      range = Number(values.get("lavfi.r128.LRA"));
      peak = Math.max(peak, Number(values.get("lavfi.r128.true_peak") ?? 0));
    },
    finish() {
      // Nothing louder than the absolute gate of -70 LUFS: then there is no programme to measure.
      const hasProgramme = integrated !== null && integrated > -70;
      return {
        integratedLufs: hasProgramme ? integrated : null,
        maxShortTermLufs: highest(curve.shortTermLufs),
        maxMomentaryLufs: highest(curve.momentaryLufs),
        rangeLu: hasProgramme && curve.momentaryLufs.length * stepSeconds >= leastRangeSeconds ? range : null,
        truePeakDbtp: peak > 0 ? Number((20 * Math.log10(peak)).toFixed(2)) : null,
        curve,
      };
    },
  };
}

function level(value: string | undefined): number | null {
  const lufs = Number(value);
  return Number.isFinite(lufs) && lufs > floorLufs ? Number(lufs.toFixed(1)) : null;
}

function highest(values: (number | null)[]): number | null {
  let best: number | null = null;
  for (const value of values) if (value !== null && (best === null || value > best)) best = value;
  return best;
}
