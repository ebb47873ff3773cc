import { wordOfEmoji } from "./emoji-words.ts";
import { lemmaOf } from "./lemma.ts";
import { repairTokens } from "./look-alikes.ts";
import { partOfSpeech } from "./part-of-speech.ts";
import type { Clause, Reading, Token } from "./reading.ts";
import { splitSentences } from "./split-sentences.ts";
import { findScopes, indexScopes, stanceOfClause, type TokenSpan } from "./stance.ts";
import { tokenize } from "./tokenize.ts";
import { readValues } from "./values.ts";

/**
 * Reads a text once, for everything that asks about its words later. `breaks` are places at which a sentence surely
 * ends (the border of two supers, an empty line); line breaks and spaces by themselves mean nothing.
 */
export function readText(text: string, breaks: readonly number[] = []): Reading {
  const raw = repairTokens(text, tokenize(text, breaks));
  const values = readValues(raw);
  const tokens: Token[] = raw.map((token, index) => {
    const { start, end, folded, gap } = token;
    return {
      start,
      end,
      folded,
      lemma: token.kind === "emoji" ? wordOfEmoji(folded) : lemmaOf(folded),
      pos: partOfSpeech(token, raw[index - 1]),
      gap,
    };
  });
  for (const value of values) {
    const token = tokens[value.firstToken];
    if (token !== undefined) token.value = value;
  }
  const sentences = splitSentences(text, tokens);
  const clauses = sentences.flatMap((sentence) => sentence.clauses);
  const scopes = indexScopes(findScopes(text, tokens, sentences));
  for (const clause of clauses) clause.stance = stanceOfClause(scopes, headOf(clause, tokens));
  return { text, tokens, clauses, sentences, values, scopes };
}

/** The verb of a clause and what follows it, or all of it where there is none. */
function headOf({ firstToken, endToken }: Clause, tokens: readonly Token[]): TokenSpan {
  for (let index = firstToken; index < endToken; index += 1) {
    if (tokens[index]?.pos === "verb") return { firstToken: index, endToken };
  }
  return { firstToken, endToken };
}
