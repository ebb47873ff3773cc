import { Type } from "typebox";
import type { DocumentEvidence, ImageEvidence, Super } from "../../evidence/evidence.ts";
import { nameOfText } from "../../fingerprint.ts";
import { defineCheckKind, type Hit } from "../check-kind.ts";
import { round } from "../format-numbers.ts";
import { shorten } from "../wording/phrase.ts";
import { wordsOf } from "./screen-text.ts";

/** Nobody knows how large a picture will be shown: it is judged as on a page of this width. */
const pageWidth = 1280;
/** Large text of WCAG is 18 points, which is 24 pixels; its capitals are about seven tenths of that. */
const largeCapitalPixels = 17;
const leastConfidence = 0.8;
/** How far off the measured ratio may be. */
const ratioMargin = 1.1;

/** Text in a picture that hardly stands out from what is behind it. */
export const textContrast = defineCheckKind({
  kind: "text-contrast",
  about: "Text in a picture or on a page whose letters stand out too little from what is behind them.",
  parameters: Type.Object({
    minRatio: Type.Number({ minimum: 1, maximum: 21 }),
    minRatioLarge: Type.Number({ minimum: 1, maximum: 21 }),
    /** Single words are mostly logos, which are exempt. */
    minWords: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  appliesTo: ["image", "document"],
  needs: () => ["supers", "image", "document"],
  run({ evidence, parameters }) {
    const { minRatio, minRatioLarge, minWords = 2 } = parameters;
    if (evidence.document !== null) return faintPrint(evidence.document, { minRatio, minRatioLarge, minWords });
    return (evidence.supers?.supers ?? []).flatMap((text): Hit[] => {
      const { contrastRatio: ratio, confidence } = text;
      if (ratio === null || confidence < leastConfidence || wordsOf(text.text).length < minWords) return [];
      const isLarge = capitalPixels(text, evidence.image) >= largeCapitalPixels;
      const limit = isLarge ? minRatioLarge : minRatio;
      if (round(ratio, 1) >= limit) return [];
      return [describe(text, { ratio, limit, isLarge })];
    });
  },
});

/** WCAG's large text. */
const largePoints = 18;

function faintPrint(
  { pages }: DocumentEvidence,
  { minRatio, minRatioLarge, minWords }: { minRatio: number; minRatioLarge: number; minWords: number },
): Hit[] {
  return pages.flatMap(({ page, blocks }) =>
    blocks.flatMap(({ text, kind, region, contrastRatio: ratio, sizePoints = 12 }): Hit[] => {
      if (ratio === undefined || kind === "hidden" || wordsOf(text).length < minWords) return [];
      const isLarge = sizePoints >= largePoints;
      const limit = isLarge ? minRatioLarge : minRatio;
      if (round(ratio, 1) >= limit) return [];
      return [
        {
          summary: `“${shorten(text, 80)}” on page ${page} has a contrast of ${round(ratio, 1)}:1; ${isLarge ? "large" : "small"} text needs ${limit}:1.`,
          headline: `Contrast ${round(ratio, 1)}:1; ${limit}:1 needed`,
          reasoning: `The ratio of luminance between the letters and what is behind them, (L1 + 0.05) / (L2 + 0.05), is ${round(ratio, 1)}:1. At ${round(sizePoints, 1)} points this is ${isLarge ? "large" : "small"} text, which needs ${limit}:1.`,
          identity: nameOfText(text),
          location: { page, region, quote: shorten(text, 300) },
          measurement: { value: round(ratio, 1), limit, unit: ":1" },
          recommendation: `Darken or lighten the letters, or put a plain block behind them, until the ratio is ${limit}:1 or more.`,
        },
      ];
    }),
  );
}

function describe(text: Super, { ratio, limit, isLarge }: { ratio: number; limit: number; isLarge: boolean }): Hit {
  const isNear = ratio * ratioMargin >= limit;
  const near = isNear ? " The measurement may be off by a tenth, so it may just pass." : "";
  return {
    summary: `“${shorten(text.text, 80)}” has a contrast of ${round(ratio, 1)}:1; ${isLarge ? "large" : "small"} text needs ${limit}:1.`,
    headline: `Contrast ${round(ratio, 1)}:1; ${limit}:1 needed`,
    reasoning: `The ratio of luminance between the letters and what is behind them, (L1 + 0.05) / (L2 + 0.05), is ${round(ratio, 1)}:1. On a page ${pageWidth} pixels wide this is ${isLarge ? "large text (18 points or more)" : "text below 18 points"}, which needs ${limit}:1.${near} Logos and decoration are exempt.`,
    identity: nameOfText(text.text),
    ...(isNear ? { severity: "INFO" as const } : {}),
    location: { region: text.region, quote: shorten(text.text, 300) },
    measurement: { value: round(ratio, 1), limit, unit: ":1" },
    recommendation: `Darken or lighten the letters, or put a plain block behind them, until the ratio is ${limit}:1 or more.`,
  };
}

function capitalPixels({ heightLines }: Super, image: ImageEvidence | null): number {
  return heightLines * Math.min(1, pageWidth / (image?.width ?? pageWidth));
}
