import type { Evidence } from "./evidence.ts";

/** Nothing gathered yet. */
export function emptyEvidence(probe: Evidence["probe"]): Evidence {
  return {
    probe,
    black: null,
    freezes: null,
    silences: null,
    loudness: null,
    flashes: null,
    patterns: null,
    tones: null,
    document: null,
    image: null,
    metadata: null,
    supers: null,
    speech: null,
    captions: null,
    nudity: null,
  };
}
