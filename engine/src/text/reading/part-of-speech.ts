import { memoize } from "../../memoize.ts";
import { lemmaOf } from "./lemma.ts";
import type { PartOfSpeech } from "./reading.ts";
import type { RawToken } from "./tokenize.ts";

const closed = new Map<string, PartOfSpeech>();
const add = (pos: PartOfSpeech, words: string) => words.split(" ").forEach((word) => closed.set(word, pos));
add(
  "pronoun",
  "i you he she it we they me him us them myself yourself himself herself itself ourselves themselves who whom which what whoever someone anyone everyone nobody something anything everything nothing mine yours ours theirs",
);
add(
  "determiner",
  "a an the this that these those my your his her its our their no every each any some all both either neither another such",
);
add(
  "preposition",
  "of in on at by for with from to into onto over under about after before between through during without within against among across behind beyond near since until till upon off out up down towards than as like per via",
);
add("conjunction", "and or but nor so yet because although though unless if while when whereas whether");
add(
  "verb",
  "be is am are was were been being have has had having do does did done doing will would shall should can could may might must 'll 've 're 'm wo ca get gets got getting go goes went gone make makes made making take takes took taken",
);
add(
  "adverb",
  "not n't never always often just only very too also again now then here there soon still even ever already almost really quite perhaps maybe however",
);

const subjects = new Set("i you he she it we they who".split(" "));
const modals = new Set(
  "will would shall should can could may might must 'll to do does did wo ca n't not don't".split(" "),
);

/** What the word alone says: its part of speech, or the endings that its neighbours decide about. */
type Shape = { pos: PartOfSpeech | null; isVerbForm: boolean; isInflected: boolean };

const shapeOf = memoize(100_000, (word: string): Shape => {
  const isInflected = lemmaOf(word) !== word;
  const isVerbForm = isInflected && /(?:ed|ing)$/.test(word);
  return { pos: closed.get(word) ?? endingOf(word), isVerbForm, isInflected };
});

function endingOf(word: string): PartOfSpeech | null {
  if (word.length <= 4) return null;
  if (word.endsWith("ly")) return "adverb";
  return /(?:ous|ful|less|able|ible|ive|ish|ic|ary|est)$/.test(word) ? "adjective" : null;
}

/** Coarse, by the word, its ending and the word before it: enough to tell a verb from a noun. */
export function partOfSpeech(token: RawToken, before: RawToken | undefined): PartOfSpeech {
  if (token.kind !== "word") return token.kind;
  const { pos, isVerbForm, isInflected } = shapeOf(token.folded);
  if (pos !== null) return pos;
  const last = before?.folded ?? "";
  if (subjects.has(last) || modals.has(last)) return "verb";
  const lastPos = closed.get(last);
  const isAfterDeterminer = lastPos === "determiner" || lastPos === "preposition";
  if (isVerbForm && isAfterDeterminer) return token.folded.endsWith("ing") ? "noun" : "adjective";
  if (isVerbForm) return "verb";
  if (isAfterDeterminer) return "noun";
  if (isInflected) return before?.kind === "word" && lastPos === undefined ? "verb" : "noun";
  // The first word of a sentence without a subject: "Lose a stone", "Stake a tenner".
  return before === undefined || token.gap === "stop" ? "verb" : "noun";
}
