import { Type } from "typebox";
import type { PatternEvidence, PatternMotion } from "../../evidence/evidence.ts";
import { defineCheckKind, type Hit } from "../check-kind.ts";
import { percent, seconds } from "../format-numbers.ts";

type Stripes = PatternEvidence["patterns"][number];

/** Stripes that may set off a seizure: how many pairs are too many depends on how they move. */
export const regularPattern = defineCheckKind({
  kind: "regular-pattern",
  about: "Regular light and dark stripes: too many pairs, over too much of the picture, for too long.",
  parameters: Type.Object({
    maxPairs: Type.Object({ still: Type.Integer(), moving: Type.Integer(), reversing: Type.Integer() }),
    maxAreaShare: Type.Object({ still: Type.Number(), moving: Type.Number(), reversing: Type.Number() }),
    minNits: Type.Number(),
    minSeconds: Type.Number(),
  }),
  appliesTo: ["video", "image"],
  needs: () => ["patterns"],
  run({ evidence, parameters }) {
    const { maxPairs, maxAreaShare, minNits, minSeconds } = parameters;
    return (evidence.patterns?.patterns ?? [])
      .filter(
        ({ pairs, areaShare, brightNits, motion, startSeconds, endSeconds }) =>
          pairs > maxPairs[motion] &&
          areaShare > maxAreaShare[motion] &&
          brightNits > minNits &&
          endSeconds - startSeconds >= minSeconds,
      )
      .map((stripes, index) =>
        describe(stripes, index, { pairs: maxPairs[stripes.motion], share: maxAreaShare[stripes.motion], minSeconds }),
      );
  },
});

function describe(stripes: Stripes, index: number, limits: { pairs: number; share: number; minSeconds: number }): Hit {
  const { pairs, areaShare, brightNits, motion, startSeconds, endSeconds, region } = stripes;
  const lasts = endSeconds - startSeconds;
  const { pairs: maxPairs, share: maxShare, minSeconds } = limits;
  return {
    summary: `${pairs} pairs of light and dark stripes cover ${percent(areaShare)} of the picture from ${seconds(startSeconds)} to ${seconds(endSeconds)}.`,
    headline: `${pairs} stripe pairs over ${percent(areaShare)}; limits ${maxPairs} pairs, ${percent(maxShare)}`,
    reasoning: `${pairs} pairs of ${motionWords[motion]} stripes, the bright ones about ${Math.round(brightNits)} cd/m², over ${percent(areaShare)} of the picture for ${seconds(lasts)}; ${motionWords[motion]} stripes are a risk when there are more than ${maxPairs} pairs over more than ${percent(maxShare)} for ${seconds(minSeconds)} or longer.`,
    identity: `stripes ${index + 1}`,
    location: { startSeconds, endSeconds, region },
    measurement: { value: pairs, limit: maxPairs, unit: "pairs of stripes" },
    recommendation: `Between ${seconds(startSeconds)} and ${seconds(endSeconds)} blur or rescale the pattern until no more than ${maxPairs} pairs can be told apart, lower its contrast, or shrink it to less than ${percent(maxShare)} of the picture.`,
  };
}

const motionWords: Readonly<Record<PatternMotion, string>> = {
  still: "still",
  moving: "drifting",
  reversing: "reversing",
};
