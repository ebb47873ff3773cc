import type { DecodeRange } from "../decode/decode-graph.ts";
import type { LoudnessSteps } from "../decode/decode-detectors.ts";
import type { Evidence, EvidenceKey, Span } from "../evidence.ts";
import type { Heard } from "../speech/speech.ts";
import type { FilmLines } from "../supers/supers.ts";

/** Raised when parts that were gathered before must not be joined with those that are gathered now. */
export const partFormatVersion = 1;

/** One part of a long film. It is decoded with some of its neighbours before and after, so that both see what is at a cut. */
export type FilmPart = {
  version: number;
  index: number;
  /** What is its own: from here, up to where the next one begins. The first begins at 0, the last has no end (null). */
  fromSeconds: number;
  toSeconds: number | null;
  range: DecodeRange;
  /** When the first frame of the film is seen. */
  pictureStartSeconds: number;
};

/** How a film is analysed in parts. What is needed and the day of the rules are the same for all of them. */
export type FilmPlan = { parts: FilmPart[]; needs: EvidenceKey[]; today: string };

/** What is gathered of one part: as much as the whole is made of, before anything is said about the whole. */
export type PartEvidence = {
  part: FilmPart;
  /** What is read from the file in other ways; in the first part only. */
  others: Partial<Evidence>;
  black: Span[] | null;
  freezes: Span[] | null;
  silences: Span[] | null;
  loudness: LoudnessSteps | null;
  /** Value 0 of its curve is at `curveFromStep`. */
  flashes: (NonNullable<Evidence["flashes"]> & { curveFromStep: number }) | null;
  patterns: Evidence["patterns"];
  tones: Evidence["tones"];
  nudity: Evidence["nudity"];
  supers: FilmLines | null;
  speech: Heard[] | null;
  /** Where picture and sound of this part end; null: there is none. */
  pictureEndSeconds: number | null;
  soundEndSeconds: number | null;
};

/** What a part itself is responsible for. */
export function ownSpan({ fromSeconds, toSeconds }: FilmPart): Span {
  return { startSeconds: fromSeconds === 0 ? -Infinity : fromSeconds, endSeconds: toSeconds ?? Infinity };
}
