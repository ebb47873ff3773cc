import type { Pack, RuleSource } from "@greenlit/engine/rules/load-packs.ts";
import { CommandError } from "../command-error.ts";

type Packs = readonly Pack[];

export function explainRule(packs: Packs, code: string) {
  const found = allRules(packs).find(({ source }) => source.rule.code === code.trim().toUpperCase());
  if (!found) throw new CommandError(`There is no rule ${code}. Find it with search_rules.`);
  const { rule, fails, passes } = found.source;
  return { ...rule, sidekick: found.sidekick, examples: { fails, passes } };
}

/** The rules that have all the words, the ones with the words in their summary first. */
export function searchRules(
  packs: Packs,
  search: { query: string; jurisdiction?: string | undefined; sector?: string | undefined; limit: number },
) {
  const words = search.query.toLowerCase().split(/\s+/).filter(Boolean);
  const applies = (names: readonly string[], wanted: string | undefined) =>
    wanted === undefined || names.length === 0 || names.some((name) => name.toLowerCase() === wanted.toLowerCase());
  const found = allRules(packs)
    .filter(
      ({ source: { rule } }) =>
        applies(rule.jurisdictions, search.jurisdiction) && applies(rule.sectors, search.sector),
    )
    .map((entry) => ({ ...entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score !== null)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
  return {
    total: found.length,
    rules: found.slice(0, search.limit).map(({ sidekick, source: { rule } }) => ({
      code: rule.code,
      severity: rule.severity,
      summary: rule.summary,
      jurisdictions: rule.jurisdictions,
      sectors: rule.sectors,
      citation: rule.citation,
      sidekick,
    })),
  };
}

function allRules(packs: Packs): { sidekick: string; source: RuleSource }[] {
  return packs.flatMap(({ sidekick, sources }) => sources.map((source) => ({ sidekick: sidekick.name, source })));
}

function scoreOf({ sidekick, source: { rule } }: { sidekick: string; source: RuleSource }, words: string[]) {
  const [near, far] = [
    `${rule.code} ${rule.summary} ${sidekick}`,
    `${rule.why} ${rule.fix} ${rule.citation?.clause ?? ""}`,
  ];
  const has = (text: string, word: string) => text.toLowerCase().includes(word);
  if (!words.every((word) => has(near, word) || has(far, word))) return null;
  return words.filter((word) => has(near, word)).length;
}
