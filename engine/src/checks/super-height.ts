import { Type } from "typebox";
import { defineCheckKind } from "./check-kind.ts";
import { round } from "./figures.ts";
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
    /** A lower height that is enough under a condition that only a person can see. */
    reduced: Type.Optional(Type.Object({ ...Height, when: Type.String({ minLength: 8 }) })),
    ...textChoice,
  }),
  appliesTo: ["video"],
  needs: () => ["supers", "speech"],
  run({ evidence, parameters }) {
    const { letters, least, reduced } = parameters;
    const faults = chooseTexts(evidence, parameters).chosen.flatMap((text): TextFault[] => {
      const frameLines = text.heightLines / text.heightShare;
      const isSmallLetters = letters === "small" && /\p{Ll}/u.test(text.text);
      const height = text.heightLines * (isSmallLetters ? smallLetterShare.usual : 1);
      const highest = text.heightLines * (isSmallLetters ? smallLetterShare.most : 1) + marginLines;
      const limit = (least.lines * frameLines) / least.of;
      // Lines are counted whole.
      if (height >= limit - 0.5) return [];
      const reducedLimit = reduced === undefined ? limit : (reduced.lines * frameLines) / reduced.of;
      const isNear = highest >= limit;
      const isConditional = !isNear && reduced !== undefined && highest >= reducedLimit;
      const figures = { text, height, limit, frameLines, isSmallLetters };
      const doubt = isNear
        ? ` It is within what the measurement can tell (one line${isSmallLetters ? ", and how typefaces differ" : ""}).`
        : isConditional
          ? ` ${line(reducedLimit)} are enough ${reduced.when}.`
          : "";
      return [
        {
          text,
          shortfall: limit / height,
          hit: {
            summary: `${quoteOf(text)} is ${line(height)} high; it needs ${line(limit)}.`,
            headline: `${line(height)} high; ${round(limit, 0)} needed`,
            reasoning: `${explain(figures)}${doubt}`,
            ...(isNear || isConditional ? { severity: "MINOR" as const } : {}),
            ...(isConditional ? { needsHuman: true } : {}),
            measurement: { value: round(height, 0), limit: round(limit, 0), unit: "lines" },
            recommendation: recommend(figures, isConditional ? reduced.when : null),
          },
        },
      ];
    });
    return onePerText(faults);
  },
});

type Figures = { text: ScreenText; height: number; limit: number; frameLines: number; isSmallLetters: boolean };

function explain({ text, height, limit, frameLines, isSmallLetters }: Figures): string {
  const picture = `a picture of ${round(frameLines, 0)} lines`;
  const needed = `${round(limit, 0)} are needed (${round((100 * limit) / frameLines, 1)} % of the height)`;
  return isSmallLetters
    ? `Its capitals are ${round(text.heightLines, 0)} lines high in ${picture}, so its small letters are about ${round(height, 0)}; ${needed}.`
    : `Its capitals are ${round(height, 0)} lines high in ${picture}; ${needed}.`;
}

function recommend({ text, height, limit, isSmallLetters }: Figures, when: string | null): string {
  const growth = Math.ceil((limit / height - 1) * 100);
  const capitals = Math.ceil((text.heightLines * limit) / height);
  const target = isSmallLetters
    ? `small letters of ${round(limit, 0)} lines, capitals of about ${capitals}`
    : `capitals of ${round(limit, 0)} lines`;
  const other = when === null ? "" : `, or make sure that it stands ${when}`;
  return `Enlarge the text by ${growth} % (${target})${other}. Where it then needs more room, cut words rather than space.`;
}

function line(lines: number): string {
  return `${round(lines, 0)} lines`;
}
