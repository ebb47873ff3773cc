import type { Box, ReadLine } from "../../models/read-line.ts";
import type { Omission, PlanarFormat, PlanarFrame, SuperEvidence } from "../evidence.ts";
import type { GatherTools, PictureConsumer, PictureEnds } from "../gatherer.ts";
import { bridgeLines, isText, lineOf, type SuperLine } from "./super-lines.ts";
import { createLookPlan, type LookPlan } from "./reading-schedule.ts";
import { addReading, matchReading, placeOf } from "./super-match.ts";
import { supersOf } from "./super-paragraphs.ts";
import { beginAfter } from "./replaced-lines.ts";
import { endReplaced, forgetChange, isDue, leastFrames, replacedAt } from "./text-change.ts";
import { createContrastMeter } from "./text-contrast.ts";
import { type Extent, extentOf, overlapOf, shiftBox } from "./text-extent.ts";
import { beginTrack, followTrack } from "./text-follow.ts";
import { endOfPicture, heldFrames } from "./held-frames.ts";
import { createFrameMemory, rasterOf, type TextFrame, windowAround } from "./text-frames.ts";
import type { Tools, Track } from "./text-track.ts";
import { settleTrack } from "./finalize-track.ts";
import { shiftLine } from "./text-tiles.ts";
import { foreignScript } from "./unread-lines.ts";
import { createUnreadPlaces, type UnreadPlaces } from "./unread-places.ts";
import { createTextWatch, type Strip, type TextWatch } from "./text-watch.ts";

/** As far back as the beginning of a text is looked for. */
const memorySeconds = 2.6;
/** Text may be covered for a moment, by a flash or a frame that is torn. */
const patienceSeconds = 0.3;
/** Readings that are less sure, or over a picture that moves, are made once more: then letters stand out from it. */
const sureConfidence = 0.95;
const meanBonus = 0.03;
/** The second reader has only added accents. */
const thoroughBonus = 0.1;
/** A second each: a film full of brand names must not keep the second reader busy. */
const firstThorough = 3;
const secondsPerThorough = 10;
/** Pixels from the edge of the picture: letters that come so near are cut. */
const nearEdge = 3;
/** As many frames as a changed line is read on, and the rows around it in which the new line is looked for. */
const changeFrames = 3;
const nearRows = 48;

type State = Tools & {
  watch: TextWatch;
  plan: LookPlan;
  tracks: Track[];
  /** Tracks that were over a moment ago. */
  ended: Track[];
  lines: SuperLine[];
  latest: TextFrame | null;
  unread: UnreadPlaces;
  thoroughReadings: number;
  /** Lines in scripts that are not read. */
  foreign: Omission[];
  /** Lines that the edge of the picture cut when the reader last looked. */
  cut: Extent[];
};

/**
 * The text of a film. Each line is read when it comes, and then followed by its strokes until it goes: reading takes a
 * hundred times as long as following.
 */
export function createSuperConsumer({ models, probe }: GatherTools): PictureConsumer<SuperEvidence> {
  let state: State | undefined;
  let readerCalls = 0;

  async function readStrip(now: State, frame: TextFrame, strip: Strip): Promise<ReadLine[]> {
    const window = windowAround({ left: 0, right: now.format.width, ...strip }, now.format);
    readerCalls += 1;
    // A line whose letters have changed may be another one by now.
    const sure = now.tracks.filter(({ goneSeconds, changes }) => goneSeconds === null && changes.length === 0);
    const skip = sure.map(placeOf).map((box) => shiftBox(box, { x: -window.x, y: -window.y }));
    const lines = await models.readText(rasterOf([frame], now.format, window), { skip, namesUnread: true });
    // What the strip cuts is in the next one, or known.
    const isCut = ({ box }: ReadLine) => {
      const { top, bottom } = extentOf(box);
      const end = window.y + window.height;
      return (window.y > 0 && top < nearEdge) || (end < now.format.height && bottom > window.height - nearEdge);
    };
    return lines.filter((line) => !isCut(line)).map((line) => shiftLine(line, window));
  }

  async function look(now: State, frame: TextFrame, strips: Strip[]): Promise<void> {
    let found: "new" | "known" | "nothing" = "nothing";
    const cut: Extent[] = [];
    for (const strip of strips) {
      for (const line of await readStrip(now, frame, strip)) {
        if (line.text === "") now.unread.add(line, frame.seconds);
        if (!isText(line)) continue;
        if (isComing(line, now)) {
          cut.push(extentOf(line.box));
          continue;
        }
        const match = matchReading(line, { tracks: now.tracks, frame, tools: now });
        if (match === "new") addTrack(now, line, frame);
        found = found === "new" ? found : match;
      }
    }
    now.cut = cut;
    now.watch.remember(
      frame,
      strips.map((strip) => withoutCut(strip, cut)),
    );
    now.plan.note({ seconds: frame.seconds, strips, found });
  }

  /** Once more, on the mean of the last frames: what moves behind the letters fades. */
  async function readAgain(now: State, tracks: Track[]): Promise<void> {
    for (const track of tracks) {
      const line = track.reading;
      const isThorough =
        line.isOdd === true && now.thoroughReadings < firstThorough + track.readSeconds / secondsPerThorough;
      if (isThorough) now.thoroughReadings += 1;
      if (line.confidence >= sureConfidence && track.steadyStep !== null && !isThorough) continue;
      const frames = now.memory.backwards().filter(({ seconds }) => seconds >= track.readSeconds);
      const window = windowAround(extentOf(line.box), now.format);
      readerCalls += 1;
      const box = shiftLine(line, { x: -window.x, y: -window.y }).box;
      const picture = rasterOf(frames.slice(0, 6), now.format, window);
      const [again] = await models.readText(picture, { boxes: [box], isThorough });
      if (again?.script !== undefined) track.script = again.script;
      else if (again !== undefined && isText(again)) {
        addReading(track, shiftLine(again, window), { bonus: isThorough ? thoroughBonus : meanBonus });
      }
    }
  }

  /** Letters that are drawn otherwise than they were read: read before and after, they are another line or the same. */
  async function lookIntoChanges(now: State, frame: TextFrame): Promise<void> {
    for (const track of now.tracks.filter((each) => isDue(each, frame.seconds))) {
      const frames = now.memory.backwards();
      const first = Math.min(...track.changes.map(({ beforeSeconds }) => beforeSeconds));
      const then = frames.filter(({ seconds }) => seconds <= first && seconds >= Math.min(track.readSeconds, first));
      const before = (await readPlace(now, track, then.slice(0, changeFrames))) ?? track.reading;
      const after = await readPlace(now, track, frames.slice(0, leastFrames));
      const change = after === null ? null : replacedAt(track.changes, before, after);
      if (after === null || change === null) {
        forgetChange(track, frame, now);
        continue;
      }
      addReading(track, before);
      endReplaced(track, change);
      const { top, bottom } = extentOf(after.box);
      await look(now, frame, [
        {
          top: Math.max(0, Math.floor(top) - nearRows),
          bottom: Math.min(now.format.height, Math.ceil(bottom) + nearRows),
        },
      ]);
      const isThere = now.tracks.some(
        ({ since: began }) => began?.isReplacing === true && began.seconds === change.seconds,
      );
      if (!isThere && isText(after)) addTrack(now, after, frame);
    }
  }

  async function readPlace(now: State, track: Track, frames: TextFrame[]): Promise<ReadLine | null> {
    const place = placeOf(track);
    const window = windowAround(extentOf(place), now.format);
    if (frames.length === 0) return null;
    readerCalls += 1;
    const box = shiftBox(place, { x: -window.x, y: -window.y });
    const [line] = await models.readText(rasterOf(frames, now.format, window), { boxes: [box] });
    return line === undefined ? null : shiftLine(line, window);
  }

  /** What could not be read when it came is looked at once more, closely: then it is read, or named. */
  async function lookAtUnread(now: State, frame: TextFrame): Promise<void> {
    const place = now.unread.due(frame.seconds);
    if (place === null) return;
    const window = windowAround(extentOf(place.line.box), now.format);
    readerCalls += 1;
    for (const line of await models.readText(rasterOf([frame], now.format, window), { isStill: true })) {
      now.unread.confirm(place, shiftLine(line, window), frame.seconds);
    }
  }

  async function take(now: State, frame: PlanarFrame): Promise<void> {
    const kept = now.memory.add(frame);
    now.latest = kept;
    const unsettled = now.tracks.filter(({ isSettled }) => !isSettled);
    for (const track of now.tracks) followTrack(track, kept, now);
    await lookIntoChanges(now, kept);
    retire(
      now,
      ({ goneSeconds, isReplaced: isOver }) =>
        isOver || (goneSeconds !== null && kept.seconds - goneSeconds >= patienceSeconds),
    );
    const [one, two] = [now.memory.before(1), now.memory.before(2)];
    const watched = now.watch.watch(kept, { one, two, known: knownPlaces(now).map(extentOf) });
    const strips = two === undefined ? [] : now.plan.choose({ seconds: kept.seconds, watched, tracks: now.tracks });
    if (strips.length > 0) await look(now, kept, strips);
    await lookAtUnread(now, kept);
    await readAgain(
      now,
      unsettled.filter((track) => track.isSettled && track.goneSeconds === null && track.changes.length === 0),
    );
  }

  return {
    async acceptText(frame: PlanarFrame, format: PlanarFormat) {
      state ??= open(format);
      for (const copy of heldFrames(state.latest, frame.seconds)) await take(state, copy);
      await take(state, frame);
    },
    async finish({ text: end }: PictureEnds) {
      if (state === undefined || state.latest === null || end === null) return { supers: [], readerCalls };
      const durationSeconds = endOfPicture(probe, { ...end, lastSeconds: state.latest.seconds });
      for (const copy of heldFrames(state.latest, durationSeconds)) await take(state, copy);
      // Something came with the last frames.
      const whole = [{ top: 0, bottom: state.format.height }];
      const [one, two] = [state.memory.before(1), state.memory.before(2)];
      const isNew =
        state.watch.watch(state.latest, { one, two, known: knownPlaces(state).map(extentOf) }).news.length > 0;
      if (two === undefined || isNew) await look(state, state.latest, whole);
      retire(state, () => true);
      const lines = bridgeLines(state.lines).map((line) => ({
        ...line,
        endSeconds: Math.min(line.endSeconds, durationSeconds),
      }));
      const omissions = [...state.unread.omissions(), ...state.foreign];
      return {
        supers: supersOf(lines, state.format),
        readerCalls,
        ...(omissions.length > 0 && { omissions: omissions.map((omission) => endWith(omission, durationSeconds)) }),
      };
    },
  };
}

function endWith(omission: Omission, durationSeconds: number): Omission {
  const { endSeconds } = omission;
  return endSeconds === undefined ? omission : { ...omission, endSeconds: Math.min(endSeconds, durationSeconds) };
}

function addTrack(now: State, line: ReadLine, frame: TextFrame): void {
  const track = beginTrack(line, frame, now);
  beginAfter(track, [...now.tracks, ...now.ended]);
  now.tracks.push(track);
}

function open(format: PlanarFormat): State {
  return {
    format,
    memory: createFrameMemory(memorySeconds),
    meter: createContrastMeter(format),
    watch: createTextWatch(format),
    plan: createLookPlan(format),
    tracks: [],
    ended: [],
    lines: [],
    latest: null,
    unread: createUnreadPlaces(),
    thoroughReadings: 0,
    foreign: [],
    cut: [],
  };
}

/** A line at the upper or lower edge is on its way in, unless it was there at the last look too. */
function isComing({ box }: ReadLine, { format, cut }: State): boolean {
  const own = extentOf(box);
  const isAtEdge = own.top < nearEdge || own.bottom > format.height - nearEdge;
  return isAtEdge && cut.every((other) => Math.abs(other.top - own.top) > nearEdge || overlapOf(other, own) < 0.8);
}

/** What was cut is looked at again. */
function withoutCut({ top, bottom }: Strip, cut: Extent[]): Strip {
  const upper = cut.filter((line) => line.top < nearEdge).map((line) => Math.ceil(line.bottom));
  const lower = cut.filter((line) => line.top >= nearEdge).map((line) => Math.floor(line.top));
  const from = Math.max(top, ...upper);
  return { top: from, bottom: Math.max(from, Math.min(bottom, ...lower)) };
}

/** Where there is text at this moment. */
function knownPlaces({ tracks }: State): Box[] {
  return tracks.filter(({ goneSeconds }) => goneSeconds === null).map(placeOf);
}

/** Tracks that are over become lines. */
function retire(state: State, isOver: (track: Track) => boolean): void {
  for (const track of state.tracks.filter(isOver)) {
    settleTrack(track, state);
    const line = lineOf(track, state.format);
    const script = foreignScript({ ...track.reading, ...(track.script !== null && { script: track.script }) });
    if (line !== null && script === null) state.lines.push(line);
    else if (line !== null && script !== null) {
      const { startSeconds, endSeconds } = line;
      state.foreign.push({ what: `Text in ${script} was not read.`, startSeconds, endSeconds });
    }
  }
  const now = state.latest?.seconds ?? 0;
  const ended = [...state.ended, ...state.tracks.filter(isOver)];
  state.ended = ended.filter(({ lastSeconds }) => now - lastSeconds <= memorySeconds);
  state.tracks = state.tracks.filter((track) => !isOver(track));
}
