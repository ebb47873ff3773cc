import { readFile } from "node:fs/promises";
import { readExample } from "@greenlit/engine/models/meaning/example-features.ts";
import { exampleHead, type Examples } from "@greenlit/engine/models/meaning/example-head.ts";
import { readMeaning } from "@greenlit/engine/models/meaning/read-meaning.ts";
import { builtInPacksFolder, loadPacks } from "@greenlit/engine/rules/load-packs.ts";
import type { Rule } from "@greenlit/engine/sidekick.ts";
import { CommandError } from "../command-error.ts";
import { print } from "../print.ts";

type Options = { texts: string; packs?: string; count: string; json?: boolean };

/** The texts that the rule is least sure about: a person's label teaches it most there. */
export async function suggestTexts(code: string, options: Options): Promise<void> {
  const packs = await loadPacks([builtInPacksFolder, ...(options.packs === undefined ? [] : [options.packs])]);
  const rule = packs.flatMap(({ sidekick }) => sidekick.rules).find((each) => each.code === code.toUpperCase());
  if (rule === undefined) throw new CommandError(`There is no rule ${code}. See them with: greenlit rules list`);
  if (rule.check.kind !== "meaning")
    throw new CommandError(`${rule.code} is of kind ${rule.check.kind}; only rules of kind meaning learn from texts.`);
  const file = await readFile(options.texts, "utf8").catch(() => {
    throw new CommandError(`${options.texts} cannot be read.`);
  });
  const lines = [...new Set(file.split("\n").map((line) => line.trim()))].filter((line) => line !== "");
  const nearest = lines
    .map((text) => ({ text, margin: marginOf(rule, text) }))
    .toSorted((a, b) => Math.abs(a.margin) - Math.abs(b.margin))
    .slice(0, Math.max(1, Number(options.count) || 1));
  print(options, { rule: rule.code, data: nearest }, [
    ...nearest.map(
      ({ text, margin }) => `${margin >= 0 ? "would find " : "would leave"}  ${margin.toFixed(2)}  ${text}`,
    ),
    `Add each to the fails or the passes of ${rule.code}.`,
  ]);
}

/** Above 0 it would be found. */
function marginOf({ check, topic = "", jurisdictions }: Rule, text: string): number {
  if (check["examples"] !== undefined) return exampleHead(check["examples"] as Examples).score(readExample(text));
  const track = { source: "document" as const, text, pieces: [] };
  return readMeaning({ tracks: [track] }, { jurisdictions: jurisdictions.slice(0, 1) }, topic)?.margin ?? -Infinity;
}
