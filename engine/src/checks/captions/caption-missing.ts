import { Type } from "typebox";
import type { Evidence, SpeechSegment } from "../../evidence/evidence.ts";
import { captionTracks } from "./caption-tracks.ts";
import { defineCheckKind, type Hit } from "../check-kind.ts";
import { percent, round, seconds } from "../format-numbers.ts";
import { shorten } from "../wording/phrase.ts";
import { sharedWords } from "../supers/screen-text.ts";

/** Captions run a little ahead of the voice or behind it. */
const offsetSeconds = 1.5;
/** Pictures of letters, which hold no text that could be read here. */
const pictureCodecs = /pgs|dvd|dvb|xsub|teletext|eia_608|cc_dec/i;

/** Speech that somebody who cannot hear it cannot read. */
export const captionMissing = defineCheckKind({
  kind: "caption-missing",
  about: "Speech without captions: neither a track in the film, nor the same words on screen.",
  parameters: Type.Object({
    minSpeechSeconds: Type.Number({ minimum: 0 }),
    /** Films up to this length are free of the duty. */
    exemptUpToSeconds: Type.Optional(Type.Number({ minimum: 0 })),
  }),
  appliesTo: ["video"],
  needs: () => ["speech", "captions", "supers"],
  run({ evidence, parameters }) {
    const { minSpeechSeconds, exemptUpToSeconds = 0 } = parameters;
    const { speech, probe } = evidence;
    if (speech === null || (probe.durationSeconds ?? 0) <= exemptUpToSeconds) return [];
    if (probe.subtitleStreams.some(({ codec }) => pictureCodecs.test(codec))) return [];
    // Words in another language are doubtful as words, but they are said.
    const spoken = speech.segments.filter(({ text }) => text !== "" || speech.notJudged !== null);
    const bare = spoken.filter((segment) => !isCaptioned(segment, evidence));
    const first = bare[0];
    const bareSeconds = lengthOf(bare);
    if (first === undefined || bareSeconds < minSpeechSeconds) return [];
    return [describe({ first, bareSeconds, spokenSeconds: lengthOf(spoken), evidence, minSpeechSeconds })];
  },
});

function describe(found: {
  first: SpeechSegment;
  bareSeconds: number;
  spokenSeconds: number;
  minSpeechSeconds: number;
  evidence: Evidence;
}): Hit {
  const { first, bareSeconds, spokenSeconds, minSpeechSeconds, evidence } = found;
  const hasSome = captionTracks(evidence).length > 0;
  const isEmpty = !hasSome && evidence.probe.subtitleStreams.length > 0;
  const where = hasSome
    ? `The captions of the film leave out ${percent(bareSeconds / spokenSeconds)} of the speech`
    : isEmpty
      ? "The film has a caption track, but it is empty"
      : "The film has no caption track";
  return {
    summary: hasSome
      ? `${seconds(round(bareSeconds, 1))} of speech have no captions, from ${seconds(first.startSeconds)} (“${shorten(first.text, 60)}”) on.`
      : `${seconds(round(bareSeconds, 1))} of speech and no captions${isEmpty ? ": the caption track is empty" : ""}.`,
    headline: `${seconds(round(bareSeconds, 1))} of speech without captions`,
    reasoning: `Of ${seconds(round(spokenSeconds, 1))} of speech, ${seconds(round(bareSeconds, 1))} have no captions; ${seconds(minSpeechSeconds)} or more need them. ${where}, and the words are not on screen. Captions that come as a file of their own, or that are hidden in the picture (CEA-608/708), are not seen here.`,
    identity: "",
    location: { startSeconds: first.startSeconds, endSeconds: first.endSeconds, quote: shorten(first.text, 300) },
    measurement: { value: round(bareSeconds, 1), limit: minSpeechSeconds, unit: "s" },
    recommendation: hasSome
      ? "Add captions for the speech that has none, and check the track to its end."
      : "Deliver captions with the film: an SRT or WebVTT file, or a track inside it. If they exist already, dismiss this finding with their name as the reason.",
  };
}

function isCaptioned(segment: SpeechSegment, evidence: Evidence): boolean {
  const { startSeconds, endSeconds, text } = segment;
  const isDuring = (span: { startSeconds: number | null; endSeconds: number | null }) =>
    (span.startSeconds ?? Infinity) < endSeconds + offsetSeconds &&
    (span.endSeconds ?? -Infinity) > startSeconds - offsetSeconds;
  if (captionTracks(evidence).some(({ cues }) => cues.some(isDuring))) return true;
  const shown = (evidence.supers?.supers ?? []).filter(isDuring).map((line) => line.text);
  return sharedWords(text, shown.join(" ")) >= 0.6;
}

function lengthOf(segments: readonly SpeechSegment[]): number {
  return segments.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
}
