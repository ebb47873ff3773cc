import { atMost, type Bench, median, rounded, say } from "../report.ts";
import { allKeys, measuredKeys } from "./bench-engine.ts";
import { openGathering } from "./gathering.ts";
import { makeClip, repeatClip } from "./make-clip.ts";
import type { Measured } from "./measure-process.ts";

const times = 10;

export const soakEngine: Bench = {
  about: "Evidence of a clip ten times as long: within the same limits of memory, which must stay flat.",
  async run(stack) {
    const gather = await openGathering(stack);
    const short = await makeClip();
    const long = await repeatClip(short, times);
    const bars = [];
    const peakMb: Record<string, number> = {};
    for (const [name, keys, limitMb] of [
      ["what is measured", measuredKeys, 400],
      ["everything", allKeys, 1200],
    ] as const) {
      const once = await gather(short, keys);
      const often = await gather(long, keys);
      say(`${name}: ${rounded(once.peakBytes / 1e6)} MB, then ${rounded(often.peakBytes / 1e6)} MB`);
      peakMb[`${name}, short`] = rounded(once.peakBytes / 1e6);
      peakMb[`${name}, long`] = rounded(often.peakBytes / 1e6);
      bars.push(
        atMost(`peak memory in MB of ${name}, all processes`, often.peakBytes / 1e6, limitMb),
        atMost(`memory of ${name} in the last quarter against the second`, growthOf(often), 1.1),
      );
      // What is read and heard waits for models that warm up for longer than the short clip takes.
      if (name === "what is measured")
        bars.push(
          atMost(`peak memory of ${name} against that of the short clip`, often.peakBytes / once.peakBytes, 1.05),
        );
    }
    return { bars, figures: { times, peakMb } };
  },
};

/** The first quarter warms heaps up, which a short clip does not live to see; what is kept of every frame goes on after it. */
function growthOf({ memoryCurve }: Measured): number {
  const quarter = Math.floor(memoryCurve.length / 4);
  return median(memoryCurve.slice(-quarter)) / median(memoryCurve.slice(quarter, 2 * quarter));
}
