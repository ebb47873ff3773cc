import { allTerms } from "../checks/wording/concept-parameters.ts";
import type { Rule, Sidekick } from "../sidekick.ts";
import type { Lexicon, Lexicons } from "../text/concepts/lexicon.ts";
import { nameOfWords } from "../text/concepts/pattern-terms.ts";

/** Kinds whose parameters name concepts. */
export function readsConcepts(kind: string): boolean {
  return ["concept", "wording", "ai-label"].includes(kind);
}

/** The lexicons that a rule names. */
export function namedLexicons({ check }: Pick<Rule, "check">): string[] {
  if (!readsConcepts(check.kind)) return [];
  return [...new Set(allTerms(check).filter((term) => typeof term === "string"))];
}

const known = new WeakMap<Rule, readonly Lexicon[]>();

/** Words that stand in a rule itself, as lexicons without a name of their own. */
function ownWords(rule: Rule): readonly Lexicon[] {
  const before = known.get(rule);
  if (before !== undefined) return before;
  const lists = readsConcepts(rule.check.kind)
    ? allTerms(rule.check).flatMap((term) => (typeof term === "object" && "words" in term ? [term] : []))
    : [];
  const own = lists.map((term) => ({
    name: nameOfWords(term),
    version: "",
    words: term.words,
    includes: [],
    notIn: [],
  }));
  known.set(rule, own);
  return own;
}

/** Everything that these rules look for, to be found in one pass. */
export function lexiconsOf(plan: readonly { sidekick: Sidekick; rule: Rule }[]): Lexicons {
  const lexicons: Record<string, Lexicon> = {};
  for (const sidekick of new Set(plan.map((planned) => planned.sidekick))) Object.assign(lexicons, sidekick.lexicons);
  for (const { rule } of plan) for (const lexicon of ownWords(rule)) lexicons[lexicon.name] = lexicon;
  return lexicons;
}
