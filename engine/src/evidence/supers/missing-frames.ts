import type { Omission } from "../evidence.ts";
import type { Probe } from "../probe/probe-shape.ts";

/** Shorter than what a person reads anything in. */
const leastGapSeconds = 0.4;
const what = "Frames are missing or too damaged to be decoded, so the picture was not read there.";

/**
 * Where a film of a constant frame rate has no frames: its data is damaged there, and whatever it says is lost to us.
 * With a variable rate a long step is a picture that stays.
 */
export function createMissingFrames({ video, truncatedAtSeconds }: Probe, { isPart }: { isPart: boolean }) {
  const found: Omission[] = [];
  const usual = 1 / (video?.framesPerSecond ?? 25);
  const isEven = video?.isConstantFrameRate === true;
  let last: number | null = null;
  const step = (seconds: number) => {
    if (isEven && last !== null && seconds - last > leastGapSeconds + usual)
      found.push({ what, startSeconds: last + usual, endSeconds: seconds });
    last = seconds;
  };
  return {
    take: step,
    /** A film that was cut off has a finding of its own, and a part goes on in the next. */
    omissions(): Omission[] {
      if (!isPart && truncatedAtSeconds === null && video?.durationSeconds) step(video.durationSeconds);
      return found;
    },
  };
}
