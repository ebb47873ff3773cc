import { hasPlainLetters } from "../text/ascii.ts";
import type { Hit } from "../checks/check-kind.ts";
import type { Precedent } from "../finding.ts";
import type { Context, Rule } from "../sidekick.ts";
import { jurisdictionsOf } from "./context.ts";

const shown = 3;

/** The rule names those that fit it; of more than three, those of the same place and the likest words come first. */
export function choosePrecedents(
  { precedents }: Pick<Rule, "precedents">,
  finding: { context: Context; hit: Hit },
): Precedent[] {
  const places = jurisdictionsOf(finding.context);
  const words = wordsOf(`${finding.hit.summary} ${finding.hit.location?.quote ?? ""}`);
  return precedents
    .map((precedent) => ({
      precedent,
      isNear: places.includes(precedent.jurisdiction),
      likeness: shareOf(words, wordsOf(`${precedent.title} ${precedent.about}`)),
    }))
    .toSorted(
      (a, b) =>
        Number(b.isNear) - Number(a.isNear) ||
        b.likeness - a.likeness ||
        newestFirst(a.precedent.date, b.precedent.date),
    )
    .slice(0, shown)
    .map(({ precedent: { url, title, decision, date } }) => ({ url, title, decision, date }));
}

/** ISO dates. Comparing them by a locale would load one, which takes longer than judging a sentence. */
function newestFirst(a: string, b: string): number {
  return a === b ? 0 : a < b ? 1 : -1;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(hasPlainLetters(text) ? /[a-z0-9]{4,}/g : /[\p{L}\p{N}]{4,}/gu));
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size === 0 ? 0 : [...a].filter((word) => b.has(word)).length / a.size;
}
