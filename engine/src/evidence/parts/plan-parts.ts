import type { Probe, VideoProbe } from "../probe/probe-shape.ts";
import { type FilmPart, partFormatVersion } from "./film-part.ts";

export type PartLength = {
  /** Shorter ones are analysed in one piece. */
  longerThanSeconds: number;
  partSeconds: number;
};

/** Longer than the longest stretch of speech that is transcribed at once, and than anything that is measured over time. */
const overlapSeconds = 12;
/** Whole windows of speech (32 ms), steps of loudness and looks at pictures: then a part is sampled as the whole is. */
const gridSeconds = 4;
/** Fewer frames a second are slides, which stand still over a cut. */
const leastFramesPerSecond = 10;
/** Of the frames that are looked at for text, the least time between two. */
const textStepSeconds = 0.066;

/** Whether a film is long enough for parts, and can be cut so that they give what the whole would. */
export function isCut(probe: Probe, { longerThanSeconds }: PartLength): boolean {
  const { kind, durationSeconds, truncatedAtSeconds, video, audio } = probe;
  if ((kind !== "video" && kind !== "audio") || durationSeconds === null || truncatedAtSeconds !== null) return false;
  if (durationSeconds <= longerThanSeconds) return false;
  return video === null ? audio !== null : isEven(video);
}

/** `starts`: when the first frame is seen and the first sound is heard. */
export function planParts(
  probe: Probe,
  { partSeconds }: PartLength,
  starts: { pictureSeconds: number; soundSeconds: number },
): FilmPart[] {
  const durationSeconds = probe.durationSeconds ?? 0;
  const count = Math.max(
    1,
    Math.min(Math.ceil(durationSeconds / partSeconds), Math.floor(durationSeconds / gridSeconds)),
  );
  const cuts = Array.from({ length: count }, (_, index) => onGrid((index * durationSeconds) / count));
  const firsts = cuts.filter((cut, index) => index === 0 || cut > (cuts[index - 1] as number));
  return firsts.map((fromSeconds, index) => {
    const toSeconds = firsts[index + 1] ?? null;
    const start = Math.max(0, fromSeconds - overlapSeconds);
    return {
      version: partFormatVersion,
      index,
      fromSeconds,
      toSeconds,
      pictureStartSeconds: starts.pictureSeconds,
      range: {
        pictureFromSeconds: start === 0 ? 0 : frameBefore(probe.video, start, starts.pictureSeconds),
        soundFromSeconds: start,
        meterFromSeconds: start === 0 ? 0 : start + starts.soundSeconds,
        untilSeconds: toSeconds === null ? null : toSeconds + overlapSeconds,
      },
    };
  });
}

function isEven({ isConstantFrameRate, framesPerSecond }: VideoProbe): boolean {
  return isConstantFrameRate === true && (framesPerSecond ?? 0) >= leastFramesPerSecond;
}

/** Just before a frame that the whole film would look at for text: every second one, say, from its first. */
function frameBefore(video: VideoProbe | null, seconds: number, firstSeconds: number): number {
  const framesPerSecond = video?.framesPerSecond ?? 25;
  const stride = Math.ceil(textStepSeconds * framesPerSecond - 1e-6);
  const frame = Math.floor(((seconds - firstSeconds) * framesPerSecond) / stride) * stride;
  return Math.max(0, firstSeconds + (frame - 0.5) / framesPerSecond);
}

function onGrid(seconds: number): number {
  return Math.round(seconds / gridSeconds) * gridSeconds;
}
