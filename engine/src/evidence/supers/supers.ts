import type { Box, ReadLine } from "../../models/read-line.ts";
import type { PlanarFormat, PlanarFrame, SuperEvidence } from "../evidence.ts";
import type { GatherTools, PictureConsumer, PictureEnds } from "../gatherer.ts";
import { bridgeLines, isText, lineOf, type SuperLine } from "./super-lines.ts";
import { createLookPlan, type LookPlan } from "./reading-schedule.ts";
import { addReading, matchReading, placeOf } from "./super-match.ts";
import { supersOf } from "./super-paragraphs.ts";
import { createContrastMeter } from "./text-contrast.ts";
import { type Extent, extentOf, overlapOf, shiftBox } from "./text-extent.ts";
import { beginTrack, followTrack } from "./text-follow.ts";
import { createFrameMemory, rasterOf, type TextFrame, windowAround } from "./text-frames.ts";
import type { Tools, Track } from "./text-track.ts";
import { settleTrack } from "./finalize-track.ts";
import { shiftLine } from "./text-tiles.ts";
import { createTextWatch, type Strip, type TextWatch } from "./text-watch.ts";

/** As far back as the beginning of a text is looked for. */
const memorySeconds = 2.6;
/** Text may be covered for a moment, by a flash or a frame that is torn. */
const patienceSeconds = 0.3;
/** Readings that are less sure, or over a picture that moves, are made once more: then letters stand out from it. */
const sureConfidence = 0.95;
const meanBonus = 0.03;
/** Pixels from the edge of the picture: letters that come so near are cut. */
const nearEdge = 3;

type State = Tools & {
  watch: TextWatch;
  plan: LookPlan;
  tracks: Track[];
  lines: SuperLine[];
  latest: TextFrame | null;
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
    const skip = knownPlaces(now).map((box) => shiftBox(box, { x: -window.x, y: -window.y }));
    const lines = await models.readText(rasterOf([frame], now.format, window), { skip });
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
        if (!isText(line)) continue;
        if (isComing(line, now)) {
          cut.push(extentOf(line.box));
          continue;
        }
        const match = matchReading(line, { tracks: now.tracks, frame, tools: now });
        if (match === "new") now.tracks.push(beginTrack(line, frame, now));
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
      if (line.confidence >= sureConfidence && track.steadyStep !== null) continue;
      const frames = now.memory.backwards().filter(({ seconds }) => seconds >= track.readSeconds);
      const window = windowAround(extentOf(line.box), now.format);
      readerCalls += 1;
      const box = shiftLine(line, { x: -window.x, y: -window.y }).box;
      const [again] = await models.readText(rasterOf(frames.slice(0, 6), now.format, window), { boxes: [box] });
      if (again !== undefined && isText(again)) addReading(track, shiftLine(again, window), { bonus: meanBonus });
    }
  }

  return {
    async acceptText(frame: PlanarFrame, format: PlanarFormat) {
      state ??= open(format);
      const kept = state.memory.add(frame);
      state.latest = kept;
      const unsettled = state.tracks.filter(({ isSettled }) => !isSettled);
      for (const track of state.tracks) followTrack(track, kept, state);
      retire(state, (track) => track.goneSeconds !== null && kept.seconds - track.goneSeconds >= patienceSeconds);
      const [one, two] = [state.memory.before(1), state.memory.before(2)];
      const watched = state.watch.watch(kept, { one, two, known: knownPlaces(state).map(extentOf) });
      const strips =
        two === undefined ? [] : state.plan.choose({ seconds: kept.seconds, watched, tracks: state.tracks });
      if (strips.length > 0) await look(state, kept, strips);
      await readAgain(
        state,
        unsettled.filter(({ isSettled, goneSeconds }) => isSettled && goneSeconds === null),
      );
    },
    async finish({ text: end }: PictureEnds) {
      if (state === undefined || state.latest === null || end === null) return { supers: [], readerCalls };
      // Too short to have been watched, or something came with the last frames.
      const whole = [{ top: 0, bottom: state.format.height }];
      const [one, two] = [state.memory.before(1), state.memory.before(2)];
      const isNew =
        state.watch.watch(state.latest, { one, two, known: knownPlaces(state).map(extentOf) }).news.length > 0;
      if (end.count < 3 || isNew) await look(state, state.latest, whole);
      retire(state, () => true);
      // The last of the frames that were watched is not the last of the film.
      const known = probe.video?.durationSeconds ?? Infinity;
      const durationSeconds = Math.max(state.latest.seconds, Math.min(end.durationSeconds, known));
      const lines = bridgeLines(state.lines).map((line) => ({
        ...line,
        endSeconds: Math.min(line.endSeconds, durationSeconds),
      }));
      return { supers: supersOf(lines, state.format), readerCalls };
    },
  };
}

function open(format: PlanarFormat): State {
  return {
    format,
    memory: createFrameMemory(memorySeconds),
    meter: createContrastMeter(format),
    watch: createTextWatch(format),
    plan: createLookPlan(format),
    tracks: [],
    lines: [],
    latest: null,
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
    if (line !== null) state.lines.push(line);
  }
  state.tracks = state.tracks.filter((track) => !isOver(track));
}
