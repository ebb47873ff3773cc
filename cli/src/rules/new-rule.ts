import { randomUUID } from "node:crypto";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { minExamples } from "@greenlit/engine/models/meaning/example-head.ts";
import { CommandError } from "../command-error.ts";
import { print } from "../print.ts";

export type NewRuleOptions = { pack: string; fails?: string; passes?: string; onlyWith?: string; json?: boolean };

/** Writes a rule that loads as it is, so that its writer can change it step by step. Nothing is overwritten. */
export async function newRule(code: string, options: NewRuleOptions): Promise<void> {
  if (!/^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$/.test(code))
    throw new CommandError(`"${code}" is no code for a rule: use capitals, digits and dashes, like ACME-NO-JARGON.`);
  const text = options.fails === undefined ? ruleText(code) : await textByExample(code, options);
  await mkdir(options.pack, { recursive: true });
  const packFile = join(options.pack, "pack.yaml");
  const ruleFile = join(options.pack, `${code.toLowerCase()}.yaml`);
  if (await exists(ruleFile)) throw new CommandError(`${ruleFile} is there already.`);
  const isNewPack = !(await exists(packFile));
  if (isNewPack) await writeFile(packFile, packText(basename(options.pack)), { flag: "wx" });
  await writeFile(ruleFile, text, { flag: "wx" });
  const files = [...(isNewPack ? [packFile] : []), ruleFile];
  print(options, { files }, [
    ...files.map((file) => `Wrote ${file}`),
    `Next: edit it, then greenlit rules test ${join(options.pack, "..")}`,
  ]);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** A rule that learns from texts: those it must find and those it must leave alone, one a line. */
async function textByExample(code: string, { fails, passes, onlyWith }: NewRuleOptions): Promise<string> {
  const lists = { fails: await readLines(fails, "--fails"), passes: await readLines(passes, "--passes") };
  for (const [name, lines] of Object.entries(lists))
    if (lines.length < minExamples)
      throw new CommandError(
        `A rule by example needs ${minExamples} texts that it must find and ${minExamples} that it must leave alone; the ${name} have ${lines.length}.`,
      );
  const topic = code
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const words = (onlyWith ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const list = (lines: readonly string[]) => lines.map((line) => `  - ${JSON.stringify(line)}\n`).join("");
  return `code: ${code}
# One line: what it finds.
summary: A text like the examples of this rule
# CRITICAL, MAJOR, MINOR or INFO; a person always decides, one severity milder.
severity: MAJOR
# Why it matters; shown to reviewers after what was found.
why: We do not want to say this.
# Exactly what to change.
fix: Say it in another way.
# It learns from the texts below: more and more varied ones make it surer. See: greenlit rules test
check: { kind: meaning, topic: ${topic}${words.length === 0 ? "" : `, onlyWith: ${JSON.stringify(words)}`} }
fails:
${list(lists.fails)}passes:
${list(lists.passes)}`;
}

async function readLines(file: string | undefined, option: string): Promise<string[]> {
  if (file === undefined) throw new CommandError(`Name both files: ${option} is missing.`);
  const text = await readFile(file, "utf8").catch(() => {
    throw new CommandError(`${file} cannot be read.`);
  });
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function packText(name: string): string {
  return `# A sidekick. Its id never changes, whatever happens to its rules.
sidekickId: ${randomUUID()}
name: ${JSON.stringify(name.replaceAll(/[-_]+/g, " "))}
description: What this pack looks for, in one sentence.
version: 1.0.0
`;
}

function ruleText(code: string): string {
  return `code: ${code}
# One line: what it finds.
summary: A word that our house style avoids
# CRITICAL, MAJOR, MINOR or INFO
severity: MINOR
# Why it matters; shown to reviewers after what was found.
why: Our readers do not use this word.
# Exactly what to change.
fix: Use a plain word instead.
# Where the duty is written down. Leave it out for rules of your own.
# citation: { clause: House style 3.1, url: "https://example.com/style" }
# Where, for whom and since when it is a duty; leave out what does not matter.
# jurisdictions: [UK, EU]
# sectors: [retail]
# channels: [tv]
# from: "2027-01-01"
check:
  # A phrase matches whole words in any case; /between slashes/ is a regular expression.
  kind: phrase
  anyOf: [synergy, '/\\bleverag(?:e|es|ing)\\b/']
  noneOf: [financial leverage]
# What it must find, and what it must leave alone: three of each at least.
fails:
  - We unlock synergy.
  - Leveraging your data, every day.
  - They leverage AI.
passes:
  - We work together.
  - Your data, put to use.
  - The bank's financial leverage ratio fell.
`;
}
