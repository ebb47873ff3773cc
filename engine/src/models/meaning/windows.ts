import type { AssetText, TextTrack } from "../../text/asset-text.ts";
import { type Word, wordsOf } from "./word-features.ts";

/** A stretch of text that is judged as one: long enough to hold a claim and what qualifies it. */
export type Window = {
  words: readonly Word[];
  track: TextTrack;
  start: number;
  end: number;
  /** The words of its own track: places of words elsewhere mean nothing here. */
  own: readonly Word[];
};

/** An advertisement of this length is one message, its small print included. */
const maxWordsOfWhole = 160;
const windowWords = 80;
const stepWords = 60;

/** A short asset is one window, whatever is said and whatever is shown; a long one is cut into overlapping windows. */
export function windowsOf(text: AssetText): readonly Window[] {
  const before = known.get(text);
  if (before !== undefined) return before;
  // A counter or a price alone says nothing that a head has learned.
  const hasWords = text.tracks.some((track) => /[A-Za-z]{2}/.test(track.text) || /\p{L}{2}/u.test(track.text));
  const windows = hasWords ? cutIntoWindows(text) : [];
  known.set(text, windows);
  return windows;
}

/** The same text is judged for many markets. */
const known = new WeakMap<AssetText, readonly Window[]>();

function cutIntoWindows({ tracks }: AssetText): Window[] {
  const read = tracks.map((track) => ({ track, words: wordsOf(track.text) })).filter(({ words }) => words.length > 0);
  const [first] = read;
  if (first === undefined) return [];
  const count = read.reduce((sum, { words }) => sum + words.length, 0);
  if (count <= maxWordsOfWhole) {
    // The place is that of the longest part: a finding points there.
    const longest = read.reduce((best, each) => (each.words.length > best.words.length ? each : best), first);
    return [{ ...placeOf(longest.track), words: read.flatMap(({ words }) => words), own: longest.words }];
  }
  return read.flatMap(({ track, words }) => cut(track, words));
}

function placeOf(track: TextTrack): Pick<Window, "track" | "start" | "end"> {
  return { track, start: 0, end: track.text.length };
}

function cut(track: TextTrack, words: readonly Word[]): Window[] {
  if (words.length <= windowWords) return [{ ...placeOf(track), words, own: words }];
  const windows: Window[] = [];
  for (let first = 0; first < words.length; first += stepWords) {
    const part = words.slice(first, first + windowWords);
    const [start, end] = [part[0]?.start ?? 0, part.at(-1)?.end ?? 0];
    windows.push({ words: part, own: part, track, start, end });
    if (first + windowWords >= words.length) break;
  }
  return windows;
}
