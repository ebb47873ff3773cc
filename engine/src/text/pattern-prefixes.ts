import { parsePattern, type Part } from "./pattern-syntax.ts";
import { symbolName } from "./text-symbols.ts";

/** Where to look for the matches of an expression. */
export type Landmarks = {
  /** Each match begins with one of these. Null: not known. */
  openings: readonly string[] | null;
  /** In each match one of these stands, not more than `reach` after its beginning. Null: not known. */
  inside: readonly string[] | null;
  /** Null: without end. */
  reach: number | null;
};

/**
 * Landmarks are names of symbols; with `wordStart` in front, no letter and no figure stands before them.
 *
 * They may promise too little, never too much: a match that broke the promise would be overlooked. So what takes no
 * character itself (anchors, looks ahead and behind) counts as if it always held, every branch is followed, and a landmark
 * ends before whatever is not understood or could be too many things. What can match nothing at all has the empty opening,
 * which counts as none known. And what stands inside a match is how the rest of a sequence begins, from one of its parts
 * on: each match takes that rest from somewhere on.
 */
export function requiredLiteralsOf({ source, flags }: Pick<RegExp, "source" | "flags">): Landmarks {
  // With these a letter stands for more than itself.
  const pattern = /[iv]/.test(flags) ? null : parsePattern(source);
  if (pattern === null) return { openings: null, inside: null, reach: null };
  const reach = longest(pattern);
  return { openings: prefixesOf(pattern), inside: insideOf(pattern), reach: reach === Infinity ? null : reach };
}

/** Null: not known. */
function prefixesOf(pattern: Part, lengths = [6, 5, 4, 3, 2]): string[] | null {
  for (const length of lengths) {
    const openings = prefixesOfLength(pattern, length);
    if (openings === null) continue;
    return openings.has("") || openings.has(wordStart) ? null : [...new Set(Array.from(openings, withoutWordEnd))];
  }
  return null;
}

/** How the rest of the pattern begins from one of its later parts on, for the last part where that tells enough. */
function insideOf(part: Part): string[] | null {
  if (part.kind === "choice") {
    const all = part.options.map(insideOf);
    return all.includes(null) ? null : [...new Set(all.flatMap((each) => each ?? []))];
  }
  if (part.kind !== "sequence") return tellingOpenings(part);
  const solid = part.parts.filter(({ kind }) => kind !== "nothing" && kind !== "word start");
  if (solid.length === 1 && solid[0]?.kind === "choice") return insideOf(solid[0]);
  for (let start = part.parts.length - 1; start >= 0; start -= 1) {
    // Not from the middle of a word on.
    if (part.parts[start]?.kind === "characters" && part.parts[start - 1]?.kind === "characters") continue;
    const found = tellingOpenings({ kind: "sequence", parts: part.parts.slice(start) });
    if (found !== null) return found;
  }
  return null;
}

/** Null also if they are so short or so many that they stand everywhere. */
function tellingOpenings(part: Part): string[] | null {
  const openings = longest(part) < tellingLength ? null : prefixesOf(part, [5, 4]);
  return openings?.every(({ length }) => length >= tellingLength) ? openings : null;
}

/** The most units that a match can take. */
function longest(part: Part): number {
  switch (part.kind) {
    case "nothing":
    case "word start":
      return 0;
    case "vague":
    case "characters":
      return 2;
    case "sequence":
      return part.parts.reduce((sum, each) => sum + longest(each), 0);
    case "choice":
      return Math.max(...part.options.map(longest));
    case "repeat":
      break;
  }
  // Nothing without end is nothing, and not a number.
  return part.most * longest(part.part) || 0;
}

/** No symbol has this name. */
export const wordStart = "^";
const maxOpenings = 400;
const tellingLength = 3;
const maxSymbolsInOnePlace = 8;

/** Null: too many. */
function prefixesOfLength(pattern: Part, length: number): Set<string> | null {
  const ended = new Set<string>();
  let isTooMany = false;

  /** What the open ones become after this part of the pattern. Those that are long enough, or grow vague, end. */
  function follow(part: Part, open: ReadonlySet<string>): ReadonlySet<string> {
    isTooMany ||= open.size + ended.size > maxOpenings;
    if (open.size === 0 || isTooMany) return open;
    const next = new Set<string>();
    switch (part.kind) {
      case "nothing":
        return open;
      case "word start":
        for (const opening of open) next.add(opening === "" ? wordStart : opening);
        return next;
      case "vague":
        for (const opening of open) ended.add(opening);
        return next;
      case "characters": {
        const symbols = new Set(part.codes.filter(isOneUnit).map(symbolName));
        if (symbols.size > maxSymbolsInOnePlace) return follow({ kind: "vague" }, open);
        const long = new Set(part.codes.filter((code) => !isOneUnit(code)).map(symbolName));
        for (const opening of open) {
          const isLast = opening.length + 1 >= length;
          for (const symbol of symbols) (isLast ? ended : next).add(opening + symbol);
          // Its second unit is not what the pattern goes on with.
          for (const symbol of long) ended.add(opening + symbol);
        }
        return next;
      }
      case "sequence":
        return part.parts.reduce((reached, each) => follow(each, reached), open);
      case "choice":
        for (const option of part.options) for (const opening of follow(option, open)) next.add(opening);
        return next;
      case "repeat":
        break;
    }
    if (part.least === 0) for (const opening of open) next.add(opening);
    // A round lengthens every opening or can be left out: one round more than their length shows all there are.
    const rounds = Math.min(part.most, length + 1);
    let reached = open;
    for (let round = 1; round <= rounds; round += 1) {
      reached = follow(part.part, reached);
      if (round >= part.least || round === rounds) for (const opening of reached) next.add(opening);
    }
    return next;
  }

  const open = follow(pattern, new Set([""]));
  return isTooMany || open.size + ended.size > maxOpenings ? null : new Set([...ended, ...open]);
}

function isOneUnit(code: number): boolean {
  return code <= 0xffff;
}

/** A border of words before anything but a letter or a figure is where a word ends. */
function withoutWordEnd(opening: string): string {
  return /^\^[^a-z0]/.test(opening) ? opening.slice(1) : opening;
}
