import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSimpleYaml } from "../../rules/simple-yaml.ts";
import { type ConceptIndex, type Concepts, findConcepts, indexLexicons } from "../../text/concepts/find-concepts.ts";
import type { Lexicon } from "../../text/concepts/lexicon.ts";
import { isKnownWord } from "../../text/reading/known-words.ts";
import { readText } from "../../text/reading/read-text.ts";
import type { Reading } from "../../text/reading/reading.ts";
import type { TokenSpan } from "../../text/reading/stance.ts";

/** What a rule by example looks at, and how much each counts: words, pairs of words, and the concepts of the lexicons. */
export type Features = ReadonlyMap<string, number>;

/** A text with what was found in it. */
export type ReadExample = { reading: Reading; concepts: Concepts };

const shares = { word: 1, pair: 0.6, concept: 0.6 };

export function readExample(text: string): ReadExample {
  return withConcepts(readText(text));
}

export function withConcepts(reading: Reading): ReadExample {
  return { reading, concepts: findConcepts(reading, builtInConcepts()) };
}

/** Of these tokens, or of the whole text. Any amount is the same amount, and any name the same name. */
export function featuresOf({ reading, concepts }: ReadExample, part?: TokenSpan): Features {
  const { firstToken, endToken } = part ?? { firstToken: 0, endToken: reading.tokens.length };
  const features = new Map<string, number>();
  const amounts = amountsOf(reading);
  let before = "";
  for (let index = firstToken; index < endToken; index += 1) {
    const lemma = reading.tokens[index]?.lemma ?? "";
    const amount = amounts.get(index);
    const word = amount !== undefined ? `<${amount}>` : isName(reading, index) ? "<name>" : lemma;
    features.set(`word ${word}`, shares.word);
    if (word === "<name>") features.set(`word ${lemma}`, shares.word);
    features.set(`pair ${before} ${word}`, shares.pair);
    before = word;
  }
  for (const [name, spans] of concepts)
    if (spans.some((span) => span.firstToken >= firstToken && span.endToken <= endToken))
      features.set(`concept ${name}`, shares.concept);
  return features;
}

function amountsOf({ values }: Reading): Map<number, string> {
  const kinds = new Map<number, string>();
  for (const { kind, firstToken, endToken } of values)
    for (let index = firstToken; index < endToken; index += 1) kinds.set(index, kind);
  return kinds;
}

/** A capital inside a sentence; at its beginning only where the word is otherwise unknown. */
function isName({ text, tokens, sentences }: Reading, index: number): boolean {
  const token = tokens[index];
  if (token === undefined) return false;
  const letters = text.slice(token.start, token.end);
  if (!/^\p{Lu}/u.test(letters) || /^I(?:['’]|$)/u.test(letters)) return false;
  const isFirst = sentences.some(({ firstToken }) => firstToken === index);
  return !isFirst || !(isKnownWord(token.folded) || isKnownWord(token.lemma));
}

/** Whether a passage may be meant at all: it has one of these words, or of the words of these lexicons (`@name`). */
export function gateOf(onlyWith: readonly string[]): (read: ReadExample, part?: TokenSpan) => boolean {
  if (onlyWith.length === 0) return () => true;
  const lists = onlyWith.filter((word) => word.startsWith("@")).map((word) => word.slice(1));
  const words = onlyWith.filter((word) => !word.startsWith("@"));
  const own = indexLexicons({ own: { name: "own", version: "", words, includes: [], notIn: [] } });
  return ({ reading, concepts }, part = { firstToken: 0, endToken: reading.tokens.length }) =>
    [...lists.flatMap((name) => concepts.get(name) ?? []), ...(findConcepts(reading, own).get("own") ?? [])].some(
      (span) => span.firstToken >= part.firstToken && span.endToken <= part.endToken,
    );
}

/** The lexicons that a rule by example can name. */
export function isConcept(name: string): boolean {
  return builtInConcepts().names.includes(name);
}

const lexiconsFolder = fileURLToPath(new URL("../../../../rulepacks/lexicons", import.meta.url));

let index: ConceptIndex | null = null;

/** All lists of words that come with Greenlit: a rule of twenty examples is told by them what a superlative is. */
function builtInConcepts(): ConceptIndex {
  if (index !== null) return index;
  const lexicons = readdirSync(lexiconsFolder)
    .toSorted()
    .flatMap((file): Lexicon[] => {
      const content = readSimpleYaml(readFileSync(join(lexiconsFolder, file), "utf8"))?.content;
      const { name, words = [], notIn = [] } = (content ?? {}) as { name?: string; words?: string[]; notIn?: string[] };
      if (name === undefined) return [];
      const includes = words.filter((word) => word.startsWith("@")).map((word) => word.slice(1));
      return [{ name, version: "", words: words.filter((word) => !word.startsWith("@")), includes, notIn }];
    });
  index = indexLexicons(Object.fromEntries(lexicons.map((lexicon) => [lexicon.name, lexicon])));
  return index;
}
