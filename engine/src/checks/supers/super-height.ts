import { Type } from "typebox";
import { defineCheckKind } from "../check-kind.ts";
import { round } from "../format-numbers.ts";
import type { ScreenText } from "./screen-text.ts";
import { chooseTexts, onePerText, quoteOf, textChoice, type TextFault } from "./small-print.ts";

/** So many lines in a picture of so many: 30 of 1080. */
const Height = { lines: Type.Number({ exclusiveMinimum: 0 }), of: Type.Integer({ minimum: 100 }) };

/** The reader measures capitals; in the typefaces of supers small letters are about three quarters of them, four fifths at most. */
const smallLetterShare = { usual: 0.75, most: 0.8 };
const marginLines = 1;

/** Small print that is too low to be read. */
export const superHeight = defineCheckKind({
  kind: "super-height",
  about: "Small print whose letters are lower than so many lines of the picture.",
  parameters: Type.Object({
    /** Which letters are measured; text all in capitals is measured by its capitals either way. */
    letters: Type.Enum(["capitals", "small"]),
    least: Type.Object(Height),
    /** A lower height that is enough under a condition; `needsHuman`: which a person can see in the picture. */
    reduced: Type.Optional(
      Type.Object({ ...Height, when: Type.String({ minLength: 8 }), needsHuman: Type.Optional(Type.Boolean()) }),
    ),
    ...textChoice,
  }),
  appliesTo: ["video"],
  needs: () => ["supers", "speech"],
  run({ evidence, parameters }) {
    const faults = chooseTexts(evidence, parameters).chosen.flatMap((text): TextFault[] => {
      const frameLines = evidence.probe.video?.displayHeight ?? text.heightLines / text.heightShare;
      const isSmallLetters = parameters.letters === "small" && /\p{Ll}/u.test(text.text);
      const shares = isSmallLetters ? smallLetterShare : { usual: 1, most: 1 };
      const height = text.heightLines * shares.usual;
      const limit = limitIn(frameLines, parameters.least);
      // Lines are counted whole.
      if (height >= limit - 0.5) return [];
      const highest = text.heightLines * shares.most + marginLines;
      const reduced = parameters.reduced;
      const isNear = highest >= limit;
      const lower = !isNear && reduced !== undefined && highest >= limitIn(frameLines, reduced) ? reduced : null;
      return [describe({ text, height, limit, frameLines, isSmallLetters, isNear, lower })];
    });
    return onePerText(faults);
  },
});

type LowText = {
  text: ScreenText;
  height: number;
  limit: number;
  frameLines: number;
  isSmallLetters: boolean;
  isNear: boolean;
  /** The lower limit that it may fall under. */
  lower: { lines: number; of: number; when: string; needsHuman?: boolean } | null;
};

function describe(low: LowText): TextFault {
  const { text, height, limit, frameLines, isSmallLetters, isNear, lower } = low;
  const orLess = lower === null ? "" : `, or ${round(limitIn(frameLines, lower), 0)} ${lower.when}`;
  const capitals = `Its capitals are ${round(text.heightLines, 0)} lines high in a picture of ${frameLines.toFixed(0)} lines`;
  const small = isSmallLetters ? `, so its small letters are about ${round(height, 0)}` : "";
  const needed = `${round(limit, 0)} are needed (${round((100 * limit) / frameLines, 1)} % of the height)`;
  const doubt = `It is within what the measurement can tell (one line${isSmallLetters ? ", and how typefaces differ" : ""}).`;
  return {
    text,
    shortfall: limit / height,
    hit: {
      summary: `${quoteOf(text)} is ${round(height, 0)} lines high; it needs ${round(limit, 0)}${orLess}.`,
      headline: `${round(height, 0)} lines high; ${round(limit, 0)} needed`,
      reasoning: `${capitals}${small}; ${needed}${orLess}.${isNear ? ` ${doubt}` : ""}`,
      ...(isNear || lower !== null ? { severity: "MINOR" as const } : {}),
      ...(lower?.needsHuman === true ? { needsHuman: true } : {}),
      measurement: { value: round(height, 0), limit: round(limit, 0), unit: "lines" },
      recommendation: recommend(low),
    },
  };
}

function recommend({ text, height, limit, isSmallLetters, lower }: LowText): string {
  const growth = Math.ceil((limit / height - 1) * 100);
  const capitals = Math.ceil((text.heightLines * limit) / height);
  const target = isSmallLetters
    ? `small letters of ${round(limit, 0)} lines, capitals of about ${capitals}`
    : `capitals of ${round(limit, 0)} lines`;
  const other = lower === null ? "" : ", or make sure that the lower figure holds for it";
  return `Enlarge the text by ${growth} % (${target})${other}. Where it then needs more room, cut words rather than space.`;
}

function limitIn(frameLines: number, { lines, of }: { lines: number; of: number }): number {
  return (lines * frameLines) / of;
}
