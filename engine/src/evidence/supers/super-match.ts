import type { Box, ReadLine } from "../../models/read-line.ts";
import { extentOf, overlapOf, overlapOfBoxes } from "./text-extent.ts";
import { beginTrack } from "./text-follow.ts";
import type { TextFrame } from "./text-frames.ts";
import { endReplaced, replacedAt } from "./text-change.ts";
import { tellsApart } from "./text-edits.ts";
import { isPartOf, joinOverlapping, similarityOf } from "./text-similarity.ts";
import { originOf } from "./text-template.ts";
import { isTicker } from "./text-ticker.ts";
import { isStill, strengthOf, type Tools, type Track } from "./text-track.ts";

/** Of the smaller of two boxes: the same place. */
const samePlace = 0.5;
const sameText = 0.6;
/** A line that has become this much longer has been written on. */
const grownBy = 1.15;
const letterWorth = 0.02;
/** Of its strength: what comes back comes back clearly. */
const leastStrength = 0.7;

/** What a reading says of the tracks that were known before: it goes on with one of them, or is a line of its own. */
export function matchReading(
  line: ReadLine,
  known: { tracks: Track[]; frame: TextFrame; tools: Tools },
): "known" | "new" {
  const { tracks, frame, tools } = known;
  // Most of a ticker is outside the picture: its row is its place.
  const rowOf = (box: Box) => ({ ...extentOf(box), left: 0, right: tools.format.width });
  const near = tracks
    .filter(({ isReplaced }) => !isReplaced)
    .map((track) => {
      const place = placeOf(track);
      const isInRow = isTicker(track);
      return {
        track,
        overlap: isInRow ? overlapOf(rowOf(place), rowOf(line.box)) : overlapOfBoxes(place, line.box),
      };
    })
    .filter(({ overlap }) => overlap >= samePlace)
    .toSorted((a, b) => b.overlap - a.overlap);
  for (const { track } of near) {
    if (isTicker(track)) {
      if (joinTicker(track, line, known)) return "known";
      continue;
    }
    const isSame = similarityOf(track.reading.text, line.text) >= sameText || isPartOf(line.text, track.reading.text);
    if (track.goneSeconds === null && track.template !== null) {
      const jump = track.jump !== null && tellsApart(track.reading, line) ? track.jump : null;
      const change = replacedAt(track.changes, track.reading, line) ?? jump;
      if (change !== null) {
        endReplaced(track, change);
        continue;
      }
      if (hasGrown(track, line)) adopt(track, beginTrack(line, frame, tools));
      else if (isSame) addReading(track, line);
      // Still there by its strokes: another guess at the same letters, or a line that crosses it.
      return "known";
    }
    const isPart = isPartOf(line.text, track.reading.text);
    if (!isSame || (!isPart && tellsApart(track.reading, line))) continue;
    // Letters that are still to be read while they fade are gone all the same.
    const fresh = beginTrack(line, frame, tools);
    if (hasComeBack(track, fresh)) adopt(track, fresh);
    return "known";
  }
  return "new";
}

/** Where the track is now. */
export function placeOf({ box, place }: Track): Box {
  const origin = originOf({ extent: extentOf(box) }, place);
  return box.map(({ x, y }) => ({ x: x * place.scale + origin.x, y: y * place.scale + origin.y })) as Box;
}

/**
 * Of two readings of the same letters the surer one stays, or the one with more of them: while text comes, readers are
 * sure of what there is. `bonus`: how much more a reading is worth than it says.
 */
export function addReading(track: Track, line: ReadLine, { bonus = 0 } = {}): void {
  const more = Math.max(-3, Math.min(3, lettersOf(line) - lettersOf(track.reading)));
  const signs = signsOf(line) - signsOf(track.reading);
  // The reader leaves signs of money out; it never makes one up.
  const isSameButForSigns = signs !== 0 && withoutSigns(line) === withoutSigns(track.reading);
  if (isSameButForSigns && signs < 0) return;
  if (!isSameButForSigns && line.confidence + bonus + letterWorth * more <= track.reading.confidence) return;
  track.reading = line;
  if (isStill(track)) track.box = line.box;
}

function lettersOf({ text }: ReadLine): number {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, "").length;
}

function signsOf({ text }: ReadLine): number {
  return text.match(/\p{Sc}/gu)?.length ?? 0;
}

function withoutSigns({ text }: ReadLine): string {
  return text.replaceAll(/[\p{Sc}\s]/gu, "");
}

function hasGrown({ reading }: Track, line: ReadLine): boolean {
  if (line.text.length < grownBy * reading.text.length || line.confidence < 0.8) return false;
  const shared = similarityOf(reading.text, line.text.slice(0, reading.text.length));
  return shared >= 0.8 || line.text.includes(reading.text);
}

function hasComeBack(track: Track, { template }: Track): boolean {
  if (template === null) return false;
  return strengthOf(track, { ink: template.inkLevel, ground: template.groundLevel }) >= leastStrength;
}

/** Goes on with the letters as they are now; when it came, and what it passed through, stays. */
function adopt(track: Track, fresh: Track): void {
  const { reading, box, template, place, readSeconds, lastSeconds, slices, sameSeconds } = fresh;
  if (hasGrown(track, reading)) track.reading = reading;
  else addReading(track, reading);
  Object.assign(track, { box, template, place, lastSeconds, goneSeconds: null, looks: [], steadyStep: null });
  Object.assign(track, { slices, sameSeconds, changes: [], weakChanges: [] });
  if (!track.isSettled) track.readSeconds = readSeconds;
  track.height = fresh.height ?? track.height;
  track.letterLuminance = fresh.letterLuminance ?? track.letterLuminance;
}

/** A ticker is one text of which the picture shows a part at a time. */
function joinTicker(track: Track, line: ReadLine, { frame, tools }: { frame: TextFrame; tools: Tools }): boolean {
  const { reading } = track;
  const text = joinOverlapping(reading.text, line.text);
  if (text === null) return false;
  const [before, now] = [reading.text.length, line.text.length];
  const confidence = (reading.confidence * before + line.confidence * now) / (before + now);
  adopt(track, beginTrack(line, frame, tools));
  track.reading = { ...line, text, confidence };
  return true;
}
