import { loudnessStepSeconds } from "../decode/decode-detectors.ts";
import type { PartEvidence } from "./film-part.ts";

/** Around a cut both parts have seen and heard the same. */
const comparedSeconds = 4;
const [brightnessNits, loudnessLu] = [2, 1];
/** Of the steps: so many may differ, where something begins that one of them has met for the first time. */
const differingShare = 0.2;

/**
 * Why the parts are not those of one film: they show or play something else at the same time. Some files name the wrong
 * time when they are entered in the middle. Null: they fit.
 */
export function whyPartsDiffer(parts: readonly PartEvidence[]): string | null {
  for (const [index, later] of parts.entries()) {
    const earlier = parts[index - 1];
    if (earlier === undefined) continue;
    const cut = later.part.fromSeconds;
    if (differ(brightnessOf(earlier), brightnessOf(later), cut, brightnessNits))
      return `The pictures around ${cut} s differ between two parts of the film.`;
    if (differ(loudnessOf(earlier), loudnessOf(later), cut, loudnessLu))
      return `The sound around ${cut} s differs between two parts of the film.`;
  }
  return null;
}

type Curve = { firstStep: number; stepSeconds: number; values: readonly number[] };

function brightnessOf({ flashes }: PartEvidence): Curve | null {
  if (flashes === null) return null;
  const { stepSeconds, luminance } = flashes.curve;
  return { firstStep: flashes.curveFromStep, stepSeconds, values: luminance };
}

function loudnessOf({ loudness }: PartEvidence): Curve | null {
  if (loudness === null) return null;
  const { startSeconds, momentaryLufs } = loudness;
  const firstStep = Math.round(startSeconds / loudnessStepSeconds);
  return { firstStep, stepSeconds: loudnessStepSeconds, values: momentaryLufs };
}

function differ(one: Curve | null, other: Curve | null, cutSeconds: number, tolerance: number): boolean {
  if (one === null || other === null) return false;
  const at = (curve: Curve, step: number) => curve.values[step - curve.firstStep];
  const middle = Math.round(cutSeconds / one.stepSeconds);
  const reach = Math.round(comparedSeconds / one.stepSeconds);
  let [differing, compared] = [0, 0];
  for (let step = middle - reach; step < middle + reach; step += 1) {
    const [a, b] = [at(one, step), at(other, step)];
    if (a === undefined && b === undefined) continue;
    compared += 1;
    if (a === undefined || b === undefined || Math.abs(floor(a) - floor(b)) > tolerance) differing += 1;
  }
  return differing > differingShare * compared;
}

/** What is quieter than any programme is silence, whatever the meter shows for it. */
function floor(value: number): number {
  return Number.isNaN(value) ? -100 : Math.max(-100, value);
}
