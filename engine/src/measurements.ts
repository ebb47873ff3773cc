import type {
  Evidence,
  FlashEvidence,
  LoudnessEvidence,
  MetadataEvidence,
  Span,
  ToneEvidence,
} from "./evidence/evidence.ts";

/** What is kept with the asset and served: evidence as curves, spans and text. Null: not asked for, or does not apply. */
export type Measurements = {
  loudness: LoudnessEvidence | null;
  flashes: FlashEvidence | null;
  tones: ToneEvidence["tones"] | null;
  black: Span[] | null;
  freezes: Span[] | null;
  silences: Span[] | null;
  pages: { page: number; text: string }[] | null;
  metadata: MetadataEvidence | null;
};

export function measurementsOf(evidence: Evidence): Measurements {
  return {
    loudness: evidence.loudness,
    flashes: evidence.flashes,
    tones: evidence.tones?.tones ?? null,
    black: evidence.black,
    freezes: evidence.freezes,
    silences: evidence.silences,
    pages: evidence.document?.pages.map(({ page, text }) => ({ page, text })) ?? null,
    metadata: evidence.metadata,
  };
}
