import { lazily } from "../../memoize.ts";
import type { Models, VoiceState } from "../../models/models.ts";
import { type Consumer, type Sound, soundSampleRate, type SpeechEvidence, type SpeechSegment } from "../evidence.ts";
import { hearTwice } from "./hear-twice.ts";
import { type HeardSegment, judgeDoubt, meanLogLikelihood } from "./speech-doubt.ts";
import { createSpeechCutter, type SpeechCut, windowSeconds } from "./speech-cutter.ts";

const windowSamples = windowSeconds * soundSampleRate;
/** Quiet before and after helps the transcriber with first and last words. */
const paddingSamples = 0.2 * soundSampleRate;
/** So many stretches wait for their words while the decoder goes on. */
const maxUnderWay = 2;

/** A stretch of speech as it was heard. What is to be doubted of it, the others decide too. */
export type Heard = HeardSegment & { voiceLikelihood: number };

type SpeechTools = { models: Pick<Models, "hearVoice" | "transcribe"> };

/** Words with their times. */
export function createSpeechConsumer(tools: SpeechTools): Consumer<Sound, SpeechEvidence> {
  const { accept, finish } = createHeardConsumer(tools);
  return { accept, finish: async (end) => describeSpeech(await finish(end), end.durationSeconds) };
}

/** Only sound in which a voice is heard is transcribed, and only a few seconds of it are held. */
export function createHeardConsumer({ models }: SpeechTools): Consumer<Sound, Heard[]> {
  const cutter = createSpeechCutter();
  const found: Promise<Heard>[] = [];
  const underWay: Promise<unknown>[] = [];
  let state: VoiceState = null;
  /** What is still needed of the sound, and where it begins. */
  let kept = new Int16Array(0);
  let keptFrom = 0;
  let heardSamples = 0;
  /** When the first sample is heard. */
  let originSeconds: number | null = null;

  async function hear(): Promise<void> {
    const whole = Math.floor((keptFrom + kept.length - heardSamples) / windowSamples) * windowSamples;
    if (whole === 0) return;
    const start = heardSamples - keptFrom;
    const heard = await models.hearVoice(kept.subarray(start, start + whole), state);
    state = heard.state;
    heardSamples += whole;
    for (const likelihood of heard.likelihoods) {
      const cut = cutter.push(likelihood);
      if (cut !== null) await transcribe(cut);
    }
    const needed = Math.max(keptFrom, cutter.neededFrom() * windowSamples - paddingSamples);
    kept = kept.slice(needed - keptFrom);
    keptFrom = needed;
  }

  async function transcribe(cut: SpeechCut): Promise<void> {
    const from = Math.max(keptFrom, cut.start * windowSamples - paddingSamples);
    const samples = kept.slice(from - keptFrom, cut.end * windowSamples + paddingSamples - keptFrom);
    if (underWay.length >= maxUnderWay) await underWay.shift();
    const transcribing = hearTwice(models, samples).then((utterance) => ({
      ...utterance,
      text: tidy(utterance.text),
      startSeconds: (originSeconds ?? 0) + cut.start * windowSeconds,
      endSeconds: (originSeconds ?? 0) + cut.end * windowSeconds,
      voiceLikelihood: cut.voiceLikelihood,
    }));
    // Its failure is met where it is awaited; until then it must not count as unhandled.
    transcribing.catch(() => undefined);
    underWay.push(transcribing);
    found.push(transcribing);
  }

  return {
    async accept({ samples, startSeconds }) {
      originSeconds ??= startSeconds;
      kept = joined(kept, samples);
      await hear();
    },
    async finish() {
      kept = joined(kept, new Int16Array(windowSamples));
      await hear();
      const last = cutter.finish();
      if (last !== null) await transcribe(last);
      return Promise.all(found);
    },
  };
}

export function describeSpeech(heard: Heard[], durationSeconds: number): SpeechEvidence {
  const verdicts = judgeDoubt(heard);
  const segments = heard.map((segment, index): SpeechSegment => {
    // Where the model does not say how sure it is of its words, that there was a voice is all that is known.
    const isTold = segment.logLikelihoods.length > 0;
    const confidence = isTold ? Math.exp(meanLogLikelihood(segment)) : segment.voiceLikelihood;
    const isUnheard = verdicts[index] === "unheard";
    return {
      startSeconds: round(segment.startSeconds),
      endSeconds: round(Math.min(durationSeconds, segment.endSeconds)),
      // What the model wrote for it are words that nobody said.
      text: isUnheard ? "" : segment.text,
      confidence: round(confidence),
      isDoubtful: verdicts[index] !== "clear",
    };
  });
  const unheard = segments.filter((_, index) => verdicts[index] === "unheard");
  const omissions = unheard.map(({ startSeconds, endSeconds }) => ({ what: otherLanguage, startSeconds, endSeconds }));
  return {
    // A voice in which not even a guess was heard may be a cough or a cheer.
    segments: segments.filter((_, index) => heard[index]?.text !== ""),
    notJudged: whyNotJudged(segments, heard),
    ...(omissions.length > 0 && { omissions }),
  };
}

const otherLanguage = "Speech in another language, or too unclear to be made out, was not checked.";

function whyNotJudged(segments: SpeechSegment[], heard: Heard[]): string | null {
  const whole = secondsOf(segments);
  if (secondsOf(segments.filter(({ text }) => text === "")) > whole / 2) {
    return "Most of what is said could not be made out. It does not sound like English, or it is sung or noisy.";
  }
  const isForeign = ({ language }: Heard) => language !== null && language !== "en";
  if (secondsOf(heard.filter(isForeign)) > whole / 2) {
    return `Most of what is said is not English but ${languageNames().of(heard.find(isForeign)?.language ?? "") ?? ""}.`;
  }
  return null;
}

const languageNames = lazily(() => new Intl.DisplayNames("en", { type: "language" }));

function secondsOf(spans: { startSeconds: number; endSeconds: number }[]): number {
  return spans.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
}

/** Joined tokens leave double spaces, and cut sentences begin with the comma or dash of what came before. */
function tidy(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replace(/^[\s,.;:–—-]+(?=\p{L}|\p{N}|$)/u, "")
    .trim();
}

function joined(first: Int16Array, second: Int16Array): Int16Array<ArrayBuffer> {
  const both = new Int16Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
