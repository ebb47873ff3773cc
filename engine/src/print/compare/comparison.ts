import type { Region, Span } from "../../evidence/evidence.ts";

/** From the closest to the farthest. What needs a person's judgement is `ALTERED`, never the same. */
export const contentMatches = ["IDENTICAL", "SAME_ESSENCE", "SAME_CONTENT", "ALTERED", "DIFFERENT"] as const;
export type ContentMatch = (typeof contentMatches)[number];

export const differenceKinds = ["picture", "frames", "length", "sound", "loudness", "text", "tracks"] as const;

/** One way in which a file is not what was cleared. Times are those of the cleared file; add `offsetSeconds` for this one's. */
export type Difference = {
  kind: (typeof differenceKinds)[number];
  /** For people. */
  message: string;
  startSeconds: number | null;
  endSeconds: number | null;
  /** From 1. */
  page: number | null;
  region: Region | null;
};

export type Comparison = {
  match: ContentMatch;
  /** When the first moment of the cleared file is seen or heard in this one. */
  offsetSeconds: number;
  differences: Difference[];
  /** What is not the same, but changes nothing that is seen or heard in the film: a slate, a gain. */
  notes: string[];
  /** What was measured, for who tunes the limits. */
  figures: Record<string, number>;
};

export function difference(
  kind: Difference["kind"],
  message: string,
  place: Partial<Omit<Difference, "kind" | "message">> = {},
): Difference {
  return { kind, message, startSeconds: null, endSeconds: null, page: null, region: null, ...place };
}

export function roundedSpan({ startSeconds, endSeconds }: Span): Span {
  return { startSeconds: hundredths(startSeconds), endSeconds: hundredths(endSeconds) };
}

export function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
