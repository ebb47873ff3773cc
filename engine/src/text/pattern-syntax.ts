/**
 * What a regular expression may take from a text, as far as this shows how a match can begin. Not
 * @eslint-community/regexpp: what turns its tree into these parts would be two thirds of this file, it takes 240 ms for
 * 1,477 patterns where this takes 150, and adds 480 kB.
 */
export type Part =
  /** One character with one of these codes. */
  | { kind: "characters"; codes: readonly number[] }
  /** One character of any kind. */
  | { kind: "vague" }
  /** Takes no character, whatever else it asks for. */
  | { kind: "nothing" }
  /** Takes no character; if a letter a-z or a figure follows, none stands before. */
  | { kind: "word start" }
  | { kind: "sequence"; parts: readonly Part[] }
  | { kind: "choice"; options: readonly Part[] }
  | { kind: "repeat"; part: Part; least: number; most: number };

const vague: Part = { kind: "vague" };
const nothing: Part = { kind: "nothing" };

/** Reads what the engine has accepted already. Null: it holds syntax that this does not know. */
export function parsePattern(source: string): Part | null {
  const reader = { source, at: 0 };
  try {
    const pattern = readChoice(reader);
    return reader.at === source.length ? pattern : null;
  } catch (error) {
    if (error instanceof UnknownSyntax) return null;
    throw error;
  }
}

class UnknownSyntax extends Error {}

type Reader = { readonly source: string; at: number };

function readChoice(reader: Reader): Part {
  const options = [readSequence(reader)];
  while (skip(reader, "|")) options.push(readSequence(reader));
  return options.length === 1 ? (options[0] ?? nothing) : { kind: "choice", options };
}

function readSequence(reader: Reader): Part {
  const parts: Part[] = [];
  for (let next = peek(reader); next !== "" && next !== "|" && next !== ")"; next = peek(reader)) {
    parts.push(readRepeat(reader, readOne(reader)));
  }
  return { kind: "sequence", parts };
}

function readRepeat(reader: Reader, part: Part): Part {
  if (!"*+?{".includes(peek(reader) || " ")) return part;
  const found = take(reader, /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y);
  if (found === null) return part;
  const [, sign, least, comma, most] = found;
  if (sign !== undefined) {
    return { kind: "repeat", part, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Infinity };
  }
  const isOpen = comma !== "" && most === "";
  return { kind: "repeat", part, least: Number(least), most: isOpen ? Infinity : Number(most || least) };
}

function readOne(reader: Reader): Part {
  switch (peek(reader)) {
    case "(":
      return readGroup(reader);
    case "[":
      return readClass(reader);
    case "\\":
      if (skip(reader, "\\b")) return { kind: "word start" };
      if (skip(reader, "\\B")) return nothing;
      return partOf(readCharacter(reader));
    case "^":
    case "$":
      reader.at += 1;
      return nothing;
    case ".":
      reader.at += 1;
      return vague;
    default:
      return partOf(readCharacter(reader));
  }
}

const behindNoWord = ["(?<![\\p{L}\\p{N}])", "(?<!\\w)"];

function readGroup(reader: Reader): Part {
  if (behindNoWord.some((look) => skip(reader, look))) return { kind: "word start" };
  const [, question, isLook] = take(reader, /\((\?(?::|(<?[=!])|<\w+>)?)?/y) ?? [];
  if (question === "?") throw new UnknownSyntax();
  const inside = readChoice(reader);
  if (!skip(reader, ")")) throw new UnknownSyntax();
  return isLook === undefined ? inside : nothing;
}

function readClass(reader: Reader): Part {
  const isInverse = skip(reader, "[^");
  if (!isInverse) reader.at += 1;
  const codes: number[] = [];
  let isVague = isInverse;
  while (!skip(reader, "]")) {
    const first = readCharacter(reader);
    // A hyphen at the end is one; between two characters it spans all from the one to the other.
    const isSpan = peek(reader) === "-" && reader.source[reader.at + 1] !== "]";
    if (isSpan) reader.at += 1;
    const last = isSpan ? readCharacter(reader) : first;
    const [from, to] = [first?.[0] ?? 0, last?.[0] ?? 0];
    if (first === null || last === null || (isSpan && (first.length > 1 || last.length > 1 || to - from > maxInSpan))) {
      isVague = true;
    } else if (isSpan) for (let code = from; code <= to; code += 1) codes.push(code);
    else codes.push(...first);
  }
  return isVague ? vague : { kind: "characters", codes };
}

const backslash = codeOf("\\");
/** Longer spans have more symbols than one could follow. */
const maxInSpan = 127;
const figures = Array.from("0123456789", codeOf);
const spaces = Array.from(" \t\n\v\f\r\u00A0", codeOf);
const written: Readonly<Record<string, readonly number[]>> = {
  d: figures,
  // The symbols of a text have one for all kinds of space.
  s: spaces,
  n: [10],
  r: [13],
  t: [9],
  f: [12],
  v: [11],
};

/** The codes that one character of a pattern, or its kind, stands for. Null: more than are worth a list. */
function readCharacter(reader: Reader): readonly number[] | null {
  const code = reader.source.codePointAt(reader.at);
  if (code === undefined) throw new UnknownSyntax();
  reader.at += code > 0xffff ? 2 : 1;
  if (code !== backslash) return [code];
  const letter = peek(reader);
  reader.at += 1;
  const known = written[letter];
  if (known !== undefined) return known;
  if (!/[a-z0-9]/i.test(letter)) return [letter.charCodeAt(0)];
  if ("DSWw".includes(letter) || (letter === "p" && take(reader, /\{\w+\}/y))) return null;
  const digits = take(reader, letter === "x" ? /[\da-f]{2}/iy : /[\da-f]{4}/iy)?.[0] ?? "";
  // Half a character may belong to its other half, and what is left may be a group once more, which has any length.
  if ((letter !== "x" && letter !== "u") || digits === "" || /^d[89a-f]/i.test(digits)) throw new UnknownSyntax();
  return [Number.parseInt(digits, 16)];
}

function partOf(codes: readonly number[] | null): Part {
  return codes === null ? vague : { kind: "characters", codes };
}

function peek({ source, at }: Reader): string {
  return source[at] ?? "";
}

function skip(reader: Reader, text: string): boolean {
  const isNext = reader.source.startsWith(text, reader.at);
  if (isNext) reader.at += text.length;
  return isNext;
}

function take(reader: Reader, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = reader.at;
  const found = expression.exec(reader.source);
  if (found !== null) reader.at = expression.lastIndex;
  return found;
}

function codeOf(character: string): number {
  return character.charCodeAt(0);
}
