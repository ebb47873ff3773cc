import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readText } from "./read-text.ts";
import type { Value } from "./reading.ts";

const words =
  "we do not cure the gout if you won't 3.5 kg £20 a month stop. Really? yes! and, but; (maybe) “quoted words here now” e.g. U.S. don't 50% 🍺 – - • Dr. case: B12 three weeks".split(
    " ",
  );
const spaces = [" ", "  ", "\n", "\t", " \n ", "\u00A0", "\r\n"];
const sentence = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 40 });

/** What a reading says, without its places. */
function gist(text: string) {
  const { tokens, clauses, sentences, values } = readText(text);
  return {
    tokens: tokens.map(({ folded, lemma, pos }) => [folded, lemma, pos]),
    clauses: clauses.map(({ firstToken, endToken, stance }) => [firstToken, endToken, stance]),
    sentences: sentences.map(({ firstToken, endToken, isQuestion }) => [firstToken, endToken, isQuestion]),
    values,
  };
}

test("places map back to the source, in order, for any text", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: "binary" }),
        sentence.map((list) => list.join(" ")),
      ),
      (text) => {
        const { tokens, clauses, sentences, values } = readText(text);
        let end = 0;
        for (const token of tokens) {
          assert.ok(token.start >= end && token.end > token.start && token.end <= text.length);
          end = token.end;
        }
        for (const parts of [clauses, sentences]) {
          assert.deepEqual(
            parts.map(({ firstToken }) => firstToken),
            [0, ...parts.map(({ endToken }) => endToken)].slice(0, parts.length),
          );
          assert.equal(parts.at(-1)?.endToken ?? 0, tokens.length);
          for (const { start, firstToken } of parts) assert.equal(start, tokens[firstToken]?.start);
        }
        for (const { firstToken, endToken } of values) assert.ok(firstToken < endToken && endToken <= tokens.length);
      },
    ),
    { numRuns: 300 },
  );
});

test("line breaks and the kind and number of spaces make no difference", () => {
  fc.assert(
    fc.property(sentence, fc.infiniteStream(fc.constantFrom(...spaces)), (list, stream) => {
      const gaps = stream[Symbol.iterator]();
      const spaced = list.reduce((text, word) => `${text}${gaps.next().value}${word}`);

      assert.deepEqual(gist(spaced), gist(list.join(" ")));
    }),
    { numRuns: 300 },
  );
});

const amounts: [text: string, value: Partial<Value>][] = [
  ["£1,250.50", { kind: "money", amount: 1250.5, unit: "GBP" }],
  ["ten quid", { kind: "money", amount: 10, unit: "GBP" }],
  ["a tenner", { kind: "money", amount: 10 }],
  ["two tenners", { kind: "money", amount: 20 }],
  ["a grand", { kind: "money", amount: 1000 }],
  ["five grand", { kind: "money", amount: 5000 }],
  ["twenty bucks", { kind: "money", amount: 20, unit: "USD" }],
  ["$5k", { kind: "money", amount: 5000, unit: "USD" }],
  ["twenty euros", { kind: "money", amount: 20, unit: "EUR" }],
  ["£20 a month", { kind: "money", amount: 20, perDays: 30 }],
  ["49.9% APR", { kind: "percentage", amount: 49.9 }],
  ["ninety nine per cent", { kind: "percentage", amount: 99 }],
  ["two and a half stone", { kind: "weight" }],
  ["lose ten pounds", { kind: "weight" }],
  ["three hundred and fifty", { kind: "number", amount: 350 }],
  ["nineteen ninety nine", { kind: "number", amount: 1999 }],
  ["twenty nine ninety nine", { kind: "number", amount: 29.99 }],
  ["nineteen ninety nine a month", { amount: 19.99 }],
  ["in 24 hours", { kind: "duration", amount: 1 }],
  ["overnight", { kind: "duration", amount: 1 }],
  ["a fortnight", { kind: "duration", amount: 14 }],
  ["31 December 2026", { kind: "date" }],
  ["01/02/2026", { kind: "date" }],
  ["10x your money", { kind: "multiple", amount: 10 }],
  ["doubled", { kind: "multiple", amount: 2 }],
  ["16 years old", { kind: "age", amount: 16 }],
];
for (const [text, wanted] of amounts) {
  test(`“${text}” is read as ${wanted.kind} ${wanted.amount ?? ""}`, () => {
    const [value] = readText(text).values;

    assert.deepEqual({ ...value, ...wanted }, value);
  });
}

test("what a reader of pictures confuses is read as the word it was", () => {
  const lemmas = (text: string) => readText(text).tokens.map(({ lemma }) => lemma);

  assert.deepEqual(lemmas("LOSE 10KG IN AWEEK, aday"), [...lemmas("LOSE 10KG IN A WEEK"), ...lemmas(", a day")]);
  assert.deepEqual(lemmas("GUARANTEED RISKFREE pr0fit fr0m 5avings and 0mega"), [
    "guarantee",
    "risk",
    "free",
    "profit",
    "from",
    "save",
    "and",
    "omega",
  ]);
  assert.deepEqual(lemmas("vitamin B12 on Facebook"), ["vitamin", "b12", "on", "facebook"]);
});

const stances: [text: string, stance: string][] = [
  ["It cures gout.", "asserted"],
  ["It can't cure gout.", "negated"],
  ["It will never cure gout.", "negated"],
  ["We do not claim that it cures gout.", "negated"],
  ["Does it cure gout?", "asked"],
  ["Want to beat gout?", "asserted"],
  ["If you have gout.", "conditional"],
  ["Some people believe it cures gout.", "reported"],
  ["The court fined the shop for saying it cures gout.", "reported"],
  ["In Victorian times people used it for gout.", "past"],
  ["“It cured my gout in a week.”", "quoted"],
  ["Not only does it cure gout.", "asserted"],
];
for (const [text, stance] of stances) {
  test(`“${text}” is ${stance}`, () => assert.equal(readText(text).clauses.at(-1)?.stance, stance));
}
