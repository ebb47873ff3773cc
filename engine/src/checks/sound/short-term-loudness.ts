import { Type } from "typebox";
import type { LoudnessEvidence } from "../../evidence/evidence.ts";
import { defineCheckKind } from "../check-kind.ts";
import { level, round, seconds } from "../format-numbers.ts";
import { isOfForm, programmeLength } from "./programme-length.ts";

const windowSeconds = 3;

/** The loudest three seconds: an advertisement that is quiet on average must not shout at its end. */
export const shortTermLoudness = defineCheckKind({
  kind: "short-term-loudness",
  about: "The loudest three seconds, against the most that a destination takes.",
  parameters: Type.Object({
    standard: Type.String({ minLength: 2 }),
    maxLufs: Type.Number({ minimum: -70, maximum: 0 }),
    /** The average that is asked for as well: setting it may cure this too. */
    targetLufs: Type.Optional(Type.Number({ minimum: -70, maximum: 0 })),
    /** What two honest meters may differ by. */
    meterToleranceLu: Type.Optional(Type.Number({ minimum: 0 })),
    form: programmeLength,
  }),
  appliesTo: ["video", "audio"],
  needs: () => ["loudness"],
  run({ evidence, parameters }) {
    const { loudness: found, probe } = evidence;
    const { standard, maxLufs, targetLufs, meterToleranceLu = 0, form } = parameters;
    if (found === null || found.maxShortTermLufs === null || !isOfForm(probe, form)) return [];
    const loudest = found.maxShortTermLufs;
    const over = round(loudest - maxLufs, 1);
    if (over <= 0) return [];
    const { startSeconds, endSeconds, peakSeconds } = loudestStretch(found, maxLufs);
    const isNear = over <= meterToleranceLu;
    const gain = targetLufs === undefined ? 0 : targetLufs - (found.integratedLufs ?? targetLufs);
    const between = `between ${seconds(startSeconds)} and ${seconds(endSeconds)}`;
    return [
      {
        summary: `The loudest three seconds reach ${level(loudest)} LUFS at ${seconds(peakSeconds)}; ${level(maxLufs)} LUFS is the most.`,
        headline: `${level(loudest)} LUFS over 3 s; ${level(maxLufs)} is the most`,
        reasoning: `Between ${seconds(startSeconds)} and ${seconds(endSeconds)} the loudness over three seconds reaches ${level(loudest)} LUFS, ${over} LU above the ${level(maxLufs)} LUFS of ${standard}.${isNear ? ` That is within the ${meterToleranceLu} LU by which meters may differ.` : ""}`,
        identity: "",
        ...(isNear ? { severity: "INFO" as const } : {}),
        location: { startSeconds, endSeconds },
        measurement: { value: round(loudest, 1), limit: maxLufs, unit: "LUFS" },
        recommendation:
          loudest + gain <= maxLufs
            ? `Lower the whole mix by ${round(-gain, 1)} dB to ${level(targetLufs ?? 0)} LUFS: the loudest seconds come down to ${level(loudest + gain)} LUFS with it.`
            : `Lower the sound ${between} by at least ${over} dB, or compress it there, then set the average of the whole again.`,
      },
    ];
  },
});

/** All that is over the limit around the loudest window; a window's value stands at its end. */
function loudestStretch(
  { curve, maxShortTermLufs }: LoudnessEvidence,
  maxLufs: number,
): { startSeconds: number; endSeconds: number; peakSeconds: number } {
  const values = curve.shortTermLufs;
  const isOver = (index: number) => (values[index] ?? -Infinity) > maxLufs;
  const top = Math.max(0, values.indexOf(maxShortTermLufs));
  let first = top;
  let last = top;
  while (isOver(first - 1)) first -= 1;
  while (isOver(last + 1)) last += 1;
  const endOf = (index: number) => curve.startSeconds + (index + 1) * curve.stepSeconds;
  const startOf = (index: number) => round(Math.max(0, endOf(index) - windowSeconds));
  return { startSeconds: startOf(first), endSeconds: round(endOf(last)), peakSeconds: startOf(top) };
}
