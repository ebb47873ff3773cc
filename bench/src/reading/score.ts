import { editDistance } from "@greenlit/engine/edit-distance.ts";
import type { Super } from "@greenlit/engine/evidence/evidence.ts";
import type { KitText } from "./kit.ts";

const toleranceSeconds = 0.12;

export type Truth = Pick<KitText, "text" | "from" | "to">;

/** Whether the text was read, with at most a letter in twenty wrong, while it was shown. */
export function findSuper(supers: readonly Super[], truth: Truth): Super | null {
  const [nearest] = supers
    .filter((found) => overlapSeconds(found, truth) > 0)
    .flatMap((found) => found.text.split("\n").map((line) => ({ found, wrong: wrongLetters(line, truth.text) })))
    .toSorted((a, b) => a.wrong - b.wrong || overlapSeconds(b.found, truth) - overlapSeconds(a.found, truth));
  return nearest !== undefined && nearest.wrong <= Math.max(1, plain(truth.text).length / 20) ? nearest.found : null;
}

export function isOnTime({ startSeconds, endSeconds }: Super, { from, to }: Truth): boolean {
  return (
    Math.abs((startSeconds ?? 0) - from) <= toleranceSeconds + 1e-6 &&
    Math.abs((endSeconds ?? 0) - to) <= toleranceSeconds + 1e-6
  );
}

/** Whether one super ends and another begins where the second text took the place of the first. */
export function isSplit(supers: readonly Super[], [first, second]: readonly [Truth, Truth]): boolean {
  const isNear = (seconds: number | null) => Math.abs((seconds ?? -1) - first.to) <= toleranceSeconds + 1e-6;
  const tells = ({ text }: Super, wanted: Truth, other: Truth) =>
    text.split("\n").some((line) => {
      const wrong = wrongLetters(line, wanted.text);
      return wrong < wrongLetters(line, other.text) && wrong <= Math.max(2, wanted.text.length / 5);
    });
  return (
    supers.some((found) => isNear(found.endSeconds) && tells(found, first, second)) &&
    supers.some((found) => isNear(found.startSeconds) && tells(found, second, first))
  );
}

/** What was read where nothing like it was written. */
export function phantomsOf(supers: readonly Super[], truths: readonly Truth[]): Super[] {
  return supers.filter((found) =>
    truths.every((truth) => {
      const isThere = overlapSeconds(found, truth) > -0.5;
      const lines = found.text.split("\n");
      return !isThere || lines.every((line) => wrongLetters(line, truth.text) > 0.5 * plain(truth.text).length);
    }),
  );
}

function overlapSeconds({ startSeconds, endSeconds }: Super, { from, to }: Truth): number {
  return Math.min(endSeconds ?? Infinity, to) - Math.max(startSeconds ?? -Infinity, from);
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}£%]/gu, "");
}

/** Spaces and punctuation do not count. */
function wrongLetters(one: string, other: string): number {
  return editDistance(plain(one), plain(other));
}

export function describeTruth({ text, from, to }: Truth): string {
  return `“${text}” ${from.toFixed(2)}–${to.toFixed(2)}`;
}

export function describeSuper({ text, startSeconds, endSeconds }: Super): string {
  return `“${text.replaceAll("\n", " / ")}” ${startSeconds}–${endSeconds}`;
}
