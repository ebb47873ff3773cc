import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readCorpus } from "../rules/corpus.ts";
import { loadPacks } from "../rules/load-packs.ts";
import { readManyPatterns } from "../testing/many-patterns.ts";
import { type AssetText, plainText } from "./asset-text.ts";
import { requiredLiteralsOf } from "./pattern-prefixes.ts";
import { compilePattern, isFound, smallLetters } from "./pattern.ts";
import { findAll, isAnywhere, isFoundWithin } from "./text-search.ts";

const packs = await loadPacks();
const patterns = [
  ...new Set([
    ...packs.flatMap(({ sidekick }) => sidekick.rules.flatMap(({ check }) => patternsOf(Object.values(check)))),
    ...readManyPatterns(),
  ]),
];
const texts = [...(await readCorpus("clean")), ...(await readCorpus("offending"))].map(({ text }) => plainText(text));

test("every pattern of every pack finds in the corpus what the bare expression finds", { timeout: 900_000 }, () => {
  // Each pattern in a third of the texts: the bare expressions take half a minute for all.
  const thirds = [0, 1, 2].map((third) => textOf(texts.filter((_, index) => index % 3 === third)));

  const wrong = patterns.filter((pattern, index) => {
    const text = thirds[index % 3] ?? textOf([]);
    return JSON.stringify(placesIn(text, pattern)) !== JSON.stringify(barePlacesIn(text, pattern));
  });

  assert.ok(patterns.length > 1000);
  assert.deepEqual(wrong, []);
});

test("a match at the edge of a page is found as the bare expression finds it", { timeout: 900_000 }, () => {
  const joined = texts.join("\n\n");
  const text = textOf(Array.from({ length: 100 }, (_, page) => joined.slice(page * 3000, (page + 1) * 3000)));

  // Pages of whole texts were searched for all; the edges are the same for each.
  const wrong = patterns.filter(
    (pattern, index) =>
      index % 5 === 0 && JSON.stringify(placesIn(text, pattern)) !== JSON.stringify(barePlacesIn(text, pattern)),
  );

  assert.deepEqual(wrong, []);
});

test("nearly every pattern of the packs has requiredLiterals, so that it need not look everywhere", () => {
  const lost = patterns.filter((pattern) => {
    const { openings, inside } = requiredLiteralsOf(compilePattern(pattern));
    return openings === null && inside === null;
  });

  assert.ok(lost.length < patterns.length / 100, lost.join("\n"));
});

test("a part of a text is searched as if it were all there is", { timeout: 900_000 }, () => {
  const text = textOf([texts.slice(0, 20).join("\n")]);
  const [track] = text.tracks;
  assert.ok(track !== undefined);

  const wrong = patterns.filter((pattern, index) => {
    const start = (index * 37) % (track.text.length - 200);
    const part = { track, start, end: start + 200 };
    return isFoundWithin(text, part, [pattern]) !== isFound(track.text.slice(start, start + 200), [pattern]);
  });

  assert.deepEqual(wrong, []);
});

const expression = fc.letrec<{ part: string; whole: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("a", "b", "ab", "é", "1", " ", "-", "🗳", "\\.", "\\$"),
    fc.constantFrom("\\b", "\\B", "^", "$", "(?<!\\w)", "(?<![\\p{L}\\p{N}])", "(?!ab)", "(?=b)", "(?<=a)", "(?<!b)"),
    fc.constantFrom(
      ".",
      "\\d",
      "\\s",
      "\\w",
      "\\S",
      "\\p{L}",
      "\\u0061",
      "\\u{62}",
      "\\x62",
      "[ab]",
      "[^a]",
      "[a-c1]",
      "[\\s-]",
      "[🗳b]",
      "[\\d.]",
    ),
    fc
      .tuple(tie("whole"), fc.constantFrom("", "?", "*", "+", "{2}", "{0,2}", "{1,3}?", "{2,}"))
      .map(([inside, times]) => `(?:${inside})${times}`),
    tie("whole").map((inside) => `(${inside})`),
    tie("whole").map((inside) => `(?<=${inside})`),
    tie("whole").map((inside) => `(?!${inside})`),
  ),
  whole: fc
    .array(fc.array(tie("part"), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 })
    .map((options) => options.map((parts) => parts.join("")).join("|")),
})).whole;
const letters = fc.constantFrom(
  "a",
  "b",
  "c",
  "A",
  "B",
  "é",
  "É",
  "1",
  "2",
  " ",
  "\n",
  "-",
  ".",
  "$",
  "_",
  "🗳",
  "İ",
  "Σ",
);
const written = fc.array(letters, { maxLength: 40 }).map((all) => all.join(""));

test("any expression finds in any text what the bare expression finds", { timeout: 900_000 }, () => {
  fc.assert(
    fc.property(expression, fc.array(written, { minLength: 1, maxLength: 3 }), fc.nat(20), (source, pages, start) => {
      const pattern = `/${source}/`;
      const text = textOf(pages);

      assert.deepEqual(placesIn(text, pattern), barePlacesIn(text, pattern));
      assert.equal(
        isAnywhere(text, [pattern]),
        pages.some((page) => isFound(page, [pattern])),
      );
      for (const track of text.tracks) {
        const isThere = isFoundWithin(text, { track, start, end: start + 12 }, [pattern]);
        assert.equal(isThere, isFound(track.text.slice(start, start + 12), [pattern]));
      }
    }),
    { numRuns: 1000 },
  );
});

test("phrases of any words are found as the bare expression finds them", () => {
  const word = fc.constantFrom("free", "for", "ever", "it's", "l'eau", "1st", "£5");
  const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
  const joint = fc.constantFrom(" ", "  ", "-", "", "\n", ". ");
  const page = fc.array(fc.tuple(word, joint), { maxLength: 12 }).map((parts) => parts.flat().join(""));

  fc.assert(
    fc.property(phrase, page, (pattern, shown) => {
      assert.deepEqual(placesIn(textOf([shown]), pattern), barePlacesIn(textOf([shown]), pattern));
    }),
  );
});

function textOf(pages: readonly string[]): AssetText {
  const tracks = pages.map((text, index) => ({
    source: "document" as const,
    text,
    pieces: [{ start: 0, end: text.length, at: { page: index + 1 }, super: null }],
  }));
  return { tracks };
}

type Place = [page: number, start: number, end: number];

function placesIn(text: AssetText, pattern: string): Place[] {
  return findAll(text, [pattern]).map(({ track, match }) => [text.tracks.indexOf(track), match.start, match.end]);
}

/** The plain way: the expression over each page from left to right. */
function barePlacesIn({ tracks }: AssetText, pattern: string): Place[] {
  return tracks.flatMap(({ text }, page) =>
    Array.from(smallLetters(text).matchAll(compilePattern(pattern)), ({ index, 0: { length } }): Place => [
      page,
      index,
      index + length,
    ]).filter(([, start, end]) => text.slice(start, end).trim() !== ""),
  );
}

function patternsOf(value: unknown): string[] {
  if (typeof value === "string") return /^\/.*\/$/su.test(value) ? [value] : [];
  return Array.isArray(value) ? value.flatMap(patternsOf) : [];
}
