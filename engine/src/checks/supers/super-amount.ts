import { Type } from "typebox";
import { defineCheckKind } from "../check-kind.ts";
import { count, list } from "../format-numbers.ts";
import { isSameText, type ScreenText, togetherShare } from "./screen-text.ts";
import { chooseTexts, onePerText, quoteOf, textChoice, type TextFault } from "./small-print.ts";

/** More small print at once than anybody reads. */
export const superAmount = defineCheckKind({
  kind: "super-amount",
  about: "Too much small print on screen at once: too many texts, or too many lines.",
  parameters: Type.Object({
    maxTexts: Type.Integer({ minimum: 1 }),
    maxLines: Type.Integer({ minimum: 1 }),
    ...textChoice,
  }),
  appliesTo: ["video"],
  needs: () => ["supers", "speech"],
  run({ evidence, parameters }) {
    const { maxTexts, maxLines } = parameters;
    const { chosen } = chooseTexts(evidence, parameters);
    const told = new Set<ScreenText>();
    const faults = chosen.flatMap((text): TextFault[] => {
      if (told.has(text)) return [];
      const screen = [text, ...chosen.filter((other) => other !== text && isBeside(text, other))];
      const lines = screen.reduce((sum, { lineCount }) => sum + lineCount, 0);
      if (screen.length <= maxTexts && lines <= maxLines) return [];
      for (const each of screen) told.add(each);
      const amount = `${count(screen.length, "text", "texts")} in ${count(lines, "line", "lines")}`;
      const limit = `${count(maxTexts, "text", "texts")} in ${count(maxLines, "line", "lines")}`;
      return [
        {
          text,
          shortfall: lines,
          hit: {
            summary: `There ${screen.length === 1 ? "is" : "are"} ${amount} of small print on screen at once, beginning with ${quoteOf(text)}; the most is ${limit}.`,
            headline: `${lines} lines of small print at once; ${maxLines} is the most`,
            reasoning: `At the same time on screen: ${list(screen.map((each) => `${quoteOf(each)} (${count(each.lineCount, "line", "lines")})`))}.`,
            measurement: { value: lines, limit: maxLines, unit: "lines" },
            recommendation: `Leave one text of ${count(maxLines, "full line", "full lines")} at a time, and say the rest in the voice-over or after it.`,
          },
        },
      ];
    });
    return onePerText(faults);
  },
});

function isBeside(text: ScreenText, other: ScreenText): boolean {
  return togetherShare(text, other) >= 0.5 && !isSameText(text.text, other.text);
}
