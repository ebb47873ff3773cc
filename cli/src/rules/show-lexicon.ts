import { loadLexicons, nearestTo, pickLexicons } from "@greenlit/engine/rules/load-lexicons.ts";
import { namedLexicons } from "@greenlit/engine/rules/rule-lexicons.ts";
import { CommandError } from "../command-error.ts";
import { print } from "../print.ts";
import { loadRulePacks, packFolders, type PackOptions } from "./load-rules.ts";

/** Shows a list of words, and who uses it: directly, or by way of a list that holds it. */
export async function showLexicon(name: string, options: PackOptions & { json?: boolean }): Promise<void> {
  const packs = await loadRulePacks(options);
  const lexicons = await loadLexicons(packFolders(options), []);
  const source = lexicons.find(({ lexicon }) => lexicon.name === name);
  if (source === undefined) {
    const names = lexicons.map(({ lexicon }) => lexicon.name);
    throw new CommandError(
      `There is no lexicon ${name}${nearestTo(name, names) || `. There are ${names.join(", ")}`}.`,
    );
  }
  const holders = lexicons.flatMap(({ lexicon }) =>
    lexicon.name !== name && Object.hasOwn(pickLexicons(lexicons, [lexicon.name]), name) ? [lexicon.name] : [],
  );
  const users = packs.flatMap(({ sources }) =>
    sources.flatMap(({ rule }) => {
      const named = namedLexicons(rule);
      const by = named.includes(name) ? name : holders.find((holder) => named.includes(holder));
      return by === undefined ? [] : [{ code: rule.code, by, summary: rule.summary }];
    }),
  );
  const { lexicon, about, file, finds, ignores } = source;
  const result = { ...lexicon, about, file, partOf: holders, usedBy: users, tests: { finds, ignores } };
  print(options, result, [
    `${name}  ${about}`,
    `${file}, ${lexicon.words.length} entries`,
    "",
    ...(lexicon.includes.length === 0 ? [] : [`includes   ${lexicon.includes.join(", ")}`]),
    ...(lexicon.words.length === 0 ? [] : [`words      ${lexicon.words.join(", ")}`]),
    ...(lexicon.notIn.length === 0 ? [] : [`not in     ${lexicon.notIn.join(", ")}`]),
    ...(holders.length === 0 ? [] : [`part of    ${holders.join(", ")}`]),
    ...(users.length === 0
      ? ["used by    no rule"]
      : users.map(
          ({ code, by, summary }) => `used by    ${code}${by === name ? "" : ` (by way of ${by})`}: ${summary}`,
        )),
  ]);
}
