import { editDistance } from "../../edit-distance.ts";
import type { ReadLine } from "../../models/read-line.ts";
import { boxOfPart, changedWords, type LinePart } from "./changed-words.ts";
import { isComing, nearEdge, withoutCut } from "./edge-lines.ts";
import { isText } from "./super-lines.ts";
import { addReading, matchReading, placeOf } from "./super-match.ts";
import { addTrack, type SuperState } from "./super-state.ts";
import { endReplaced, forgetChange, isDue, leastFrames, replacements } from "./text-change.ts";
import { type Extent, extentOf, overlapOfBoxes, shiftBox } from "./text-extent.ts";
import { rasterOf, type TextFrame, windowAround } from "./text-frames.ts";
import type { Raster } from "../pixels/raster.ts";
import type { DrawnChange } from "./text-slices.ts";
import { shiftLine } from "./text-tiles.ts";
import type { Track } from "./text-track.ts";
import type { Strip } from "./text-watch.ts";
import { readAnyWay } from "./turned-picture.ts";

/** Readings that are less sure, or over a picture that moves, are made once more: then letters stand out from it. */
const sureConfidence = 0.95;
const meanBonus = 0.03;
/** The second reader has only added accents. */
const thoroughBonus = 0.1;
/** A second each: a film full of brand names must not keep the second reader busy. */
const firstThorough = 3;
const secondsPerThorough = 10;
/** As many frames as a changed line is read on, and the rows around it in which the new line is looked for. */
const changeFrames = 3;
const nearRows = 48;
/** Of the smaller of two boxes. */
const sameLine = 0.5;
/** Times of a change that are tried, the likeliest first. */
const maxLikely = 3;
/** Looking for lines that run up the picture costs as much as any look. */
const secondsPerTurned = 20;

/** The lines of a strip. One that its edge cuts, and that is not known, is read in a strip that has room for it. */
async function readStrip(now: SuperState, frame: TextFrame, strip: Strip): Promise<ReadLine[]> {
  const { lines, cut } = await readRows(now, frame, strip);
  const [line] = cut;
  // What rolls by is cut at every edge, and whole in a moment.
  if (line === undefined || now.tracks.some(({ velocity }) => velocity.x !== 0 || velocity.y !== 0)) return lines;
  const { top, bottom } = extentOf(line.box);
  const room = Math.ceil(bottom - top);
  const wider = {
    top: Math.max(0, Math.min(strip.top, Math.floor(top) - room)),
    bottom: Math.min(now.format.height, Math.max(strip.bottom, Math.ceil(bottom) + room)),
  };
  const again = (await readRows(now, frame, wider)).lines;
  return [...lines, ...again.filter(({ box }) => cut.some((each) => overlapOfBoxes(each.box, box) > sameLine))];
}

async function readRows(
  now: SuperState,
  frame: TextFrame,
  strip: Strip,
): Promise<{ lines: ReadLine[]; cut: ReadLine[] }> {
  const window = windowAround({ left: 0, right: now.format.width, ...strip }, now.format);
  // A line whose letters have changed may be another one by now.
  const sure = now.tracks.filter(
    ({ goneSeconds, changes, jump }) => goneSeconds === null && changes.length === 0 && jump === null,
  );
  const skip = sure.map(placeOf).map((box) => shiftBox(box, { x: -window.x, y: -window.y }));
  let calls = 0;
  const readOnce = (picture: Raster) => {
    calls += 1;
    // Turned by a quarter, half of such lines stand on their head.
    const turned = { isStill: true, isThorough: false };
    return now.models.readText(picture, { skip, namesUnread: true, ...(calls > 1 && turned) });
  };
  const picture = rasterOf([frame], now.format, window);
  const lines = mayBeTurned(now, frame) ? await readAnyWay(picture, readOnce) : await readOnce(picture);
  now.readerCalls += calls;
  now.turnedLooks += calls - 1;
  const read = [
    ...lines.filter(({ text }) => text !== "").map(({ box }) => shiftBox(box, window)),
    ...now.tracks.map(placeOf),
  ];
  now.tiny.add(picture, { ...window, frame, read: read.map(extentOf) });
  const isCut = ({ box }: ReadLine) => {
    const { top, bottom } = extentOf(box);
    const end = window.y + window.height;
    return (window.y > 0 && top < nearEdge) || (end < now.format.height && bottom > window.height - nearEdge);
  };
  const placed = (some: ReadLine[]) => some.map((line) => shiftLine(line, window));
  const cut = lines.filter((line) => isCut(line) && isText(line) && line.confidence >= sureConfidence);
  return { lines: placed(lines.filter((line) => !isCut(line))), cut: placed(cut) };
}

/** Where letters stand one above the other and none is known, they may run up or down the picture. */
function mayBeTurned({ tracks, turnedLooks, highNews }: SuperState, { seconds }: TextFrame): boolean {
  return highNews && tracks.length === 0 && turnedLooks < 1 + seconds / secondsPerTurned;
}

export async function look(now: SuperState, frame: TextFrame, strips: Strip[]): Promise<void> {
  let found: "new" | "known" | "nothing" = "nothing";
  const cut: Extent[] = [];
  const texts: string[] = [];
  for (const strip of strips) {
    for (const line of await readStrip(now, frame, strip)) {
      if (line.text === "") now.unread.add(line, frame.seconds);
      now.singles.add(line, frame.seconds);
      if (!isText(line)) continue;
      if (isComing(line, now)) {
        cut.push(extentOf(line.box));
        continue;
      }
      const match = matchReading(line, { tracks: now.tracks, frame, tools: now });
      if (match === "new") {
        addTrack(now, line, frame);
        texts.push(line.text);
      }
      found = found === "new" ? found : match;
    }
  }
  now.cut = cut;
  now.watch.remember(
    frame,
    strips.map((strip) => withoutCut(strip, cut)),
  );
  now.plan.note({ seconds: frame.seconds, strips, found, texts });
}

/** Once more, on the mean of the last frames: what moves behind the letters fades. */
export async function readAgain(now: SuperState, tracks: Track[]): Promise<void> {
  for (const track of tracks) {
    const line = track.reading;
    const isThorough =
      line.isOdd === true && now.thoroughReadings < firstThorough + track.readSeconds / secondsPerThorough;
    if (isThorough) now.thoroughReadings += 1;
    if (line.confidence >= sureConfidence && track.steadyStep !== null && !isThorough) continue;
    const frames = now.memory.backwards().filter(({ seconds }) => seconds >= track.readSeconds);
    const window = windowAround(extentOf(line.box), now.format);
    now.readerCalls += 1;
    const box = shiftLine(line, { x: -window.x, y: -window.y }).box;
    const picture = rasterOf(frames.slice(0, 6), now.format, window);
    const [again] = await now.models.readText(picture, { boxes: [box], isThorough });
    if (again?.script !== undefined) {
      track.script = again.script;
      // A film in another script is full of lines that would be gibberish without the second reader.
      if (isThorough) now.thoroughReadings -= 1;
    } else if (again !== undefined && isText(again)) {
      addReading(track, shiftLine(again, window), { bonus: isThorough ? thoroughBonus : meanBonus });
    }
  }
}

/** Letters that are drawn otherwise than they were read: read before and after, they are another line or the same. */
export async function lookIntoChanges(now: SuperState, frame: TextFrame): Promise<void> {
  for (const track of now.tracks.filter(({ jump }) => jump !== null && jump.seconds < frame.seconds)) {
    if (track.goneSeconds === null) await lookBeside(now, frame, { box: placeOf(track) });
    track.jump = null;
  }
  for (const track of now.tracks.filter((each) => isDue(each, frame.seconds))) {
    const frames = now.memory.backwards().filter(({ seconds }) => seconds <= track.lastSeconds);
    if (await readsAsBefore(now, track, frames)) {
      forgetChange(track, frame, { tools: now, read: null });
      continue;
    }
    const after = await readPlace(now, track, frames.slice(0, leastFrames));
    const read = after === null ? null : { line: after, seconds: frames[0]?.seconds ?? frame.seconds };
    if (after !== null && isAsRead(track, after)) {
      forgetChange(track, frame, { tools: now, read });
      continue;
    }
    const before = await readBefore(now, track, frames);
    const change = after === null ? null : await findChange(now, track, { before, after, frames });
    const [last] = frames;
    if (after === null || change === null || last === undefined) {
      forgetChange(track, frame, { tools: now, read });
      continue;
    }
    const { goneSeconds } = track;
    addReading(track, before);
    endReplaced(track, change);
    if (goneSeconds === null) await lookBeside(now, frame, after);
    const isThere = now.tracks.some(
      ({ since: began }) => began?.isReplacing === true && began.seconds === change.seconds,
    );
    if (!isThere && isText(after)) addTrack(now, after, last, { goneSeconds });
  }
}

/**
 * Surely what the line was read as before: how it read in between need not be known. Figures are always compared with
 * those right before the change: a price may be misread and still look sure.
 */
function isAsRead({ reading }: Track, after: ReadLine): boolean {
  const isSure = Math.min(reading.confidence, after.confidence) >= sureConfidence;
  return isSure && reading.text === after.text && !/\p{N}/u.test(after.text);
}

/**
 * Whether the words that seem to have changed surely read the same on both sides of it, alone: most of what stirs is the
 * picture behind, and the time that reading takes grows with the length of a line.
 */
async function readsAsBefore(now: SuperState, track: Track, frames: TextFrame[]): Promise<boolean> {
  const part = changedWords(track.reading, track.changes);
  if (part === null) return false;
  const after = await readPlace(now, track, frames.slice(0, leastFrames), part);
  if (after === null || after.confidence < sureConfidence || after.text === "") return false;
  const before = await readPlace(now, track, framesBefore(track, frames), part);
  return before !== null && before.confidence >= sureConfidence && before.text === after.text;
}

/** The line before its letters changed. Where it was read since it last seemed to change, it need not be read again. */
async function readBefore(now: SuperState, track: Track, frames: TextFrame[]): Promise<ReadLine> {
  if (track.confirmed !== null && track.confirmed.seconds <= firstChange(track)) return track.confirmed.line;
  return (await readPlace(now, track, framesBefore(track, frames))) ?? track.reading;
}

function firstChange({ changes }: Track): number {
  return Math.min(...changes.map(({ beforeSeconds }) => beforeSeconds));
}

function framesBefore(track: Track, frames: TextFrame[]): TextFrame[] {
  const first = firstChange(track);
  const then = frames.filter(({ seconds }) => seconds <= first && seconds >= Math.min(track.readSeconds, first));
  return then.slice(0, changeFrames);
}

/** Where the picture behind has changed at other times, what is read on both sides of each tells which one it was. */
async function findChange(
  now: SuperState,
  track: Track,
  { before, after, frames }: { before: ReadLine; after: ReadLine; frames: TextFrame[] },
): Promise<DrawnChange | null> {
  const likely = replacements(track.changes, before, after);
  const isNearer = (line: ReadLine | null, one: ReadLine, other: ReadLine) =>
    line === null || editDistance(line.text, one.text) <= editDistance(line.text, other.text);
  for (const change of likely.length > 1 ? likely.slice(0, maxLikely) : []) {
    const earlier = frames.filter(({ seconds }) => seconds <= change.beforeSeconds).slice(0, leastFrames);
    const later = frames.filter(({ seconds }) => seconds >= change.seconds).slice(-leastFrames);
    const [was, is] = [await readPlace(now, track, earlier), await readPlace(now, track, later)];
    if (isNearer(was, before, after) && isNearer(is, after, before)) return change;
  }
  return likely[0] ?? null;
}

/** The new line may be longer than the one whose place it took. */
async function lookBeside(now: SuperState, frame: TextFrame, { box }: Pick<ReadLine, "box">): Promise<void> {
  const { top, bottom } = extentOf(box);
  await look(now, frame, [
    {
      top: Math.max(0, Math.floor(top) - nearRows),
      bottom: Math.min(now.format.height, Math.ceil(bottom) + nearRows),
    },
  ]);
}

async function readPlace(
  now: SuperState,
  track: Track,
  frames: TextFrame[],
  part?: LinePart,
): Promise<ReadLine | null> {
  const place = part === undefined ? placeOf(track) : boxOfPart(placeOf(track), part);
  const window = windowAround(extentOf(place), now.format);
  if (frames.length === 0) return null;
  now.readerCalls += 1;
  const box = shiftBox(place, { x: -window.x, y: -window.y });
  const [line] = await now.models.readText(rasterOf(frames, now.format, window), { boxes: [box] });
  if (line === undefined) return null;
  const placed = shiftLine(line, window);
  if (part === undefined) now.singles.add(placed, frames[0]?.seconds ?? 0);
  return placed;
}

/** What could not be read when it came is looked at once more, closely: then it is read, or named. */
export async function lookAtUnread(now: SuperState, frame: TextFrame): Promise<void> {
  const place = now.unread.due(frame.seconds);
  if (place === null) return;
  const window = windowAround(extentOf(place.line.box), now.format);
  now.readerCalls += 1;
  for (const line of await now.models.readText(rasterOf([frame], now.format, window), { isStill: true })) {
    now.unread.confirm(place, shiftLine(line, window), frame.seconds);
  }
}
