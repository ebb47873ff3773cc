import type { ReadLine } from "../../models/read-line.ts";
import type { Omission } from "../evidence.ts";
import { extentOf, overlapOf } from "./text-extent.ts";

export type SingleLetters = {
  /** The reader has seen this line, sure or not. */
  add: (line: ReadLine, seconds: number) => void;
  omissions: () => Omission[];
};

type Seen = { letter: string; box: ReadLine["box"]; seconds: number; isSure: boolean };

/** A guess at a letter, and one that is hardly texture. */
const likelyLetter = 0.6;
const sureLetter = 0.9;
/** Of the picture: letters that are shown one by one fill it, those on signs and packs do not. */
const leastHeightShare = 0.06;
/** Of the smaller of two boxes: a letter is wider than the next. */
const samePlace = 0.4;
const longestGapSeconds = 2;
const leastSeen = 3;
const leastSure = 2;

const oneByOne = "Letters that follow each other in one place were not read as a word.";

/** A word that is spelt out one letter after the other is read by people, and by no reader of single frames. */
export function createSingleLetters({ height }: { height: number }): SingleLetters {
  const groups: Seen[][] = [];
  return {
    add({ text, confidence, box }, seconds) {
      const letter = text.trim();
      const { top, bottom } = extentOf(box);
      if (!/^\p{L}$/u.test(letter) || confidence < likelyLetter || bottom - top < leastHeightShare * height) return;
      const seen = { letter, box, seconds, isSure: confidence >= sureLetter };
      const group = groups.find((others) => {
        const last = others.at(-1);
        if (last === undefined || seconds - last.seconds > longestGapSeconds) return false;
        return overlapOf(extentOf(last.box), extentOf(box)) >= samePlace;
      });
      if (group === undefined) groups.push([seen]);
      else group.push(seen);
    },
    omissions: () =>
      groups.flatMap((group) => {
        const letters = new Set(group.map(({ letter }) => letter));
        const sure = new Set(group.filter(({ isSure }) => isSure).map(({ letter }) => letter));
        const [first, last] = [group[0], group.at(-1)];
        if (first === undefined || last === undefined || (letters.size < leastSeen && sure.size < leastSure)) return [];
        return [{ what: oneByOne, startSeconds: first.seconds, endSeconds: last.seconds }];
      }),
  };
}
