import { Type } from "typebox";
import { defineCheckKind } from "../check-kind.ts";
import { round } from "../format-numbers.ts";
import { chooseTexts, onePerText, quoteOf, textChoice, type TextFault } from "./small-print.ts";

/** Small print that hardly stands out from what is behind it. */
export const superContrast = defineCheckKind({
  kind: "super-contrast",
  about: "Small print whose letters stand out too little from the picture behind them.",
  parameters: Type.Object({
    minRatio: Type.Number({ minimum: 1, maximum: 21 }),
    /** Below this it is as grave as the rule says; from here up to `minRatio` it is minor. */
    severeBelowRatio: Type.Number({ minimum: 1, maximum: 21 }),
    ...textChoice,
  }),
  appliesTo: ["video"],
  needs: () => ["supers", "speech"],
  run({ evidence, parameters }) {
    const { minRatio, severeBelowRatio } = parameters;
    const faults = chooseTexts(evidence, parameters).chosen.flatMap((text): TextFault[] => {
      const { contrastRatio: ratio } = text;
      if (ratio === null || round(ratio, 1) >= minRatio) return [];
      return [
        {
          text,
          shortfall: minRatio / ratio,
          hit: {
            summary: `${quoteOf(text)} has a contrast of only ${round(ratio, 1)}:1 at its worst; small text needs ${minRatio}:1.`,
            headline: `Contrast ${round(ratio, 1)}:1; ${minRatio}:1 needed`,
            reasoning: `Between the letters and what is behind them the ratio of luminance, (L1 + 0.05) / (L2 + 0.05), falls to ${round(ratio, 1)}:1 while the text is on screen; ${minRatio}:1 is needed${ratio < severeBelowRatio ? "" : `, and below ${severeBelowRatio}:1 it would be grave`}.`,
            ...(ratio < severeBelowRatio ? {} : { severity: "MINOR" as const }),
            measurement: { value: round(ratio, 1), limit: minRatio, unit: ":1" },
            recommendation: `Put the text on an opaque block of one colour with a margin, or give it a dark edge or shadow, so that it keeps ${minRatio}:1 against every frame behind it.`,
          },
        },
      ];
    });
    return onePerText(faults);
  },
});
