import { Type } from "typebox";
import type { DocumentPage, TextBlock } from "../../evidence/evidence.ts";
import { nameOfText } from "../../fingerprint.ts";
import { defineCheckKind, type Hit } from "../check-kind.ts";
import { round } from "../format-numbers.ts";
import { shorten } from "../wording/phrase.ts";
import { hasLegalCue, wordsOf } from "./screen-text.ts";

const unseen: ReadonlySet<TextBlock["kind"]> = new Set(["hidden", "deleted", "comment", "note"]);
const smallPrintWords = 5;

/** Small print of a page that is too small to be read, or to be noticed beside what it qualifies. */
export const printSize = defineCheckKind({
  kind: "print-size",
  about: "Small print of a document whose letters are smaller than so many points.",
  parameters: Type.Object({
    leastPoints: Type.Number({ exclusiveMinimum: 0 }),
    /** Text so many times larger on the same page makes it worse: the rule's severity, otherwise it is minor. */
    timesLarger: Type.Number({ minimum: 1 }),
  }),
  appliesTo: ["document"],
  needs: () => ["document"],
  run({ evidence, parameters }) {
    return (evidence.document?.pages ?? []).flatMap((page) => smallTexts(page, parameters));
  },
});

function smallTexts(
  { page, blocks }: DocumentPage,
  { leastPoints, timesLarger }: { leastPoints: number; timesLarger: number },
): Hit[] {
  const seen = blocks.flatMap(({ sizePoints, ...block }) =>
    sizePoints === undefined || unseen.has(block.kind) ? [] : [{ ...block, sizePoints }],
  );
  const [largest] = seen.toSorted((a, b) => b.sizePoints - a.sizePoints);
  return seen.flatMap(({ text, sizePoints, region }): Hit[] => {
    const isSmallPrint = hasLegalCue({ text }) || wordsOf(text).length >= smallPrintWords;
    if (!isSmallPrint || sizePoints >= leastPoints || largest === undefined) return [];
    const isDwarfed = largest.sizePoints >= timesLarger * sizePoints;
    const beside = isDwarfed
      ? ` “${shorten(largest.text, 60)}” on the same page has ${round(largest.sizePoints, 1)} points, ${round(largest.sizePoints / sizePoints, 1)} times as much.`
      : "";
    return [
      {
        summary: `“${shorten(text, 80)}” on page ${page} is printed in ${round(sizePoints, 1)} points; ${leastPoints} are the least that is read with ease.`,
        headline: `${round(sizePoints, 1)} points; ${leastPoints} needed`,
        reasoning: `The smallest letters of this text are ${round(sizePoints, 1)} points large, below ${leastPoints}.${beside}`,
        identity: nameOfText(text),
        ...(isDwarfed ? {} : { severity: "INFO" as const }),
        location: { page, region, quote: shorten(text, 300) },
        measurement: { value: round(sizePoints, 1), limit: leastPoints, unit: "points" },
        recommendation: `Print the text in at least ${leastPoints} points, near what it qualifies.`,
      },
    ];
  });
}
