import type { Clause, Sentence, Token } from "./reading.ts";

/** Ends of words that are no ends of sentences. */
const abbreviations = new Set(
  "mr mrs ms dr prof st no vs eg ie etc approx inc ltd co est min max incl excl tel ref vol fig".split(" "),
);
/** What begins a clause of its own, with or without a comma before it. */
const openers = new Set("but because although though unless if while whereas whether until whenever".split(" "));
/** What begins one after a comma, or after "and". */
const subjects = new Set(
  "i you he she it we they this that these those there who which so when where what then and or".split(" "),
);
const pronouns = new Set("i you he she it we they there".split(" "));
/** Speech without stops runs on; a claim does not. */
const maxClauseTokens = 40;

export function splitSentences(text: string, tokens: readonly Token[]): Sentence[] {
  const sentences: Sentence[] = [];
  let first = 0;
  for (let index = 1; index <= tokens.length; index += 1) {
    const token = tokens[index];
    if (token !== undefined && !isBoundary(text, tokens[index - 1], token)) continue;
    if (index > first) sentences.push(makeSentence(text, tokens, first, index));
    first = index;
  }
  return sentences;
}

function isBoundary(text: string, before: Token | undefined, token: Token): boolean {
  if (token.gap === "bullet") return true;
  if (token.gap !== "stop") return false;
  const isAbbreviated =
    before !== undefined &&
    abbreviations.has(before.folded) &&
    text[before.end] === "." &&
    !/[!?]/u.test(text.slice(before.end, token.start));
  // "approx. 5 kg", "Dr. Smith", but "the best. It is": after "no." and "co." a capital that is not a name begins a new sentence.
  return !isAbbreviated;
}

function makeSentence(text: string, tokens: readonly Token[], first: number, end: number): Sentence {
  const start = tokens[first]?.start ?? 0;
  const last = tokens[end - 1]?.end ?? start;
  const next = tokens[end]?.start ?? text.length;
  const behind = text.slice(last, Math.min(next, last + 200));
  const isQuestion = behind.includes("?") && /^[^\p{L}\p{N}.!]*\?/u.test(behind);
  return {
    start,
    end: last,
    firstToken: first,
    endToken: end,
    isQuestion,
    clauses: splitClauses(tokens, first, end),
  };
}

function splitClauses(tokens: readonly Token[], first: number, end: number): Clause[] {
  const clauses: Clause[] = [];
  let from = first;
  const close = (until: number) => {
    if (until <= from) return;
    clauses.push({
      start: tokens[from]?.start ?? 0,
      end: tokens[until - 1]?.end ?? 0,
      firstToken: from,
      endToken: until,
      stance: "asserted",
    });
    from = until;
  };
  for (let index = first + 1; index < end; index += 1) {
    if (beginsClause(tokens, index) || index - from >= maxClauseTokens) close(index);
  }
  close(end);
  return clauses;
}

/** A comma in a list ("bunions, gout and shingles") begins no clause. */
function beginsClause(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  const next = tokens[index + 1];
  if (token === undefined) return false;
  if (token.gap === "colon" || token.gap === "dash" || token.gap === "bracket") return true;
  if (openers.has(token.folded)) return true;
  if (token.gap === "comma" && subjects.has(token.folded))
    return !/^(?:and|or)$/.test(token.folded) || pronouns.has(next?.folded ?? "");
  return (token.folded === "and" || token.folded === "so") && pronouns.has(next?.folded ?? "");
}
