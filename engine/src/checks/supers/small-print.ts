import { Type } from "typebox";
import type { Evidence } from "../../evidence/evidence.ts";
import { type Location, severities } from "../../finding.ts";
import { nameOfText } from "../../fingerprint.ts";
import { plainText } from "../../text/asset-text.ts";
import type { Hit } from "../check-kind.ts";
import { list, seconds } from "../format-numbers.ts";
import { isFound, Patterns } from "../../text/pattern.ts";
import { shorten } from "../wording/phrase.ts";
import { type ScreenText, screenTexts } from "./screen-text.ts";

/** Which texts a rule on supers is about: the small print, or texts with some wording instead. */
export const textChoice = {
  /** Only texts with one of these, whether they look like small print or not ("paid for by"). */
  anyOf: Type.Optional(Patterns),
  /** Not texts with one of these: another rule has its own figures for them. */
  noneOf: Type.Optional(Patterns),
};

type TextChoice = { anyOf?: readonly string[]; noneOf?: readonly string[] };

export function chooseTexts(
  evidence: Pick<Evidence, "supers" | "speech">,
  { anyOf, noneOf = [] }: TextChoice,
): { all: readonly ScreenText[]; chosen: ScreenText[] } {
  const all = screenTexts(evidence);
  const chosen = all.filter((line) => {
    if (anyOf === undefined && (!line.isSmallPrint || noneOf.length === 0)) return line.isSmallPrint;
    const words = plainText(line.text);
    return (anyOf === undefined || isFound(words, anyOf)) && !isFound(words, noneOf);
  });
  return { all, chosen };
}

function placeOf({ startSeconds, endSeconds, region, text }: ScreenText): Partial<Location> {
  return { startSeconds, endSeconds, region, quote: shorten(text, 300) };
}

export function quoteOf({ text }: Pick<ScreenText, "text">): string {
  return `“${shorten(text, 80)}”`;
}

/** A fault of one text; `shortfall` ranks it among its likes. */
export type TextFault = { text: ScreenText; shortfall: number; hit: Omit<Hit, "identity" | "location"> };

/** A text that comes back is one problem: it is shown where it is worst, and the other places are named. */
export function onePerText(faults: readonly TextFault[]): Hit[] {
  const groups = Map.groupBy(faults, ({ text }) => nameOfText(text.text));
  return [...groups].flatMap(([name, group]) => {
    const [worst, ...others] = group.toSorted(
      (a, b) => rankOf(a.hit) - rankOf(b.hit) || b.shortfall - a.shortfall || a.text.startSeconds - b.text.startSeconds,
    );
    if (worst === undefined) return [];
    const places = others
      .map(({ text }) => text.startSeconds)
      .toSorted((a, b) => a - b)
      .map(seconds);
    const more = places.length === 0 ? "" : ` The same text has the same fault at ${list(places)}.`;
    return [
      { ...worst.hit, reasoning: `${worst.hit.reasoning}${more}`, identity: name, location: placeOf(worst.text) },
    ];
  });
}

/** A fault without a severity of its own has the rule's, which is the gravest. */
function rankOf({ severity }: Pick<Hit, "severity">): number {
  return severity === undefined ? -1 : severities.indexOf(severity);
}
