import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { builtInPacksFolder, loadPacks } from "./load-packs.ts";

const maxExpressionLength = 200;
const maxMedianLines = 60;
/** Shorter lists may be the same by chance. */
const minListLength = 4;

const packs = await loadPacks();
const rules = packs.flatMap(({ sources }) => sources.map(({ rule, file }) => ({ rule, file })));

test("no rule has a regular expression that nobody can read", () => {
  const long = rules.flatMap(({ rule }) =>
    textsIn(rule.check)
      .filter((text) => text.startsWith("/") && text.length > maxExpressionLength)
      .map((text) => `${rule.code}: ${text.length} characters, ${text.slice(0, 60)}…`),
  );

  assert.deepEqual(long, [], "Use concepts, or split the expression.");
});

test("half of the rules fit on one screen", async () => {
  const lengths = await Promise.all(rules.map(async ({ file }) => (await linesOf(file)) - 1));
  const median = lengths.toSorted((a, b) => a - b)[lengths.length >> 1] ?? 0;

  assert.ok(median < maxMedianLines, `The median rule has ${median} lines.`);
});

test("no list of words stands in two rules", () => {
  const lists = rules.flatMap(({ rule }) =>
    listsIn(rule.check)
      .filter((list) => list.length >= minListLength)
      .map((list) => ({ code: rule.code, list: list.toSorted().join(", ") })),
  );
  const twice = [...Map.groupBy(lists, ({ list }) => list)]
    .map(([list, users]) => ({ list, codes: [...new Set(users.map(({ code }) => code))] }))
    .filter(({ codes }) => codes.length > 1)
    .map(({ list, codes }) => `${codes.join(", ")}: ${list.slice(0, 80)}`);

  assert.deepEqual(twice, [], "Make it a lexicon.");
});

async function linesOf(file: string): Promise<number> {
  const path = join(builtInPacksFolder, basename(dirname(file)), basename(file));
  return (await readFile(path, "utf8")).split("\n").length;
}

/** Every text of the check itself. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === "object" && value !== null ? entriesOf(value).flatMap(([, inner]) => textsIn(inner)) : [];
}

function listsIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [];
  if (!Array.isArray(value)) return entriesOf(value).flatMap(([, inner]) => listsIn(inner));
  const texts = value.filter((item) => typeof item === "string");
  return [...(texts.length === value.length ? [texts] : []), ...value.flatMap(listsIn)];
}

/** Stances are a closed set, and the examples of a rule by example are no patterns. */
function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([key]) => key !== "examples" && key !== "stances" && key !== "sources");
}
