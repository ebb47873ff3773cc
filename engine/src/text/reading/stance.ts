import { buildPhraseTrie, findPhrases, keyOf } from "./phrase-trie.ts";
import type { ScopeIndex, Sentence, Stance, StanceScope, Token } from "./reading.ts";
import { leadingQuestions, nameEndings, namedThings, stanceCues, type StanceCue } from "./stance-cues.ts";
import { tokenize } from "./tokenize.ts";

/** Of two stances that cover the same words the earlier one counts. */
const order: readonly Stance[] = ["negated", "reported", "asked", "conditional", "past", "named", "quoted", "asserted"];

const leadingLabel = stanceCues.length;
const trie = buildPhraseTrie([
  ...stanceCues.flatMap(({ phrases }, label) => phrasesOf(phrases, label)),
  ...phrasesOf(leadingQuestions, leadingLabel),
]);

function phrasesOf(phrases: string, label: number): { keys: string[]; label: number }[] {
  return phrases.split(",").flatMap((phrase) => {
    const keys = tokenize(phrase).map(({ folded }) => keyOf(folded));
    return keys.length > 0 ? [{ keys, label }] : [];
  });
}

/** Finds the cues of a text and what they reach, as clinical NLP does it (NegEx, ConText). */
export function findScopes(text: string, tokens: readonly Token[], sentences: readonly Sentence[]): StanceScope[] {
  const found = findPhrases(trie, tokens);
  const pseudo = new Set<number>();
  for (const { label, firstToken, endToken } of found) {
    if (stanceCues[label]?.stance === null)
      for (let index = firstToken; index < endToken; index += 1) pseudo.add(index);
  }
  const scopes: StanceScope[] = [];
  const leading = new Set<number>();
  let position = 0;
  for (const { label, firstToken, endToken } of found) {
    while ((sentences[position]?.endToken ?? Infinity) <= firstToken) position += 1;
    const sentence = sentences[position];
    if (sentence === undefined) break;
    if (label === leadingLabel) {
      if (firstToken - sentence.firstToken <= 1) leading.add(position);
      continue;
    }
    const cue = stanceCues[label];
    if (cue === undefined || cue.stance === null || pseudo.has(firstToken)) continue;
    const reach = reachOf(cue, { sentence, tokens, firstToken, endToken });
    scopes.push({ stance: cue.stance, cueStart: firstToken, cueEnd: endToken, ...reach });
  }
  for (const [index, sentence] of sentences.entries()) {
    if (sentence.isQuestion && !leading.has(index)) scopes.push(wholeSentence("asked", sentence));
  }
  scopes.push(...quotedScopes(text, tokens), ...namedScopes(text, tokens, sentences));
  return scopes;
}

function wholeSentence(stance: Stance, { firstToken, endToken }: Sentence): StanceScope {
  return { stance, cueStart: -1, cueEnd: -1, scopeStart: firstToken, scopeEnd: endToken };
}

type CuePlace = { sentence: Sentence; tokens: readonly Token[]; firstToken: number; endToken: number };

function reachOf({ reach, stance }: StanceCue, { sentence, tokens, firstToken, endToken }: CuePlace) {
  if (reach === "sentence") return { scopeStart: sentence.firstToken, scopeEnd: sentence.endToken };
  if (reach === "before") return { scopeStart: sentence.firstToken, scopeEnd: firstToken };
  if (reach === "sentence-rest") return { scopeStart: endToken, scopeEnd: sentence.endToken };
  const clause = sentence.clauses.find((each) => each.endToken > firstToken);
  // "If you …" reaches to the end of its own clause, and not beyond a comma that begins the next.
  const clauseEnd = clause?.endToken ?? sentence.endToken;
  if (stance === "conditional") return { scopeStart: endToken, scopeEnd: clauseEnd };
  const furthest = Math.min(clauseEnd, endToken + reach);
  let scopeEnd = endToken;
  while (scopeEnd < furthest && !(scopeEnd > endToken && turns(tokens[scopeEnd]))) scopeEnd += 1;
  return { scopeStart: endToken, scopeEnd };
}

/** "Never hungry, and ten kilos gone": the denial is over. */
function turns(token: Token | undefined): boolean {
  return token?.gap === "comma" && /^(?:and|but|so|yet|just|only|then|plus)$/.test(token.folded);
}

/** Words between quotation marks, if they are more than a name. */
function quotedScopes(text: string, tokens: readonly Token[]): StanceScope[] {
  const scopes: StanceScope[] = [];
  let open = -1;
  for (let index = 0; index < tokens.length; index += 1) {
    const before = text.slice(tokens[index - 1]?.end ?? 0, tokens[index]?.start ?? 0);
    const isMark = /["\u201C\u201D\u201E\u201F\u00AB\u00BB]/u.test(before);
    if (!isMark) continue;
    if (open >= 0) {
      if (index - open >= minQuoted) scopes.push(inQuotes(open, index));
      open = /["\u201D\u00BB][^"\u201C]*["\u201C\u00AB]/u.test(before) ? index : -1;
    } else open = index;
  }
  const isClosed = /["\u201D\u00BB]/u.test(text.slice(tokens.at(-1)?.end ?? 0));
  if (open >= 0 && isClosed && tokens.length - open >= minQuoted) scopes.push(inQuotes(open, tokens.length));
  return scopes;
}

const minQuoted = 4;

function inQuotes(scopeStart: number, scopeEnd: number): StanceScope {
  return { stance: "quoted", cueStart: -1, cueEnd: -1, scopeStart, scopeEnd };
}

const things = new Set(namedThings.split(" "));
const endings = new Set(nameEndings.split(" "));
const articles = new Set(["the", "a", "an"]);

/** Runs of capitals that name something: "Cancer Research UK", "the film Bet Your Life". Not where all is in capitals. */
function namedScopes(text: string, tokens: readonly Token[], sentences: readonly Sentence[]): StanceScope[] {
  const isCapital = (index: number) => {
    const letter = text[tokens[index]?.start ?? -1] ?? "";
    return letter !== letter.toLowerCase() && letter === letter.toUpperCase();
  };
  return sentences.flatMap(({ firstToken, endToken }) => {
    const scopes: StanceScope[] = [];
    for (let index = firstToken; index < endToken; index += 1) {
      if (!isCapital(index)) continue;
      // "The UK's number one": an article begins no name.
      const start = articles.has(tokens[index]?.folded ?? "") ? index + 1 : index;
      while (index + 1 < endToken && isCapital(index + 1) && tokens[index + 1]?.gap === "space") index += 1;
      const length = index + 1 - start;
      if (length < 2 || length > 6 || length === endToken - firstToken) continue;
      const isNamed = endings.has(tokens[index]?.folded ?? "") || things.has(tokens[start - 1]?.folded ?? "");
      if (isNamed) scopes.push({ stance: "named", cueStart: -1, cueEnd: -1, scopeStart: start, scopeEnd: index + 1 });
    }
    return scopes;
  });
}

export type TokenSpan = { firstToken: number; endToken: number };

/** Scopes by stretches of so many tokens: most words of most texts are under none. */
const bucketTokens = 32;

export function indexScopes(scopes: readonly StanceScope[]): ScopeIndex {
  const index: StanceScope[][] = [];
  for (const scope of scopes) {
    const last = Math.floor(Math.max(scope.scopeStart, scope.scopeEnd - 1) / bucketTokens);
    for (let bucket = Math.floor(scope.scopeStart / bucketTokens); bucket <= last; bucket += 1) {
      (index[bucket] ??= []).push(scope);
    }
  }
  return index;
}

/** What words amount to. `parts`: the words that matter; a cue inside one of them ("no risk") is part of what they say. */
export function stanceOf(index: ScopeIndex, parts: readonly TokenSpan[]): Stance {
  return strongest(index, parts, ({ cueStart, cueEnd }) =>
    parts.some(({ firstToken, endToken }) => firstToken < cueEnd && endToken > cueStart),
  );
}

/** What a clause amounts to, by its own cues too. */
export function stanceOfClause(index: ScopeIndex, head: TokenSpan): Stance {
  return strongest(index, [head], () => false);
}

function strongest(index: ScopeIndex, parts: readonly TokenSpan[], isLeftOut: (scope: StanceScope) => boolean): Stance {
  let best = order.length - 1;
  for (const { firstToken, endToken } of parts) {
    const last = Math.floor((endToken - 1) / bucketTokens);
    for (let bucket = Math.floor(firstToken / bucketTokens); bucket <= last; bucket += 1) {
      for (const scope of index[bucket] ?? []) {
        const rank = order.indexOf(scope.stance);
        if (rank >= best || firstToken >= scope.scopeEnd || endToken <= scope.scopeStart) continue;
        if (!isLeftOut(scope)) best = rank;
      }
    }
  }
  return order[best] ?? "asserted";
}
