import type { PlanarFrame } from "../evidence.ts";
import type { Probe } from "../probe/probe-shape.ts";

/** A frame that is shown for longer than this is looked at as often as a film would show it. */
const heldSeconds = 0.12;
const stepSeconds = 0.08;
/** After so long nothing new can be seen in a frame that stands. */
const closeSeconds = 0.64;
const laterStepSeconds = 0.5;
/** Just before the next one, so that what goes with it has its time. */
const endSeconds = 0.04;

/**
 * The frame as it stands until the next one: animations, slides and screen recordings have one frame for seconds. Text
 * is found by what stands still, and its times are those of frames.
 */
export function* heldFrames(frame: PlanarFrame | null, nextSeconds: number): Generator<PlanarFrame> {
  if (frame === null || nextSeconds - frame.seconds <= heldSeconds) return;
  const last = nextSeconds - endSeconds;
  const { seconds: start } = frame;
  for (let at = start + stepSeconds; at < last - endSeconds / 2;) {
    yield { ...frame, seconds: at };
    at += at - start < closeSeconds ? stepSeconds : laterStepSeconds;
  }
  yield { ...frame, seconds: last };
}

/** Fewer frames a second than this are slides: the last one stands until the file ends. */
const slidesPerSecond = 8;

/** When the last frame goes. The decoder knows when it came; how long it stays only the file can say. */
export function endOfPicture(
  { durationSeconds, video, truncatedAtSeconds, kind }: Probe,
  end: { durationSeconds: number; count: number; lastSeconds: number; isPart?: boolean },
): number {
  const known = kind === "image" ? durationSeconds : (video?.durationSeconds ?? durationSeconds);
  const whole = Math.max(known ?? 0, kind === "image" ? 0 : (durationSeconds ?? 0));
  // The frames of a part say nothing of how many there are in the whole.
  const isSlides =
    end.isPart !== true && whole > 0 && truncatedAtSeconds === null && end.count < slidesPerSecond * whole;
  if (isSlides) return Math.max(end.lastSeconds, whole);
  // The last whole picture of an animation that breaks off stands until there.
  if (kind === "image" && truncatedAtSeconds !== null) return Math.max(end.lastSeconds, truncatedAtSeconds);
  return Math.max(end.lastSeconds, Math.min(end.durationSeconds, known ?? Infinity));
}
