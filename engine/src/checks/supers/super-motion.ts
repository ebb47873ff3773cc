import { Type } from "typebox";
import { defineCheckKind } from "../check-kind.ts";
import { count, round, seconds } from "../format-numbers.ts";
import { isCrawl } from "./screen-text.ts";
import { chooseTexts, onePerText, quoteOf, textChoice, type TextFault } from "./small-print.ts";

/** Small print that runs across the picture. */
export const superMotion = defineCheckKind({
  kind: "super-motion",
  about: "Small print that crawls across the picture from side to side.",
  parameters: Type.Object({ ...textChoice }),
  appliesTo: ["video"],
  needs: () => ["supers", "speech"],
  run({ evidence, parameters }) {
    const faults = chooseTexts(evidence, parameters)
      .chosen.filter((text) => isCrawl(text) && text.heldSeconds > 0)
      .map((text): TextFault => ({
        text,
        shortfall: text.wordCount / text.heldSeconds,
        hit: {
          summary: `${quoteOf(text)} crawls across the picture.`,
          headline: "Small print crawls from side to side",
          reasoning: `${count(text.wordCount, "word", "words")} cross the picture in ${seconds(text.heldSeconds)}, ${round(text.wordCount / text.heldSeconds, 1)} a second, in a band ${round(100 * text.region.height, 0)} % of the height.`,
          recommendation: "Set the text still, in as many lines as it needs, and hold it for the time that they need.",
        },
      }));
    return onePerText(faults);
  },
});
