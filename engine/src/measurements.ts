import type {
  CaptionEvidence,
  Evidence,
  FlashEvidence,
  ImageEvidence,
  LoudnessEvidence,
  MetadataEvidence,
  NudityEvidence,
  PatternEvidence,
  Span,
  SpeechEvidence,
  Super,
  ToneEvidence,
} from "./evidence/evidence.ts";
import { describeOmissions } from "./evidence/omissions.ts";
import type { Context } from "./sidekick.ts";
import { type AssetText, assetText } from "./text/asset-text.ts";
import { unreadLanguages } from "./text/languages.ts";
import { type SuggestedContext, suggestContext } from "./rules/suggest-context.ts";
import { roundedTo, storable, thinned } from "./compact.ts";

/** What is kept with the asset and served: evidence as curves, spans and text. Null: not asked for, or does not apply. */
export type Measurements = {
  loudness: LoudnessEvidence | null;
  flashes: FlashEvidence | null;
  patterns: PatternEvidence | null;
  tones: ToneEvidence["tones"] | null;
  black: Span[] | null;
  freezes: Span[] | null;
  silences: Span[] | null;
  supers: Super[] | null;
  speech: SpeechEvidence | null;
  /** Subtitle streams of a film, or the one track that a caption file is. */
  captions: CaptionEvidence["tracks"] | null;
  nudity: NudityEvidence["looks"] | null;
  pages: { page: number; text: string }[] | null;
  /** What was not checked and why; empty: nothing was left out. Null only in results of earlier versions. */
  omissions: string[] | null;
  image: ImageEvidence | null;
  metadata: MetadataEvidence | null;
  /** What the file looks like where the submission did not say; null where it did, or nothing shows. */
  suggestedContext: SuggestedContext | null;
};

/** Of a file that was not measured. */
export const noMeasurements: Measurements = {
  loudness: null,
  flashes: null,
  patterns: null,
  tones: null,
  black: null,
  freezes: null,
  silences: null,
  supers: null,
  speech: null,
  captions: null,
  nudity: null,
  pages: null,
  omissions: null,
  image: null,
  metadata: null,
  suggestedContext: null,
};

/** Small enough to draw at once; four hours of loudness are 144,000. */
const maxCurvePoints = 20_000;

export function measurementsOf(
  evidence: Evidence,
  context: Context = {},
  text: AssetText = assetText(evidence),
): Measurements {
  const { document, speech, captions } = evidence;
  return storable({
    loudness: evidence.loudness && compactLoudness(evidence.loudness),
    flashes: evidence.flashes && compactFlashes(evidence.flashes),
    patterns: evidence.patterns && roundedTo(4, evidence.patterns),
    tones: evidence.tones && roundedTo(3, evidence.tones.tones),
    black: evidence.black && roundedTo(4, evidence.black),
    freezes: evidence.freezes && roundedTo(4, evidence.freezes),
    silences: evidence.silences && roundedTo(4, evidence.silences),
    supers: evidence.supers && roundedTo(4, evidence.supers.supers),
    speech: speech && roundedTo(3, { segments: speech.segments, notJudged: speech.notJudged }),
    captions: captions?.tracks ?? captionFile(evidence),
    nudity: evidence.nudity && roundedTo(3, evidence.nudity.looks),
    pages: document && document.pages.map(({ page, text }) => ({ page, text })),
    omissions: [...describeOmissions(evidence), ...unreadLanguages(text)],
    image: evidence.image && withoutOmissions(evidence.image),
    metadata: evidence.metadata && withoutOmissions(evidence.metadata),
    suggestedContext: suggestContext(text, context),
  });
}

/** They are told once, for the whole asset. */
function withoutOmissions<Found extends { omissions?: unknown }>(found: Found): Found {
  const kept = { ...found };
  delete kept.omissions;
  return kept;
}

function captionFile({ document, probe }: Evidence): CaptionEvidence["tracks"] | null {
  const cues = document?.cues ?? null;
  return cues && [{ language: null, codec: probe.container, cues }];
}

/** Of a thinned curve each value is the loudest of its step, so that nothing that was too loud disappears from it. */
function compactLoudness({ curve, ...rest }: LoudnessEvidence): LoudnessEvidence {
  const most = Math.max(curve.momentaryLufs.length, curve.shortTermLufs.length);
  const every = Math.ceil(most / maxCurvePoints) || 1;
  return {
    ...roundedTo(2, rest),
    curve: {
      startSeconds: roundedTo(4, curve.startSeconds),
      stepSeconds: roundedTo(6, curve.stepSeconds * every),
      momentaryLufs: roundedTo(1, thinned(curve.momentaryLufs, every, highest)),
      shortTermLufs: roundedTo(1, thinned(curve.shortTermLufs, every, highest)),
    },
  };
}

function compactFlashes({ curve, ...rest }: FlashEvidence): FlashEvidence {
  const every = Math.ceil(curve.luminance.length / maxCurvePoints) || 1;
  return {
    ...roundedTo(4, rest),
    curve: {
      stepSeconds: roundedTo(6, curve.stepSeconds * every),
      luminance: roundedTo(1, thinned(curve.luminance, every, mean)),
      generalPerSecond: roundedTo(2, thinned(curve.generalPerSecond, every, peak)),
      redPerSecond: roundedTo(2, thinned(curve.redPerSecond, every, peak)),
    },
  };
}

function highest(values: (number | null)[]): number | null {
  return values.reduce((most, value) => (value === null || (most !== null && most >= value) ? most : value), null);
}

function peak(values: number[]): number {
  return Math.max(...values);
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
