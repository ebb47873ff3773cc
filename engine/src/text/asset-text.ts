import type { Cue, DocumentPage, Evidence, Super } from "../evidence/evidence.ts";
import type { Location } from "../finding.ts";

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

type Part = Omit<TextPiece, "start" | "end"> & { text: string };

export function assetText(evidence: Evidence): AssetText {
  const tracks: TextTrack[] = [];
  const add = (source: TextSource, parts: Part[], joint: string) => {
    const track = joinParts(source, parts, joint);
    if (track.text !== "") tracks.push(track);
  };
  // A sentence never runs from one super into the next, but may run from one breath into the next.
  add("screen", (evidence.supers?.supers ?? []).map(partOfSuper), "\n");
  const heard = (evidence.speech?.segments ?? []).filter(({ isDoubtful }) => !isDoubtful);
  if ((evidence.speech?.notJudged ?? null) === null) add("speech", heard.map(partOfSpan), " ");
  for (const { cues } of evidence.captions?.tracks ?? []) add("caption", cues.map(partOfSpan), " ");
  const { document } = evidence;
  const cues = document?.cues ?? null;
  if (cues !== null) add("caption", cues.map(partOfSpan), " ");
  else tracks.push(...(document?.pages ?? []).map(trackOfPage).filter(({ text }) => text !== ""));
  return { tracks };
}

/** Where the characters from `start` to `end` of a track are seen or heard, with the words themselves. */
export function locate(track: TextTrack, start: number, end: number): Partial<Location> {
  const pieces = piecesOf(track, start, end);
  const first = pieces[0];
  const quote = track.text.slice(start, end).replaceAll(/\s+/g, " ").trim();
  // Between two blocks of a page: at least the page is known.
  if (first === undefined) return { page: track.pieces[0]?.at.page ?? null, quote };
  const ends = pieces.flatMap(({ at }) => (typeof at.endSeconds === "number" ? [at.endSeconds] : []));
  return {
    ...first.at,
    ...(ends.length > 0 ? { endSeconds: Math.max(...ends) } : {}),
    quote,
  };
}

export function piecesOf(track: TextTrack, start: number, end: number): TextPiece[] {
  return track.pieces.filter((piece) => piece.start < end && piece.end > start);
}

/** The whole sentence around a match, or a readable part of it: what a person wants to see quoted. */
export function sentenceAround(track: TextTrack, start: number, end: number): string {
  const before = track.text.slice(Math.max(0, start - 120), start);
  const after = track.text.slice(end, end + 120);
  const head = before.slice(before.lastIndexOf("\n") + 1);
  const tail = /^[^\n]*?(?:[.!?](?=\s|["')\]]|$)|(?=\n)|$)/u.exec(after)?.[0] ?? after;
  return `${lastSentence(head)}${track.text.slice(start, end)}${tail}`.replaceAll(/\s+/g, " ").trim();
}

function lastSentence(text: string): string {
  const stop = text.search(/[.!?]["')\]]?\s+(?!.*[.!?]["')\]]?\s)/su);
  return stop < 0 ? text : text.slice(stop).replace(/^[.!?]["')\]]?\s+/u, "");
}

/** The same words in one spelling: quotes, dashes and spaces of all kinds become the plain ones. */
export function plainText(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[\u2018\u2019\u201B\u02BC\u2032`\u00B4]/gu, "'")
    .replaceAll(/[\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB]/gu, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/gu, "-")
    .replaceAll(/[\u00AD\u200B-\u200F\u2060\uFEFF]/gu, "")
    .replaceAll(/[^\S\n]+/gu, " ");
}

function joinParts(source: TextSource, parts: Part[], joint: string): TextTrack {
  let text = "";
  const pieces: TextPiece[] = [];
  for (const { text: raw, ...rest } of parts) {
    const words = plainText(raw).trim();
    if (words === "") continue;
    if (text !== "") text += joint;
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
