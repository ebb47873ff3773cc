import { findCheckKind } from "../checks/kinds.ts";
import { allTerms } from "../checks/wording/concept-parameters.ts";
import type { Rule, Sidekick } from "../sidekick.ts";
import type { Lexicon, Lexicons } from "../text/concepts/lexicon.ts";
import { indexOf } from "../text/concepts/asset-reading.ts";
import { nameOfWords } from "../text/concepts/pattern-terms.ts";

export function readsConcepts(kind: string): boolean {
  return findCheckKind(kind)?.readsConcepts === true;
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

type Planned = { sidekick: Sidekick; rule: Rule };

let prepared: Lexicons = {};

/** All that these sidekicks look for, for files that are judged by some of their rules: one index serves them all. */
export function prepareLexicons(sidekicks: readonly Sidekick[]): void {
  prepared = gatherLexicons(sidekicks.flatMap((sidekick) => sidekick.rules.map((rule) => ({ sidekick, rule }))));
  indexOf(prepared);
}

/** Before a snapshot: all that is looked for is in the index by now, and each phrase would have to be read again. */
export function releasePhrases(): void {
  const nothing = { words: [], notIn: [] };
  for (const lexicon of Object.values(prepared)) Object.assign(lexicon, nothing);
}

const gathered = new WeakMap<readonly Planned[], { prepared: Lexicons; lexicons: Lexicons }>();

/** Everything that these rules look for, to be found in one pass. */
export function lexiconsOf(plan: readonly Planned[]): Lexicons {
  const before = gathered.get(plan);
  if (before?.prepared === prepared) return before.lexicons;
  const lexicons = chooseLexicons(plan);
  gathered.set(plan, { prepared, lexicons });
  return lexicons;
}

function chooseLexicons(plan: readonly Planned[]): Lexicons {
  const lexicons = gatherLexicons(plan);
  const isPrepared = Object.values(lexicons).every(({ name, version }) => prepared[name]?.version === version);
  return isPrepared && plan.length > 0 ? prepared : lexicons;
}

function gatherLexicons(plan: readonly Planned[]): Lexicons {
  const lexicons: Record<string, Lexicon> = {};
  for (const sidekick of new Set(plan.map((planned) => planned.sidekick))) Object.assign(lexicons, sidekick.lexicons);
  for (const { rule } of plan) for (const lexicon of ownWords(rule)) lexicons[lexicon.name] = lexicon;
  return lexicons;
}
