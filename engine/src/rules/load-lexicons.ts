import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { type Static, Type } from "typebox";
import { readText } from "../text/reading/read-text.ts";
import { findConcepts, indexLexicons, withIncluded } from "../text/concepts/find-concepts.ts";
import { type Lexicon, type Lexicons, withKeys } from "../text/concepts/lexicon.ts";
import { readSimpleYaml } from "./simple-yaml.ts";
import { type FileProblem, readYamlFile } from "./yaml-file.ts";

const Words = Type.Array(Type.String({ minLength: 1, maxLength: 120 }));

/** A lexicon as it is written: one YAML file in the folder `lexicons` beside the packs. */
const LexiconFile = Type.Object(
  {
    name: Type.String({ pattern: "^[a-z][a-z0-9]*(-[a-z0-9]+)*$" }),
    about: Type.String({ minLength: 8 }),
    words: Type.Array(Type.String({ minLength: 1, maxLength: 120 }), { minItems: 1 }),
    notIn: Type.Optional(Words),
    tests: Type.Object({ finds: Words, ignores: Words }, { additionalProperties: false }),
  },
  { additionalProperties: false },
);

/** A lexicon together with what only its maintainers need. */
export type LexiconSource = {
  lexicon: Lexicon;
  about: string;
  file: string;
  finds: readonly string[];
  ignores: readonly string[];
  lineOf: (path: readonly (string | number)[]) => number;
};

export const lexiconFolder = "lexicons";

/** Every lexicon of these folders, by name. Mistakes are collected. */
export async function loadLexicons(folders: readonly string[], problems: FileProblem[]): Promise<LexiconSource[]> {
  const sources = new Map<string, LexiconSource>();
  for (const folder of folders) {
    const files = await readdir(join(folder, lexiconFolder)).catch(() => []);
    for (const file of files.filter((name) => /\.ya?ml$/.test(name)).toSorted()) {
      const source = await readLexicon(folder, file, problems);
      if (source === null) continue;
      const other = sources.get(source.lexicon.name);
      if (other !== undefined)
        problems.push({
          file: source.file,
          line: 1,
          message: `${source.lexicon.name} is also the name of ${other.file}`,
        });
      sources.set(source.lexicon.name, source);
    }
  }
  const all = [...sources.values()];
  checkIncludes(sources, problems);
  for (const source of all) source.lexicon = { ...source.lexicon, version: versionOf(sources, source.lexicon.name) };
  return all;
}

async function readLexicon(folder: string, file: string, problems: FileProblem[]): Promise<LexiconSource | null> {
  const path = join(folder, lexiconFolder, file);
  const name = relative(join(folder, ".."), path);
  const simple = readSimpleYaml(await readFile(path, "utf8"));
  const yaml =
    simple !== null && isLexicon(simple.content)
      ? { content: simple.content as Static<typeof LexiconFile>, lineOf: simple.lineOf }
      : await readYamlFile({ path, name, schema: LexiconFile, problems });
  if (yaml === null) return null;
  const { content, lineOf } = yaml;
  if (basename(file).replace(/\.ya?ml$/, "") !== content.name) {
    problems.push({
      file: name,
      line: lineOf(["name"]),
      message: `${content.name} must be in a file named ${content.name}.yaml`,
    });
  }
  findEmptyWords(content, name, lineOf, problems);
  const includes = content.words.filter((word) => word.startsWith("@")).map((word) => word.slice(1));
  return {
    lexicon: {
      name: content.name,
      version: "",
      words: content.words.filter((word) => !word.startsWith("@")),
      includes,
      notIn: content.notIn ?? [],
    },
    about: content.about,
    file: name,
    finds: content.tests.finds,
    ignores: content.tests.ignores,
    lineOf,
  };
}

/** The usual shape, checked at a glance; what differs is read again by the reader that can say what is wrong. */
function isLexicon(content: Record<string, unknown>): boolean {
  const { name, about, words, notIn = [], tests, ...unknown } = content as Partial<Static<typeof LexiconFile>>;
  return (
    Object.keys(unknown).length === 0 &&
    /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name ?? "") &&
    (about ?? "").length >= 8 &&
    [words, notIn, tests?.finds, tests?.ignores].every(isListOfTexts) &&
    Object.keys(tests ?? {}).length === 2 &&
    (words ?? []).length > 0
  );
}

function isListOfTexts(list: readonly string[] | undefined): boolean {
  return Array.isArray(list) && list.every((text) => text.length > 0 && text.length <= 120);
}

function findEmptyWords(
  { words, notIn = [] }: Static<typeof LexiconFile>,
  file: string,
  lineOf: LexiconSource["lineOf"],
  problems: FileProblem[],
): void {
  for (const [list, entries] of [
    ["words", words],
    ["notIn", notIn],
  ] as const) {
    for (const [index, word] of entries.entries()) {
      if (!/[\p{L}\p{N}%£$€&+★☆\p{Extended_Pictographic}]/u.test(word))
        problems.push({ file, line: lineOf([list, index]), message: `“${word}” has no word in it` });
    }
  }
}

function checkIncludes(sources: ReadonlyMap<string, LexiconSource>, problems: FileProblem[]): void {
  for (const { lexicon, file, lineOf } of sources.values()) {
    for (const inner of lexicon.includes) {
      if (sources.has(inner)) continue;
      const message = `there is no lexicon ${inner}${nearestTo(inner, [...sources.keys()])}`;
      problems.push({ file, line: lineOf(["words"]), message });
    }
  }
}

/** A name that was probably meant, for the end of a message. */
export function nearestTo(name: string, names: readonly string[]): string {
  const near = names.filter(
    (other) => other.includes(name) || name.includes(other) || other.split("-")[0] === name.split("-")[0],
  );
  return near.length === 0 ? "" : `; near: ${near.slice(0, 5).join(", ")}`;
}

function versionOf(sources: ReadonlyMap<string, LexiconSource>, name: string): string {
  const lexicons = Object.fromEntries(Array.from(sources, ([key, { lexicon }]) => [key, lexicon]));
  const parts = [...withIncluded(lexicons, name)].toSorted().map((each) => {
    const lexicon = lexicons[each];
    return [each, lexicon?.words, lexicon?.includes, lexicon?.notIn];
  });
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 12);
}

/** These and everything inside them, to be sent along with the rules that use them. */
export function pickLexicons(sources: readonly LexiconSource[], names: Iterable<string>): Lexicons {
  const all: Lexicons = Object.fromEntries(sources.map(({ lexicon }) => [lexicon.name, lexicon]));
  const wanted = new Set<string>();
  for (const name of names) withIncluded(all, name, wanted);
  return Object.fromEntries(
    [...wanted].toSorted().flatMap((name) => (all[name] === undefined ? [] : [[name, withKeys(all[name])]])),
  );
}

/** What a lexicon does not find in its own `finds`, or finds in its own `ignores`. */
export function testLexicon(sources: readonly LexiconSource[], source: LexiconSource): FileProblem[] {
  const { name } = source.lexicon;
  const index = indexLexicons(pickLexicons(sources, [name]));
  const found = (text: string) => {
    const reading = readText(text);
    return (findConcepts(reading, index).get(name) ?? []).map(({ firstToken, endToken }) =>
      text.slice(reading.tokens[firstToken]?.start, reading.tokens[endToken - 1]?.end),
    );
  };
  const problem = (path: (string | number)[], message: string) => ({
    file: source.file,
    line: source.lineOf(path),
    message,
  });
  return [
    ...source.finds.flatMap((text, index) =>
      found(text).length > 0 ? [] : [problem(["tests", "finds", index], `${name} finds nothing in “${text}”`)],
    ),
    ...source.ignores.flatMap((text, index) => {
      const [first] = found(text);
      return first === undefined ? [] : [problem(["tests", "ignores", index], `${name} finds “${first}” in “${text}”`)];
    }),
  ];
}
