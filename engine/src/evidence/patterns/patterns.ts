import type { Consumer, Frame, FrameFormat, PatternEvidence, PatternMotion } from "../evidence.ts";
import { sdrWhiteNits } from "../pixels/light.ts";
import { createStripePicture, type StripedPicture } from "./stripe-picture.ts";

/** The least of the texts, for stripes that change; those that stand still or drift may take 40 %. */
const minAreaShare = 0.25;
const minSeconds = 0.5;
const lookEverySeconds = 0.25;
/** Mean difference of a sample of bytes, of 255: a cut. */
const cutDifference = 16;
const sampleStride = 3 * 97;
/** Half as many bytes hold the same picture; odd, so that it does not keep to the same columns. */
const planeStride = 145;

/**
 * Regular patterns: more than five pairs of light and dark stripes, straight, slanted, curved or as rings, and rows of
 * like elements such as checks. Looks four times a second and after cuts, and at every frame while there is a pattern.
 *
 * Not found: stripes narrower than 1/200 of the width (in the small frames they are gray), patterns of colour alone
 * without a step of 20 cd/m², narrow rays near the middle of a star, and patches under 5 % of the picture, however many.
 */
export function createPatternConsumer(format: FrameFormat): Consumer<Frame, PatternEvidence> {
  const picture = createStripePicture(format);
  const sample = new Uint8Array(Math.ceil((format.width * format.height * 3) / sampleStride));
  const motion = createMotionMeter(picture.light);
  const patterns: PatternEvidence["patterns"] = [];
  let open: { startSeconds: number; strongest: StripedPicture } | null = null;
  let lookedSeconds = Number.NEGATIVE_INFINITY;

  function accept(frame: Frame): void {
    const { seconds, planes } = frame;
    const isCut = planes === undefined ? differs(frame.pixels, sample) : differs(planes.yuv, sample, planeStride);
    if (open === null && !isCut && seconds - lookedSeconds < lookEverySeconds - 1e-6) return;
    lookedSeconds = seconds;
    const seen = picture.read(frame.pixels);
    if (seen.areaShare <= minAreaShare) {
      close(seconds);
      return;
    }
    if (open === null) {
      motion.begin();
      open = { startSeconds: seconds, strongest: seen };
    } else {
      motion.step();
      if (seen.areaShare > open.strongest.areaShare) open.strongest = seen;
    }
  }

  function close(endSeconds: number): void {
    if (open !== null && endSeconds - open.startSeconds >= minSeconds - 1e-6) {
      const { areaShare, pairs, bright, region } = open.strongest;
      patterns.push({
        startSeconds: open.startSeconds,
        endSeconds,
        pairs,
        areaShare: Math.round(areaShare * 1e4) / 1e4,
        brightNits: Math.round(bright * sdrWhiteNits),
        motion: motion.kind(),
        region,
      });
    }
    open = null;
  }

  function finish({ durationSeconds }: { durationSeconds: number }): PatternEvidence {
    close(durationSeconds);
    return { notJudged: null, patterns };
  }

  return { accept, finish };
}

/** Compares a few bytes with those of the frame before, and keeps them. */
function differs(bytes: Uint8Array, sample: Uint8Array, stride = sampleStride): boolean {
  let difference = 0;
  for (let n = 0; n < sample.length; n += 1) {
    const value = bytes[n * stride + (n % 3)] ?? 0;
    difference += Math.abs(value - (sample[n] as number));
    sample[n] = value;
  }
  return difference > cutDifference * sample.length;
}

/**
 * Whether the stripes stay, move, or change places of light and dark: by how many pixels that were clearly light or
 * dark are still so one frame later.
 */
function createMotionMeter(light: Float32Array) {
  const before = new Float32Array(light.length);
  let leastKept = 1;
  let mean = 0;

  function begin(): void {
    leastKept = 1;
    remember();
  }

  function remember(): void {
    before.set(light);
    mean = 0;
    for (const value of light) mean += value / light.length;
  }

  function step(): void {
    let kept = 0;
    let clear = 0;
    for (let n = 0; n < light.length; n += 1) {
      const then = (before[n] as number) - mean;
      const now = (light[n] as number) - mean;
      if (Math.abs(then) < 0.05) continue;
      clear += 1;
      if (then * now > 0) kept += 1;
    }
    if (clear > 0) leastKept = Math.min(leastKept, kept / clear);
    remember();
  }

  function kind(): PatternMotion {
    if (leastKept < 0.35) return "reversing";
    return leastKept > 0.95 ? "still" : "moving";
  }

  return { begin, step, kind };
}
