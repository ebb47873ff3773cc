import type { Example, Pack, RuleSource } from "@greenlit/engine/rules/load-packs.ts";
import { CommandError } from "../command-error.ts";
import { print, table } from "../print.ts";
import { loadRulePacks } from "./load-rules.ts";

type Options = { packs?: string; json?: boolean };

export async function listRules(options: Options): Promise<void> {
  const packs = await loadRulePacks(options);
  const result = packs.map(({ sidekick: { rules, lexicons: _lexicons, ...sidekick } }) => ({
    ...sidekick,
    rules: rules.map(({ code, severity, summary }) => ({ code, severity, summary })),
  }));
  const lines = packs.flatMap(({ sidekick }) => [
    `${sidekick.name}  (${sidekick.sidekickId}, ${sidekick.packVersion}${sidekick.isDefault ? "" : ", not by default"})`,
    ...table(
      ["code", "severity", "what it finds"],
      sidekick.rules.map(({ code, severity, summary }) => [code, severity, summary]),
    ).map((line) => `  ${line}`),
    "",
  ]);
  print(options, { data: result }, [
    ...lines,
    `${packs.length} sidekicks, ${packs.flatMap(({ sources }) => sources).length} rules`,
  ]);
}

export async function showRule(code: string, options: Options): Promise<void> {
  const packs = await loadRulePacks(options);
  const pack = packs.find(({ sources }) => sources.some(({ rule }) => rule.code === code.toUpperCase()));
  const source = pack?.sources.find(({ rule }) => rule.code === code.toUpperCase());
  if (pack === undefined || source === undefined) {
    throw new CommandError(`There is no rule ${code}. See them with: greenlit rules list${nearest(packs, code)}`);
  }
  const { rule, file, fails, passes, golden } = source;
  print(options, { ...rule, sidekick: pack.sidekick.name, file, fails, passes, golden }, describe(pack, source));
}

function describe({ sidekick }: Pack, { rule, file, fails, passes, golden }: RuleSource): string[] {
  const when: [string, readonly string[]][] = [
    ["jurisdictions", rule.jurisdictions],
    ["sectors", rule.sectors],
    ["channels", rule.channels],
    ["audiences", rule.audiences],
    ["destinations", rule.destinations],
  ];
  const { kind, ...parameters } = rule.check;
  return [
    `${rule.code}  ${rule.severity}  ${rule.summary}`,
    `${sidekick.name}, ${file}`,
    "",
    `why        ${rule.why}`,
    `fix        ${rule.fix}`,
    ...(rule.citation === null ? [] : [`source     ${rule.citation.clause}`, `           ${rule.citation.url}`]),
    ...when.filter(([, names]) => names.length > 0).map(([name, names]) => `${name.padEnd(10)} ${names.join(", ")}`),
    ...(rule.from === null ? [] : [`from       ${rule.from}`]),
    `undeclared ${rule.whenUndeclared}`,
    `check      ${kind} ${JSON.stringify(parameters)}`,
    ...rule.precedents.map(
      ({ title, date, decision, url }) => `precedent  ${title}, ${date}: ${decision}\n           ${url}`,
    ),
    ...examples("fails", fails),
    ...examples("passes", passes),
    ...(golden === null
      ? []
      : [`golden     fails ${golden.fails.join(", ") || "–"}; passes ${golden.passes.join(", ") || "–"}`]),
  ];
}

function examples(name: string, list: readonly Example[]): string[] {
  return list.map((example) => `${name.padEnd(10)} ${typeof example === "string" ? example : example.text}`);
}

function nearest(packs: readonly Pack[], code: string): string {
  const start = code.toUpperCase().split("-").slice(0, 2).join("-");
  const near = packs
    .flatMap(({ sources }) => sources.map(({ rule }) => rule.code))
    .filter((known) => known.startsWith(start));
  return near.length === 0 ? "" : ` (near: ${near.join(", ")})`;
}
