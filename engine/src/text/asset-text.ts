import { isAscii } from "./ascii.ts";
import type { Cue, DocumentPage, Evidence, Super } from "../evidence/evidence.ts";
import type { Location } from "../finding.ts";
import { rowsOfCards } from "./running-captions.ts";

export type TextSource = "screen" | "speech" | "caption" | "document";

/** All words of an asset, as tracks that can each be searched in one go. */
export type AssetText = { tracks: TextTrack[] };

/**
 * One run of text: all supers, all speech, one caption stream, or one page. A phrase may cross lines and segments, so
 * they are joined; `pieces` tell where each part stands.
 */
export type TextTrack = { source: TextSource; text: string; pieces: TextPiece[] };

export type TextPiece = {
  start: number;
  end: number;
  at: Partial<Location>;
  super: Super | null;
};

/** What stands between two parts. */
type Joint = string | ((before: Part, after: Part) => string);

type Part = Omit<TextPiece, "start" | "end"> & { text: string };

export function assetText(evidence: Evidence): AssetText {
  const tracks: TextTrack[] = [];
  const add = (source: TextSource, parts: Part[], joint: Joint) => {
    const track = joinParts(source, parts, joint);
    if (track.text !== "") tracks.push(track);
  };
  // A sentence runs from one super into the next only where cards follow each other, but may run from one breath into
  // the next.
  const rows = rowsOfCards(evidence.supers?.supers ?? []);
  const later = new Set(rows.flatMap((cards) => cards.slice(1)));
  const cardJoint = (_: Part, { super: card }: Part) => (card !== null && later.has(card) ? " " : "\n");
  add("screen", rows.flat().map(partOfSuper), cardJoint);
  // Doubtful words are searched too: a claim that may have been said is for a person to listen to.
  add("speech", (evidence.speech?.segments ?? []).map(partOfSpan), pauseJoint);
  for (const { cues } of evidence.captions?.tracks ?? []) add("caption", cues.map(partOfSpan), pauseJoint);
  const { document } = evidence;
  const cues = document?.cues ?? null;
  if (cues !== null) add("caption", cues.map(partOfSpan), pauseJoint);
  else tracks.push(...(document?.pages ?? []).map(trackOfPage).filter(({ text }) => text !== ""));
  return { tracks };
}

/** Where the characters from `start` to `end` of a track are seen or heard, with the words themselves. */
export function locate(track: TextTrack, start: number, end: number): Partial<Location> {
  const pieces = piecesOf(track, start, end);
  const first = pieces[0];
  const quote = quoteOf(track, { start, end, pieces });
  // Between two blocks of a page: at least the page is known.
  if (first === undefined) return { page: track.pieces[0]?.at.page ?? null, quote };
  const ends = pieces.flatMap(({ at }) => (typeof at.endSeconds === "number" ? [at.endSeconds] : []));
  return {
    ...first.at,
    ...(ends.length > 0 ? { endSeconds: Math.max(...ends) } : {}),
    quote,
  };
}

/** Two captions are two texts, though a phrase may run from one into the next. */
function quoteOf(
  track: TextTrack,
  { start, end, pieces }: { start: number; end: number; pieces: readonly TextPiece[] },
): string {
  const tidy = (from: number, to: number) => track.text.slice(from, to).replaceAll(/\s+/g, " ").trim();
  if (track.source !== "caption" || pieces.length < 2) return tidy(start, end);
  return pieces.map((piece) => tidy(Math.max(start, piece.start), Math.min(end, piece.end))).join(" / ");
}

export function piecesOf(track: TextTrack, start: number, end: number): TextPiece[] {
  return track.pieces.filter((piece) => piece.start < end && piece.end > start);
}

/** The whole sentence around a match, or a readable part of it: what a person wants to see quoted. */
export function sentenceAround(track: TextTrack, start: number, end: number): string {
  // Two captions are two texts: only those that the match itself stands in are quoted.
  const own = track.source === "caption" ? piecesOf(track, start, end) : [];
  const [first, last] = [own[0], own.at(-1)];
  const before = track.text.slice(Math.max(0, start - 120, first?.start ?? 0), start);
  const after = track.text.slice(end, Math.min(end + 120, last?.end ?? Infinity));
  const head = before.slice(before.lastIndexOf("\n") + 1);
  const tail = /^[^\n]*?(?:[.!?](?=\s|["')\]]|$)|(?=\n)|$)/u.exec(after)?.[0] ?? after;
  const match = own.length > 1 ? quoteOf(track, { start, end, pieces: own }) : track.text.slice(start, end);
  return `${lastSentence(head)}${match}${tail}`.replaceAll(/\s+/g, " ").trim();
}

function lastSentence(text: string): string {
  const stop = text.search(/[.!?]["')\]]?\s+(?!.*[.!?]["')\]]?\s)/su);
  return stop < 0 ? text : text.slice(stop).replace(/^[.!?]["')\]]?\s+/u, "");
}

/** The same words in one spelling: quotes, dashes and spaces of all kinds become the plain ones. */
export function plainText(text: string): string {
  if (isAscii(text)) return plainAscii(text);
  return (
    text
      .normalize("NFKC")
      .replaceAll(/[\p{L}\p{M}]+/gu, unmask)
      // Letters that stand apart or one below the other are one word to people.
      .replaceAll(/(?<![\p{L}\p{N}'’.&])\p{L}(?:[^\S\n]?[ \t\n]\p{L}(?![\p{L}\p{N}'’.&])){3,}/gu, (word) =>
        word.replaceAll(/\s+/gu, ""),
      )
      // What is written from right to left by command is read backwards by people.
      .replaceAll(/\u202E([^\u202C\n]*)\u202C?/gu, (_, turned: string) => Array.from(turned).toReversed().join(""))
      .replaceAll(/[\u2018\u2019\u201B\u02BC\u2032`\u00B4]/gu, "'")
      .replaceAll(/[\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB]/gu, '"')
      .replaceAll(/[\u2010-\u2015\u2212]/gu, "-")
      .replaceAll(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu, "")
      .replaceAll(/[^\S\n]+/gu, " ")
  );
}

/** What the same steps come to where there is nothing but ASCII. */
function plainAscii(text: string): string {
  return text
    .replaceAll(/(?<![A-Za-z0-9'.&])[A-Za-z](?:[^\S\n]?[ \t\n][A-Za-z](?![A-Za-z0-9'.&])){3,}/g, (word) =>
      word.replaceAll(/\s+/g, ""),
    )
    .replaceAll("`", "'")
    .replaceAll(/[^\S\n]+/g, " ");
}

/** Letters of other scripts that look like Latin ones, and these. */
const masks = new Map(
  Array.from("асеорхуіјѕԁԛԝАВСЕНІЈКМОРЅТХУΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανρυ", (letter, index) => [
    letter,
    "aceopxyijsdqwABCEHIJKMOPSTXYABEZHIKMNOPTYXoavpu"[index] ?? letter,
  ]),
);

/** A word of Latin letters and others that look like them is read as Latin by people. */
function unmask(word: string): string {
  if (!/\p{Script=Latin}/u.test(word) || !/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word)) return word;
  return Array.from(word, (letter) => masks.get(letter) ?? letter).join("");
}

/** Longer pauses part two sentences, whatever is said. */
const longestPauseSeconds = 1.5;

/** Words with a long pause between them are no phrase: a stop keeps patterns from crossing it. */
function pauseJoint(before: Part, after: Part): string {
  const pause = (after.at.startSeconds ?? 0) - (before.at.endSeconds ?? 0);
  if (pause <= longestPauseSeconds) return " ";
  return /[.!?…]$/u.test(before.text.trim()) ? "\n" : ".\n";
}

function joinParts(source: TextSource, parts: Part[], joint: Joint): TextTrack {
  let text = "";
  const pieces: TextPiece[] = [];
  let before: Part | undefined;
  for (const part of parts) {
    const { text: raw, ...rest } = part;
    const words = plainText(raw).trim();
    if (words === "") continue;
    if (before !== undefined) text += typeof joint === "string" ? joint : joint(before, part);
    before = part;
    pieces.push({ start: text.length, end: text.length + words.length, ...rest });
    text += words;
  }
  return { source, text, pieces };
}

function partOfSuper(line: Super): Part {
  const { startSeconds, endSeconds, region } = line;
  return { text: line.text, at: { startSeconds, endSeconds, region }, super: line };
}

function partOfSpan({ text, startSeconds, endSeconds }: Pick<Cue, "text" | "startSeconds" | "endSeconds">): Part {
  return { text, at: { startSeconds, endSeconds }, super: null };
}

/** A page's text is what a reader sees, in order; its blocks (without comments and deleted text) tell where. */
function trackOfPage({ page, text: raw, blocks }: DocumentPage): TextTrack {
  const text = plainText(raw);
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const block of blocks) {
    const words = plainText(block.text).trim();
    const start = words === "" ? -1 : text.indexOf(words, from);
    if (start < 0) continue;
    from = start + words.length;
    pieces.push({ start, end: from, at: { page, region: block.region }, super: null });
  }
  if (pieces.length === 0) pieces.push({ start: 0, end: text.length, at: { page }, super: null });
  return { source: "document", text, pieces };
}
