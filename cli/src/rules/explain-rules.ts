import { type Explanation, explainText } from "@greenlit/engine/rules/explain-text.ts";
import { loadLexicons } from "@greenlit/engine/rules/load-lexicons.ts";
import { builtInPacksFolder } from "@greenlit/engine/rules/load-packs.ts";
import type { Context } from "@greenlit/engine/sidekick.ts";
import { print, table } from "../print.ts";
import { loadRulePacks, packFolders } from "./load-rules.ts";

export type ExplainOptions = {
  context?: Context;
  packs?: string;
  rule?: string;
  on?: string;
  all?: boolean;
  json?: boolean;
};

/** Shows how a text is read and what each rule makes of it. */
export async function explain(text: string, options: ExplainOptions): Promise<void> {
  const packs = await loadRulePacks(options);
  const lexicons = await loadLexicons([...new Set([builtInPacksFolder, ...packFolders(options)])], []);
  const on = options.on === "speech" || options.on === "screen" ? options.on : "document";
  const explanation = explainText(packs, lexicons, { text, context: options.context ?? {}, on });
  const wanted = options.rule?.toUpperCase();
  const rules = explanation.rules.filter(({ code }) => wanted === undefined || code === wanted);
  print(options, { ...explanation, rules }, describe({ ...explanation, rules }, options));
}

function describe({ clauses, values, concepts, rules }: Explanation, options: ExplainOptions): string[] {
  const order = ["fires", "spared", "near", "silent", "not applicable"];
  const shown = rules
    .filter(({ outcome }) => options.all === true || options.rule !== undefined || order.indexOf(outcome) < 3)
    .toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  const hidden = rules.length - shown.length;
  return [
    ...table(
      ["stance", "clause"],
      clauses.map(({ stance, text }) => [stance, text]),
    ),
    "",
    ...table(
      ["word", "base form", "part of speech"],
      clauses.flatMap(({ tokens }) => tokens.map(({ folded, lemma, pos }) => [folded, lemma, pos])),
    ),
    ...(values.length === 0
      ? []
      : [
          "",
          ...table(
            ["amount", "read as"],
            values.map((value) => [value.text, describeValue(value)]),
          ),
        ]),
    "",
    ...(concepts.length === 0
      ? ["No concept of any lexicon."]
      : table(
          ["concept", "words"],
          concepts.map(({ name, words }) => [name, words.map((each) => `“${each}”`).join(", ")]),
        )),
    "",
    ...table(
      ["rule", "outcome", "why"],
      shown.map(({ code, outcome, why, findings }) => [code, findings[0]?.severity ?? outcome, why]),
    ),
    ...(hidden > 0
      ? [`${hidden} other rules found none of their words or are not for this context; --all shows them.`]
      : []),
  ];
}

function describeValue({ kind, amount, unit, perDays }: Explanation["values"][number]): string {
  const figure = amount === null ? "" : ` ${Math.round(amount * 1000) / 1000}`;
  const units: Readonly<Record<string, string>> = {
    weight: " kg",
    duration: " days",
    money: ` ${unit ?? ""}`,
    percentage: " %",
  };
  return `${kind}${figure}${units[kind] ?? ""}${perDays === null ? "" : ` in ${Math.round(perDays * 10) / 10} days`}`;
}
