import type { Box, ReadLine } from "../models/read-line.ts";
import type { PlanarFormat, PlanarFrame, SuperEvidence } from "./evidence.ts";
import type { GatherTools, PictureConsumer, PictureEnds } from "./gatherers.ts";
import { bridgeLines, isText, lineOf, type SuperLine } from "./super-lines.ts";
import { createLookPlan, type LookPlan } from "./super-looks.ts";
import { addReading, matchReading, placeOf } from "./super-match.ts";
import { supersOf } from "./super-paragraphs.ts";
import { createContrastMeter } from "./text-contrast.ts";
import { type Extent, extentOf } from "./text-extent.ts";
import { createFrameMemory, rasterOf, type TextFrame, windowAround } from "./text-frames.ts";
import { beginTrack, followTrack, settleTrack, type Tools, type Track } from "./text-track.ts";
import { shiftLine } from "./text-tiles.ts";
import { createTextWatch, type Strip, type TextWatch } from "./text-watch.ts";

/** As far back as the beginning of a text is looked for. */
const memorySeconds = 2.6;
/** Text may be covered for a moment, by a flash or a frame that is torn. */
const patienceSeconds = 0.3;
/** Readings that are less sure, or over a picture that moves, are made once more: then letters stand out from it. */
const sureConfidence = 0.95;
const meanBonus = 0.03;

type State = Tools & {
  watch: TextWatch;
  plan: LookPlan;
  tracks: Track[];
  lines: SuperLine[];
  latest: TextFrame | null;
};

/**
 * The text of a film. Each line is read when it comes, and then followed by its strokes until it goes: reading takes a
 * hundred times as long as following.
 */
export function createSuperConsumer({ models }: Pick<GatherTools, "models">): PictureConsumer<SuperEvidence> {
  let state: State | undefined;
  let readerCalls = 0;

  async function readStrip(now: State, frame: TextFrame, strip: Strip): Promise<ReadLine[]> {
    const window = windowAround({ left: 0, right: now.format.width, ...strip }, now.format);
    readerCalls += 1;
    const skip = knownPlaces(now).map((place) => boxIn(place, window));
    const lines = await models.readText(rasterOf([frame], now.format, window), { skip });
    return lines.map((line) => shiftLine(line, window));
  }

  async function look(now: State, frame: TextFrame, strips: Strip[]): Promise<void> {
    let found: "new" | "known" | "nothing" = "nothing";
    for (const strip of strips) {
      for (const line of await readStrip(now, frame, strip)) {
        if (!isText(line)) continue;
        const match = matchReading(line, { tracks: now.tracks, frame, tools: now });
        if (match === "new") now.tracks.push(beginTrack(line, frame, now));
        found = found === "new" ? found : match;
      }
    }
    now.watch.remember(frame, strips);
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
      const watched = state.watch.watch(kept, { one, two, known: knownPlaces(state) });
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
      const isNew = state.watch.watch(state.latest, { one, two, known: knownPlaces(state) }).news.length > 0;
      if (end.count < 3 || isNew) await look(state, state.latest, whole);
      retire(state, () => true);
      const { durationSeconds } = end;
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
  };
}

/** Where there is text at this moment. */
function knownPlaces({ tracks }: State): Extent[] {
  return tracks.filter(({ goneSeconds }) => goneSeconds === null).map(placeOf);
}

/** Tracks that are over become lines. */
function retire(state: State, isOver: (track: Track) => boolean): void {
  for (const track of state.tracks.filter(isOver)) {
    settleTrack(track, state);
    const line = lineOf(track, state.format, Infinity);
    if (line !== null) state.lines.push(line);
  }
  state.tracks = state.tracks.filter((track) => !isOver(track));
}

function boxIn({ left, right, top, bottom }: Extent, { x, y }: { x: number; y: number }): Box {
  return [
    { x: left - x, y: top - y },
    { x: right - x, y: top - y },
    { x: right - x, y: bottom - y },
    { x: left - x, y: bottom - y },
  ];
}
