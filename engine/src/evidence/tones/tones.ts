import { createAttentionDetector } from "./attention-tones.ts";
import { type Consumer, type Sound, soundSampleRate, type ToneEvidence } from "../evidence.ts";
import { createHeaderDetector } from "./header-bursts.ts";

/** Finds the sounds of the US Emergency Alert System, which nothing but an alert may carry (47 CFR 11.45). */
export function createToneConsumer(): Consumer<Sound, ToneEvidence> {
  const detectors = [createAttentionDetector(), createHeaderDetector()] as const;
  let originSeconds: number | null = null;

  return {
    accept({ startSeconds, samples }) {
      originSeconds ??= startSeconds;
      for (const detector of detectors) detector.accept(samples);
    },
    finish({ durationSeconds }) {
      const origin = originSeconds ?? 0;
      const tones = detectors.flatMap((detector) =>
        detector.finish().map(({ kind, startSample, endSample, levelDbfs }) => ({
          kind,
          startSeconds: origin + startSample / soundSampleRate,
          endSeconds: Math.min(durationSeconds, origin + endSample / soundSampleRate),
          levelDbfs: Math.round(levelDbfs * 10) / 10,
        })),
      );
      return { tones: tones.toSorted((a, b) => a.startSeconds - b.startSeconds) };
    },
  };
}
