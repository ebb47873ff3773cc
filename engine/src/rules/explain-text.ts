import { judgeConceptClaims, type Verdict } from "../checks/wording/concept.ts";
import type { ConceptParameters } from "../checks/wording/concept-parameters.ts";
import { findTerms } from "../checks/wording/concept-parameters.ts";
import type { CheckInput } from "../checks/check-kind.ts";
import type { Finding } from "../finding.ts";
import type { Context, Rule, Sidekick } from "../sidekick.ts";
import { assetText, type AssetText } from "../text/asset-text.ts";
import { conceptsOf, indexOf, readingOf } from "../text/concepts/asset-reading.ts";
import { matchTerm, preparePatternText } from "../text/concepts/match-pattern.ts";
import { isGroup, nameOfWords, type Term } from "../text/concepts/pattern-terms.ts";
import type { Lexicons } from "../text/concepts/lexicon.ts";
import type { Token, Value } from "../text/reading/reading.ts";
import type { Static } from "typebox";
import { applicabilityIn } from "./context.ts";
import { judgeRules, planRules } from "./judge.ts";
import type { Pack } from "./load-packs.ts";
import { type LexiconSource, pickLexicons } from "./load-lexicons.ts";
import { lexiconsOf } from "./rule-lexicons.ts";
import { afterAllStartDates, evidenceOf, type TextCase } from "./self-test.ts";

/** How a text was read, and why each rule did or did not find something in it. */
export type Explanation = {
  clauses: { text: string; stance: string; tokens: Pick<Token, "folded" | "lemma" | "pos">[] }[];
  values: (Pick<Value, "kind" | "amount" | "unit" | "perDays"> & { text: string })[];
  concepts: { name: string; words: string[] }[];
  rules: RuleExplanation[];
};

export type RuleExplanation = {
  code: string;
  summary: string;
  /** `near`: part of what it looks for is there. */
  outcome: "fires" | "spared" | "near" | "silent" | "not applicable";
  why: string;
  findings: Pick<Finding, "severity" | "summary">[];
};

export function explainText(
  packs: readonly Pack[],
  lexicons: readonly LexiconSource[],
  textCase: TextCase,
): Explanation {
  const evidence = evidenceOf(textCase);
  const text = assetText(evidence);
  const all = pickLexicons(
    lexicons,
    lexicons.map(({ lexicon }) => lexicon.name),
  );
  const tracks = text.tracks.map((track) => ({
    track,
    reading: readingOf(track),
    concepts: conceptsOf(track, indexOf(all)),
  }));
  const words = (source: string, tokens: readonly Token[], firstToken: number, endToken: number) =>
    source.slice(tokens[firstToken]?.start, tokens[endToken - 1]?.end).replaceAll(/\s+/g, " ");
  const concepts = new Map<string, string[]>();
  for (const { track, reading, concepts: found } of tracks) {
    for (const [name, spans] of found) {
      const list = spans.map(({ firstToken, endToken }) => words(track.text, reading.tokens, firstToken, endToken));
      concepts.set(name, [...(concepts.get(name) ?? []), ...list]);
    }
  }
  return {
    clauses: tracks.flatMap(({ track, reading }) =>
      reading.clauses.map(({ start, end, firstToken, endToken, stance }) => ({
        text: track.text.slice(start, end).replaceAll(/\s+/g, " "),
        stance,
        tokens: reading.tokens.slice(firstToken, endToken).map(({ folded, lemma, pos }) => ({ folded, lemma, pos })),
      })),
    ),
    values: tracks.flatMap(({ track, reading }) =>
      reading.values.map(({ kind, amount, unit, perDays, firstToken, endToken }) => ({
        text: words(track.text, reading.tokens, firstToken, endToken),
        kind,
        amount,
        unit,
        perDays,
      })),
    ),
    concepts: [...concepts].toSorted(([a], [b]) => a.localeCompare(b)).map(([name, list]) => ({ name, words: list })),
    rules: packs.flatMap(({ sidekick }) => explainRules(sidekick, { text, textCase, evidence })),
  };
}

type Asked = { text: AssetText; textCase: TextCase; evidence: ReturnType<typeof evidenceOf> };

function explainRules(sidekick: Sidekick, { text, textCase: { context }, evidence }: Asked): RuleExplanation[] {
  const options = { probe: evidence.probe, context, today: afterAllStartDates };
  return sidekick.rules.filter(isTextRule).map((rule) => {
    const one = { ...sidekick, rules: [rule] };
    const { code, summary } = rule;
    const plan = planRules([one], options);
    if (plan.length === 0)
      return { code, summary, outcome: "not applicable", why: whyNot(rule, context), findings: [] };
    const findings = judgeRules(plan, { evidence, text, context }).map(({ severity, summary: what }) => ({
      severity,
      summary: what,
    }));
    if (findings.length > 0) return { code, summary, outcome: "fires", why: findings[0]?.summary ?? "", findings };
    if (rule.check.kind !== "concept") return { code, summary, outcome: "silent", why: "none of its words", findings };
    return { code, summary, ...explainSilence(rule, text, lexiconsOf(plan)), findings };
  });
}

function isTextRule({ check }: Rule): boolean {
  return ["phrase", "claim", "concept", "meaning", "wording", "personal-data"].includes(check.kind);
}

function whyNot(rule: Rule, context: Context): string {
  const { applies } = applicabilityIn(context, afterAllStartDates)(rule);
  const where = [...rule.jurisdictions, ...rule.sectors, ...rule.channels, ...rule.audiences].join(", ");
  return applies ? "says nothing while its context is not declared" : `is for ${where}`;
}

const verdicts: Readonly<Record<Verdict, string>> = {
  counts: "counts",
  stance: "does not count by its stance",
  unless: "is spared by `unless`",
  "has what it needs": "has what it needs",
  source: "stands where the rule does not look",
};

function explainSilence(rule: Rule, text: AssetText, lexicons: Lexicons): Pick<RuleExplanation, "outcome" | "why"> {
  const { kind: _kind, ...parameters } = rule.check;
  const asked = { text, lexicons, parameters: parameters as Static<typeof ConceptParameters> } satisfies Pick<
    CheckInput<Static<typeof ConceptParameters>>,
    "text" | "lexicons" | "parameters"
  >;
  const [claim] = judgeConceptClaims(asked);
  if (claim !== undefined) {
    const words = claim.slots.map((slot) => `“${slot.words}” (${slot.label})`).join(" and ");
    const because =
      claim.verdict === "counts" ? "counts, but no word of the rule's sector is in the text" : verdicts[claim.verdict];
    return { outcome: "spared", why: `${words} ${because}${claim.verdict === "stance" ? `: ${claim.stance}` : ""}` };
  }
  const read = preparePatternText(text, indexOf(lexicons));
  const leaves = findTerms(parameters).flatMap(leavesOf);
  const found = leaves.filter((term) => matchTerm(read, term).length > 0).map(nameOfTerm);
  const lacking = leaves.map(nameOfTerm).filter((name) => !found.includes(name));
  if (found.length === 0) return { outcome: "silent", why: "none of its concepts" };
  if (lacking.length === 0)
    return { outcome: "near", why: `${[...new Set(found)].join(", ")} are there, but not together as the rule asks` };
  return { outcome: "near", why: `has ${[...new Set(found)].join(", ")}; lacks ${[...new Set(lacking)].join(", ")}` };
}

function leavesOf(term: Term): Term[] {
  if (typeof term === "string") return [term];
  if ("any" in term) return term.any.flatMap(leavesOf);
  return isGroup(term) ? (term.all ?? term.inOrder ?? []).flatMap(leavesOf) : [term];
}

function nameOfTerm(term: Term): string {
  if (typeof term === "string") return term;
  if ("words" in term) return nameOfWords(term);
  return "value" in term ? JSON.stringify(term) : "";
}
