import { editDistance } from "../edit-distance.ts";
import type { Evidence, SpeechEvidence } from "../evidence/evidence.ts";
import type { Context } from "../sidekick.ts";
import { isKnownWord } from "./reading/known-words.ts";
import { soundOf } from "./sound-of.ts";

/** Words of a name that may be heard as several. */
const maxHeardWords = 3;
/** Shorter names sound like too much else. */
const minSound = 3;
/** Of a name that is taken for heard though one of its sounds is another. */
const minNearSound = 4;
const minLetters = 4;
/** Of a super: what was read with less is no witness. */
const sureReading = 0.85;
const minLikeness = 0.4;

type Name = { written: string; sound: string };

/**
 * Names as they are written on the screen or declared, in place of what was heard for them: a model of speech knows no
 * brands. A name only takes the place of something that is no word itself, so that it never hides what was said.
 */
export function withHeardNames(evidence: Evidence, context: Context): Evidence {
  const { speech } = evidence;
  if (speech === null || speech.segments.length === 0) return evidence;
  const names = namesOf(evidence, context);
  if (names.length === 0) return evidence;
  const segments = speech.segments.map((segment) => ({ ...segment, text: correct(segment.text, names) }));
  if (segments.every(({ text }, index) => text === speech.segments[index]?.text)) return evidence;
  return { ...evidence, speech: { ...speech, segments } satisfies SpeechEvidence };
}

/** Names are what no dictionary has: "Nuvexa" on a pack, or all words that were declared. */
function namesOf({ supers }: Evidence, { brand, product }: Context): Name[] {
  const shown = (supers?.supers ?? [])
    .filter(({ confidence }) => confidence >= sureReading)
    .flatMap(({ text }) => text.match(/(?<![\p{L}\p{N}@.])\p{Lu}[\p{L}'’-]+(?![\p{L}\p{N}@])/gu) ?? []);
  const declared = [brand, product].flatMap((name) => (name ?? "").match(/[\p{L}\p{N}'’-]+/gu) ?? []);
  const unique = new Map([...declared, ...shown].map((written) => [written.toLowerCase(), written]));
  return [...unique.entries()].flatMap(([folded, written]) => {
    if (folded.length < minLetters || isKnownWord(folded)) return [];
    const sound = soundOf(folded);
    // Capitals are how a super shouts, not how a name is spelled.
    const spelled = /\p{Ll}/u.test(written) ? written : written.slice(0, 1) + written.slice(1).toLowerCase();
    return sound.length >= minSound ? [{ written: spelled, sound }] : [];
  });
}

function correct(text: string, names: readonly Name[]): string {
  const words = Array.from(text.matchAll(/[\p{L}\p{N}'’]+/gu), ({ 0: word, index }) => ({
    word,
    start: index,
    isOdd: word.length >= minLetters && !isKnownWord(word.toLowerCase()),
  }));
  if (!words.some(({ isOdd }) => isOdd)) return text;
  let result = "";
  let end = 0;
  for (let index = 0; index < words.length; index += 1) {
    const found = nameAt(text, words.slice(index, index + maxHeardWords), names);
    const first = words[index];
    if (found === null || first === undefined) continue;
    const last = words[index + found.count - 1] ?? first;
    result += text.slice(end, first.start) + found.name.written;
    end = last.start + last.word.length;
    index += found.count - 1;
  }
  return result + text.slice(end);
}

/** `isOdd`: no word of any dictionary. Most speech has none, and then there is nothing to compare. */
type Heard = { word: string; start: number; isOdd: boolean };

function nameAt(text: string, words: readonly Heard[], names: readonly Name[]): { name: Name; count: number } | null {
  const firstOdd = words.findIndex(({ isOdd }) => isOdd);
  if (firstOdd < 0) return null;
  for (let count = firstOdd + 1; count <= words.length; count += 1) {
    const some = words.slice(0, count);
    const [first, last] = [some[0], some.at(-1)];
    if (first === undefined || last === undefined) break;
    // A comma or a stop parts words that a name has together.
    if (/[^\p{L}\p{N}'’\s-]/u.test(text.slice(first.start, last.start + last.word.length))) break;
    const heard = some.map(({ word }) => word.toLowerCase()).join("");
    const sound = soundOf(heard);
    const alike = names.filter(({ written }) => likeness(written, heard) >= minLikeness);
    const name = alike.find((each) => each.sound === sound) ?? alike.find((each) => isNear(each.sound, sound));
    if (name !== undefined) return { name, count };
  }
  return null;
}

/** All but one sound of a long name: "new vexeter" is "Nuvexa" too. */
function isNear(name: string, sound: string): boolean {
  return name.length >= minNearSound && name[0] === sound[0] && editDistance(name, sound) === 1;
}

/** Share of the letters, 0 to 1, that two words have in the same order. */
function likeness(written: string, heard: string): number {
  const [a, b] = [written.toLowerCase(), heard];
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const letter of a) {
    const next = [0];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(letter === b[j - 1] ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) / Math.max(a.length, b.length);
}
