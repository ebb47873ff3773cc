import { isKnownWord } from "../../text/reading/known-words.ts";
import type { Recognized } from "./recognize-line.ts";

/**
 * The marks of legal copy that PP-OCR takes for letters: a dagger is a t or + at the end of a word that is none with it
 * ("valuet"), and a trade mark is two letters.
 */
export function markFootnotes(line: Recognized): Recognized {
  const daggers = line.text.replaceAll(/(?<![\p{L}\p{N}])(\p{L}{3,})([t+])(?![\p{L}\p{N}])/gu, (word, stem, mark) =>
    isWord(stem) && (mark === "+" || !isWord(word)) ? `${stem}†` : word,
  );
  // Nothing begins with plus-or-minus and a word: it is how a double dagger is read.
  const doubled = daggers.replace(/^±(?= ?\p{L})/u, "‡");
  // "40%s" is no word: it is a mark behind the claim.
  const marked = doubled
    .replaceAll(/(?<=%)[sS](?![\p{L}\p{N}])/gu, "§")
    .replaceAll(/(?<=%)[t+](?![\p{L}\p{N}])/gu, "†");
  return joinTradeMarks({ ...line, text: marked });
}

/** Whether another reader should look for ® and ©: "Best? value" and "Best@ value" are hardly what was written. */
export function mayHaveMarks(text: string): boolean {
  return /[\p{L}\d](?:\?(?=\s+\p{Ll})|@(?=\s|$))/u.test(text);
}

/** Puts ® and © of another reading where this one has the sign that it takes them for. */
export function takeMarks(line: Recognized, other: string): Recognized {
  const marks = [...other.matchAll(/(\p{L}{2,})([®©])/gu)];
  const text = marks.reduce(
    (result, [, word = "", mark = ""]) => result.replace(new RegExp(`(?<=${word})[?@]`, "u"), mark),
    line.text,
  );
  return { ...line, text };
}

function isWord(word: string): boolean {
  const plain = word.toLowerCase();
  return isKnownWord(plain) || (plain.endsWith("s") && isKnownWord(plain.slice(0, -1)));
}

/** Two letters become one sign: their places go with them. */
function joinTradeMarks(line: Recognized): Recognized {
  const found = /(?<=[a-z\d]) ?T[Mm](?![\p{L}\p{N}])/u.exec(line.text);
  if (found === null) return line;
  const [from, to] = [found.index, found.index + found[0].length];
  const letters = [...line.letters.slice(0, from), line.letters[to - 1] ?? 1, ...line.letters.slice(to)];
  return joinTradeMarks({ ...line, text: `${line.text.slice(0, from)}™${line.text.slice(to)}`, letters });
}
