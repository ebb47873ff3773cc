import { distanceToMask } from "./mask-distance.ts";

/** Letters that are drawn with an edge of their own, mostly white ones with a black edge, so that they stand out from any picture. */
export type Outlined = {
  /** 1: inside of a letter, without its edge. */
  mask: Uint8Array;
  coverage: Uint8Array;
  /** 1: its edge. */
  edge: Uint8Array;
  /** How much of what surrounds the letters is their edge, 0 to 1. */
  share: number;
};

type Line = { width: number; height: number; levels: Uint8Array };

/** What letters and their edge would be, and their levels of brightness. */
type Guess = {
  fill: Uint8Array;
  inside: number;
  edge: number;
  /** The edge differs from what is behind it in colour: how dark or bright that is says nothing then. */
  isApart?: boolean;
};

/** Levels of 255 between letters and their edge. */
const leastStep = 70;
/** Of the pixels around the letters: what has the level of the edge when there is one, and how many beyond it may. */
const leastShare = 0.7;
const maxBeyond = 0.6;
/** Of the step between the two: what still counts as the edge. */
const likeEdge = 0.35;
/** What shows its colour: the rest is mixed with the letters or with what is behind. */
const pureEdge = 0.12;
const leastPure = 0.5;
/** Pixels from the letters: where the edge is, and where it is over. */
const ring = { from: 1, to: 2 };
const beyond = { from: 5, to: 7 };
const leastPixels = 40;
/** Of the edges' pixels: what thin letters have inside. */
const leastEnclosed = 0.12;
/** Of the columns that the edges take: what the letters inside them take. The holes of plain letters are in some of them only. */
const leastSpread = 0.5;
/** Levels by which the inside of hollow letters stands out more than what is around them. */
const leastHollow = 25;

/**
 * The mask of a line with outlined letters may hold letters and edges, only edges, or only letters: it depends on what is
 * behind them. Null: they have no edge.
 */
export function findOutline(line: Line, mask: Uint8Array): Outlined | null {
  // Hollow letters last: the holes in plain ones are hollow too.
  for (const makeGuess of [guessBoth, guessLetters, guessHollow]) {
    const guess = makeGuess(line, mask);
    const outlined = guess === null ? null : verify(line, guess);
    if (outlined !== null) return outlined;
  }
  return null;
}

/** The mask holds both: those of its pixels that touch the outside are the edge. */
function guessBoth(line: Line, mask: Uint8Array): Guess | null {
  const { width, levels } = line;
  const masked = pixelsOf(mask);
  const middle = (quantile(masked, levels, 0.05) + quantile(masked, levels, 0.95)) / 2;
  const isOuter = (at: number) =>
    mask[at - 1] !== 1 || mask[at + 1] !== 1 || mask[at - width] !== 1 || mask[at + width] !== 1;
  const outer = masked.filter(isOuter);
  const brightOuter = outer.filter((at) => (levels[at] as number) > middle).length;
  const isEdgeBright = brightOuter > outer.length / 2;
  const isEdge = (at: number) => (levels[at] as number) > middle === isEdgeBright;
  const fill = new Uint8Array(mask.length);
  for (const at of masked) if (!isEdge(at)) fill[at] = 1;
  const edge = masked.filter(isEdge);
  const guess = guessOf(line, { fill, edge });
  if (guess === null) return null;
  const isPure = (at: number) =>
    Math.abs((levels[at] as number) - guess.edge) < pureEdge * Math.abs(guess.inside - guess.edge);
  // The soft edges of plain letters have every level between the letters and what is behind them.
  return { ...guess, isApart: edge.filter(isPure).length >= leastPure * edge.length };
}

/** The mask holds the edges: the letters are what they enclose. */
function guessHollow(line: Line, mask: Uint8Array): Guess | null {
  const { levels } = line;
  const masked = pixelsOf(mask);
  const { enclosed, outside } = partsBetween(line, mask);
  const within = enclosed.flat();
  if (within.length < leastEnclosed * masked.length || outside.length === 0) return null;
  const isBright = quantile(within, levels, 0.5) > quantile(masked, levels, 0.5);
  const groundAt = groundAlong(line, outside);
  const parts = enclosed.map((pixels) => {
    const ground = groundAt((pixels[0] ?? 0) % line.width);
    // Thin letters are mixed with their edge nearly all over: only the purest of them counts.
    const level = quantile(pixels, levels, isBright ? 0.8 : 0.2);
    return { pixels, ground, level, isClear: (level - ground) * (isBright ? 1 : -1) >= leastHollow };
  });
  const clear = parts.flatMap(({ isClear, pixels }) => (isClear ? pixels : []));
  // The holes of plain letters look like what is around them.
  if (clear.length < within.length / 2) return null;
  const inside = quantile(clear, levels, isBright ? 0.8 : 0.2);
  const fill = new Uint8Array(mask.length);
  for (const { pixels, level, ground } of parts) {
    if (Math.abs(level - inside) <= Math.abs(level - ground)) for (const at of pixels) fill[at] = 1;
  }
  const isSpread = columnsOf(pixelsOf(fill), line) >= leastSpread * columnsOf(masked, line);
  return isSpread ? guessOf(line, { fill, edge: masked }) : null;
}

function columnsOf(pixels: number[], { width }: Line): number {
  return new Set(pixels.map((at) => at % width)).size;
}

/** What is behind the letters, by column: the mean of what is around there. */
export function groundAlong({ width, height, levels }: Line, outside: number[]): (column: number) => number {
  const sums = new Float64Array(width);
  const counts = new Uint32Array(width);
  for (const at of outside) {
    sums[at % width] = (sums[at % width] as number) + (levels[at] as number);
    counts[at % width] = (counts[at % width] as number) + 1;
  }
  const total = (values: Float64Array | Uint32Array, from: number, to: number) => {
    let sum = 0;
    for (let column = Math.max(0, from); column < Math.min(width, to); column += 1) sum += values[column] as number;
    return sum;
  };
  return (column) => {
    const [from, to] = [column - height, column + height];
    return total(sums, from, to) / Math.max(1, total(counts, from, to));
  };
}

/** The mask holds the letters: the edge is what is next to them. */
function guessLetters(line: Line, mask: Uint8Array): Guess | null {
  const distance = distanceToMask({ ...line, mask }, ring.to + 1);
  return guessOf(line, {
    fill: mask,
    edge: pixelsOf(distance.map((away) => (away >= ring.from && away <= ring.to ? 1 : 0))),
  });
}

function guessOf({ levels }: Line, { fill, edge }: { fill: Uint8Array; edge: number[] }): Guess | null {
  const letters = pixelsOf(fill);
  if (letters.length < leastPixels || edge.length < leastPixels) return null;
  const inside = quantile(letters, levels, 0.5);
  // The purest of it: thin edges are mixed with what is on both their sides.
  const isDark = quantile(edge, levels, 0.5) < inside;
  const level = quantile(edge, levels, isDark ? 0.15 : 0.85);
  return Math.abs(inside - level) < leastStep ? null : { fill, inside, edge: level };
}

function verify(line: Line, { fill, inside, edge, isApart = false }: Guess): Outlined | null {
  const { levels } = line;
  const distance = distanceToMask({ ...line, mask: fill }, beyond.to + 1);
  const step = inside - edge;
  const isLikeEdge = (at: number, least = likeEdge) => ((levels[at] as number) - edge) / step < least;
  const counts = new Uint32Array(beyond.to + 2);
  const likes = new Uint32Array(beyond.to + 2);
  for (let at = 0; at < levels.length; at += 1) {
    const away = distance[at] as number;
    counts[away] = (counts[away] as number) + 1;
    if (isLikeEdge(at)) likes[away] = (likes[away] as number) + 1;
  }
  const shareOf = (from: number, to: number) => {
    const sum = (values: Uint32Array) => values.subarray(from, to + 1).reduce((total, value) => total + value, 0);
    return sum(likes) / Math.max(1, sum(counts));
  };
  // Thin edges are at their purest right beside the letters, wide ones a pixel further on.
  const share = Math.max(shareOf(1, 1), shareOf(2, 2));
  if (share < leastShare) return null;
  if (!isApart && shareOf(beyond.from, beyond.to) > maxBeyond) return null;
  return {
    mask: fill,
    // Beyond the edge may be what is as bright as the letters.
    coverage: levels.map((level, at) =>
      (distance[at] as number) > 1 ? 0 : Math.min(255, Math.max(0, (255 * (level - edge)) / step)),
    ),
    edge: distance.map((away, at) => (away >= ring.from && away <= ring.to + 1 && isLikeEdge(at, pureEdge) ? 1 : 0)),
    share,
  };
}

/** What is not of the mask: the parts that it encloses, and what hangs together with the border of the line. */
function partsBetween({ width, height }: Line, mask: Uint8Array): { enclosed: number[][]; outside: number[] } {
  const isTaken = mask.slice();
  const enclosed: number[][] = [];
  const outside: number[] = [];
  const take = (at: number, part: number[]) => {
    if (isTaken[at] !== 0) return;
    isTaken[at] = 1;
    part.push(at);
  };
  for (let start = 0; start < mask.length; start += 1) {
    if (isTaken[start] === 1) continue;
    isTaken[start] = 1;
    const part = [start];
    let isOutside = false;
    for (let next = 0; next < part.length; next += 1) {
      const at = part[next] as number;
      const x = at % width;
      if (x === 0 || x === width - 1 || at < width || at >= width * (height - 1)) isOutside = true;
      // Not as a loop: it would make a list for every pixel.
      if (x > 0) take(at - 1, part);
      if (x < width - 1) take(at + 1, part);
      take(at - width, part);
      take(at + width, part);
    }
    if (isOutside) for (const at of part) outside.push(at);
    else enclosed.push(part);
  }
  return { enclosed, outside };
}

function pixelsOf(mask: Uint8Array): number[] {
  const pixels: number[] = [];
  for (let at = 0; at < mask.length; at += 1) if (mask[at] === 1) pixels.push(at);
  return pixels;
}

function quantile(pixels: number[], levels: Uint8Array, share: number): number {
  const counts = new Uint32Array(256);
  for (let index = 0; index < pixels.length; index += 1) {
    const level = levels[pixels[index] as number] as number;
    counts[level] = (counts[level] as number) + 1;
  }
  let left = share * (pixels.length - 1);
  for (let level = 0; level < counts.length; level += 1) {
    const count = counts[level] as number;
    if (left < count) return level;
    left -= count;
  }
  return 255;
}
