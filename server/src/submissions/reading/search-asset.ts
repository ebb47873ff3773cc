import type { Cue, Region, SpeechSegment } from "@greenlit/engine/evidence/evidence.ts";
import type { Measurements } from "@greenlit/engine/measurements.ts";
import type { App } from "../../app.ts";
import type { AssetIds } from "./read-asset.ts";
import { readStored } from "./read-measurements.ts";

export const searchSources = ["screen", "speech", "caption", "document"] as const;

export type SearchHit = {
  source: (typeof searchSources)[number];
  text: string;
  startSeconds: number | null;
  endSeconds: number | null;
  page: number | null;
  region: Region | null;
};

/** Where the words are seen, said or written, in the order of time or pages. No words: all there is to read. */
export async function searchAsset(
  app: App,
  options: AssetIds & { words: string; skip: number; limit: number },
): Promise<{ hits: SearchHit[]; hasMore: boolean }> {
  const stored = await readStored(app, options, ["supers", "speech", "captions", "pages"]);
  const wanted = fold(options.words);
  // Only signs, like "…": the words of nothing.
  if (wanted === "" && options.words.trim() !== "") return { hits: [], hasMore: false };
  const hits = passages(stored)
    .flatMap((passage) => find(passage, wanted))
    .toSorted((a, b) => (a.startSeconds ?? 0) - (b.startSeconds ?? 0) || (a.page ?? 0) - (b.page ?? 0));
  const end = options.skip + options.limit;
  return { hits: hits.slice(options.skip, end), hasMore: hits.length > end };
}

/** Pieces of text of which a phrase may begin in one and end in the next. */
type Passage = SearchHit[];

function passages(stored: Pick<Measurements, "supers" | "speech" | "captions" | "pages">): Passage[] {
  const nowhere = { startSeconds: null, endSeconds: null, page: null, region: null };
  const timed =
    (source: SearchHit["source"]) =>
    ({ text, startSeconds, endSeconds }: Cue | SpeechSegment): SearchHit => ({
      ...nowhere,
      source,
      text: text.replaceAll(/\s+/g, " "),
      startSeconds,
      endSeconds,
    });
  // A caption file is cues and, without their times, a document as well.
  const pages = stored.captions === null ? (stored.pages ?? []) : [];
  return [
    ...(stored.supers ?? []).map(({ text, startSeconds, endSeconds, region }) => [
      { ...nowhere, source: "screen" as const, text, startSeconds, endSeconds, region },
    ]),
    (stored.speech?.segments ?? []).map(timed("speech")),
    ...(stored.captions ?? []).map(({ cues }) => cues.map(timed("caption"))),
    ...pages.map(({ page, text }) => {
      const lines = text.split("\n").filter((line) => line.trim() !== "");
      return lines.map((line) => ({ ...nowhere, source: "document" as const, text: line.trim(), page }));
    }),
  ];
}

function find(passage: Passage, wanted: string): SearchHit[] {
  const folded = passage.map(({ text }) => fold(text));
  if (wanted !== "" && !folded.join(" ").includes(wanted)) return [];
  return passage.flatMap((piece, index) => {
    const [here = "", after = ""] = [folded[index], folded[index + 1]];
    if (here.includes(wanted)) return [piece];
    const next = passage[index + 1];
    const isSplit = next !== undefined && !after.includes(wanted) && `${here} ${after}`.includes(wanted);
    return isSplit ? [{ ...piece, text: `${piece.text} ${next.text}`, endSeconds: next.endSeconds }] : [];
  });
}

/** Without case, accents, signs and line breaks, none of which a reader of screens or a listener gets right for sure. */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
