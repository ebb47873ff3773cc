import type { PlanarFormat } from "../evidence.ts";
import { leastContrast } from "./text-contrast.ts";
import { figuresIn, isClock, shapeOf } from "./replaced-lines.ts";
import { tellsApart } from "./text-edits.ts";
import { type Extent, extentOf, overlapOf, unitedExtent } from "./text-extent.ts";
import { isPartOf, similarityOf } from "./text-similarity.ts";
import { leavingSeconds } from "./text-ticker.ts";
import { isMoving, type Track } from "./text-track.ts";

/** A line of text that has come and gone, in pixels and seconds. */
export type SuperLine = {
  text: string;
  confidence: number;
  startSeconds: number;
  endSeconds: number;
  /** Of a capital. */
  height: number;
  contrast: number | null;
  extent: Extent;
  isMoving: boolean;
  /** How it moves, and where it was at what time: lines that scroll together keep their distance. */
  motion: { velocity: { x: number; y: number }; seconds: number; top: number };
  /** It took the place of another line, or another took its place: then it is not the same as that one. */
  isReplacing?: boolean;
  isReplaced?: boolean;
  /** Figures that run on. */
  isClock?: boolean;
};

/** Where capitals cannot be told: the box of a line is about so much higher than they are. */
const capitalOfBox = 0.55;

/** Null: what was read is too little or too unsure to be text. What is still there has no end. */
export function lineOf(track: Track, format: PlanarFormat): SuperLine | null {
  const { reading } = track;
  if (!isText(reading)) return null;
  const box = extentOf(reading.box);
  const frameSeconds = 1 / (format.framesPerSecond ?? 25);
  // The true first frame is one of those between the two that were looked at.
  const between = (before: number, after: number) => (before + after + Math.min(frameSeconds, after - before)) / 2;
  const { beforeSeconds, firstSeconds, lastSeconds, goneSeconds } = track;
  const place = track.template?.extent ?? box;
  return {
    text: reading.text,
    confidence: reading.confidence,
    startSeconds: Math.max(0, beforeSeconds === null ? firstSeconds : between(beforeSeconds, firstSeconds)),
    endSeconds:
      goneSeconds === null ? Infinity : (leavingSeconds(track, format.width) ?? between(lastSeconds, goneSeconds)),
    height: track.height ?? capitalOfBox * (box.bottom - box.top),
    contrast: track.contrast === null ? null : leastContrast(track.contrast),
    extent: track.passed,
    isMoving: isMoving(track),
    motion: { velocity: track.velocity, seconds: lastSeconds, top: place.top + track.place.dy },
    isReplacing: track.since?.isReplacing ?? false,
    isReplaced: track.isReplaced,
    isClock: isClock(track),
  };
}

/** Texture is read as a letter or two now and then, or as the same few over and over. */
export function isText({ text, confidence }: { text: string; confidence: number }): boolean {
  const plain = text.replaceAll(/[^\p{L}\p{N}]/gu, "");
  const letters = plain.length;
  if (letters === 0 || (letters > 6 && new Set(plain).size < 3)) return false;
  if (letters === 1) return confidence >= 0.97;
  return letters > 3 || confidence >= 0.8;
}

/** The same text in the same place that was only lost for a moment is one. */
export function bridgeLines(lines: SuperLine[]): SuperLine[] {
  const bridged: SuperLine[] = [];
  for (const line of uniteCounters(lines.toSorted((a, b) => a.startSeconds - b.startSeconds))) {
    const index = bridged.findLastIndex((earlier) => isSameLine(earlier, line));
    const earlier = bridged[index];
    if (earlier === undefined) bridged.push(line);
    else bridged[index] = unite(earlier, line);
  }
  return bridged;
}

const longestGapSeconds = 1;
/** So long at most a line takes that slides in, flies in or is written on. */
const slideSeconds = 0.6;
/** Of the letters of a crawl: so many at most are there when it is first read. */
const crawlShare = 0.3;
/** Figures that stand for less than this are counted, not read. */
const counterSeconds = 1.2;

/** Whether one line goes on in another that comes at the same place later, or is there at the same time. */
export function isSameLine(earlier: SuperLine, line: SuperLine): boolean {
  if (line.startSeconds - earlier.endSeconds > longestGapSeconds) return false;
  if (earlier.isReplaced === true || line.isReplacing === true) return false;
  if (isOtherRow(earlier, line)) return false;
  if (isComingIn(earlier, line) || areOneCrawl(earlier, line)) return true;
  const isTogether = line.startSeconds < earlier.endSeconds - 0.1;
  if (overlapOf(earlier.extent, line.extent) < 0.4 && !(earlier.isMoving || line.isMoving)) return false;
  if (isTogether && overlapOf(earlier.extent, line.extent) < 0.6) return false;
  if (isTogether && (isPartOf(line.text, earlier.text) || isPartOf(earlier.text, line.text))) return true;
  if (isTogether) return similarityOf(earlier.text, line.text) >= 0.6;
  return similarityOf(earlier.text, line.text) >= 0.8 && !tellsApart(earlier, line);
}

/** The first of a line that slides into the picture is read before the rest has come. */
function isComingIn(earlier: SuperLine, line: SuperLine): boolean {
  if (earlier.endSeconds - earlier.startSeconds > slideSeconds) return false;
  if (line.startSeconds - earlier.endSeconds > slideSeconds / 2 || earlier.text.length >= line.text.length)
    return false;
  const isInRow = overlapOf(rowOf(earlier), rowOf(line)) >= 0.7 && earlier.height < 1.3 * line.height;
  return isInRow && line.text.replaceAll(" ", "").includes(earlier.text.replaceAll(" ", ""));
}

/** The first letters of a crawl are read as a line of their own, which then runs along with the rest. */
function areOneCrawl(one: SuperLine, other: SuperLine): boolean {
  const [short, long] = one.text.length < other.text.length ? [one, other] : [other, one];
  if (!short.isMoving || !long.isMoving || short.text.length > crawlShare * long.text.length) return false;
  // So few letters are lost at the edge, and their own speed with them: that of the rest tells.
  const { velocity } = long.motion;
  return (
    Math.abs(velocity.x) > 2 * Math.abs(velocity.y) &&
    Math.abs(one.startSeconds - other.startSeconds) <= slideSeconds &&
    overlapOf(rowOf(one), rowOf(other)) >= 0.7
  );
}

function rowOf({ extent }: SuperLine): Extent {
  return { ...extent, left: 0, right: 1 };
}

/** All lines of a roll pass through the same places, one after the other, and names in it are alike. */
function isOtherRow(earlier: SuperLine, line: SuperLine): boolean {
  if (!scrolls(earlier) || !scrolls(line)) return false;
  return Math.abs(rowsBetween(earlier, line)) > 0.6 * Math.min(earlier.height, line.height);
}

/** Whether it moves up or down the picture. */
export function scrolls({ isMoving, motion: { velocity } }: SuperLine): boolean {
  return isMoving && Math.abs(velocity.y) > Math.abs(velocity.x);
}

/** How far below one line another is in a roll, in pixels: both are taken to where they were at the same time. */
export function rowsBetween({ motion: upper }: SuperLine, { motion: lower }: SuperLine): number {
  const velocity = (upper.velocity.y + lower.velocity.y) / 2;
  return lower.top + velocity * (upper.seconds - lower.seconds) - upper.top;
}

/** Two figures in a row may be two prices; so many that follow each other quickly are a clock. */
const leastCounted = 3;

/** A clock or time code, the same but for its figures, is one line. `lines` in order of their start. */
function uniteCounters(lines: SuperLine[]): SuperLine[] {
  const chains: SuperLine[][] = [];
  for (const line of lines) {
    const chain = chains.findLast((others) => isCounter(others.at(-1), line));
    if (chain === undefined) chains.push([line]);
    else chain.push(line);
  }
  return chains
    .flatMap((chain) => (chain.length < leastCounted ? chain : [chain.reduce(unite)]))
    .toSorted((a, b) => a.startSeconds - b.startSeconds);
}

function isCounter(earlier: SuperLine | undefined, line: SuperLine): boolean {
  if (earlier === undefined || line.startSeconds - earlier.endSeconds > longestGapSeconds) return false;
  return (
    figuresIn(line.text) >= 4 &&
    (line.endSeconds - line.startSeconds < counterSeconds || line.isClock === true) &&
    overlapOf(earlier.extent, line.extent) >= 0.7 &&
    shapeOf(earlier.text) === shapeOf(line.text)
  );
}

function unite(earlier: SuperLine, line: SuperLine): SuperLine {
  const isPart = earlier.text.length > 1.15 * line.text.length;
  const isWhole = line.text.length > 1.15 * earlier.text.length;
  const better = isPart || (!isWhole && earlier.confidence >= line.confidence) ? earlier : line;
  // What was first read as a part of the line says nothing of what is behind the whole.
  const parts = isPart || isWhole ? [better.contrast] : [earlier.contrast, line.contrast];
  const contrasts = parts.filter((value) => value !== null);
  return {
    ...better,
    startSeconds: Math.min(earlier.startSeconds, line.startSeconds),
    endSeconds: Math.max(earlier.endSeconds, line.endSeconds),
    contrast: contrasts.length === 0 ? null : Math.min(...contrasts),
    extent: unitedExtent(earlier.extent, line.extent),
    isMoving: earlier.isMoving || line.isMoving,
  };
}
