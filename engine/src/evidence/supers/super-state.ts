import type { Models } from "../../models/models.ts";
import type { Box, ReadLine } from "../../models/read-line.ts";
import type { Omission, PlanarFormat } from "../evidence.ts";
import { createCellCounts } from "./cell-counts.ts";
import { createFilmCodes, type FilmCodes } from "./film-codes.ts";
import { createFastLetters, type FastLetters } from "./fast-letters.ts";
import { settleTrack } from "./finalize-track.ts";
import { createLookPlan, type LookPlan } from "./reading-schedule.ts";
import { beginAfter } from "./replaced-lines.ts";
import { createSingleLetters, type SingleLetters } from "./single-letters.ts";
import { lineOf, type SuperLine } from "./super-lines.ts";
import { placeOf } from "./super-match.ts";
import { createContrastMeter } from "./text-contrast.ts";
import { type Extent, extentOf } from "./text-extent.ts";
import { beginTrack } from "./text-follow.ts";
import { createFrameMemory, type TextFrame } from "./text-frames.ts";
import type { Tools, Track } from "./text-track.ts";
import { createTinyPlaces, type TinyPlaces } from "./tiny-places.ts";
import { createTextWatch, type TextWatch } from "./text-watch.ts";
import { foreignScript } from "./unread-lines.ts";
import { createUnreadPlaces, type UnreadPlaces } from "./unread-places.ts";

/** As far back as the beginning of a text is looked for. */
const memorySeconds = 2.6;

/** What is known of the text of a film at one moment of it. */
export type SuperState = Tools & {
  models: Pick<Models, "readText">;
  codes: FilmCodes;
  readerCalls: number;
  watch: TextWatch;
  plan: LookPlan;
  tracks: Track[];
  /** Tracks that were over a moment ago. */
  ended: Track[];
  lines: SuperLine[];
  latest: TextFrame | null;
  unread: UnreadPlaces;
  singles: SingleLetters;
  fast: FastLetters;
  tiny: TinyPlaces;
  thoroughReadings: number;
  /** Looks at the picture turned by a quarter. */
  turnedLooks: number;
  /** What is new at this moment reaches over many rows. */
  highNews: boolean;
  /** Lines in scripts that are not read. */
  foreign: Omission[];
  /** Lines that the edge of the picture cut when the reader last looked. */
  cut: Extent[];
};

export function openState(format: PlanarFormat, models: Pick<Models, "readText" | "readCodes">): SuperState {
  const cells = createCellCounts(format);
  return {
    format,
    models,
    codes: createFilmCodes(format, models),
    readerCalls: 0,
    memory: createFrameMemory(memorySeconds),
    meter: createContrastMeter(format),
    watch: createTextWatch(format, cells),
    plan: createLookPlan(format),
    tracks: [],
    ended: [],
    lines: [],
    latest: null,
    unread: createUnreadPlaces(),
    singles: createSingleLetters(format),
    fast: createFastLetters(format, { models, counts: cells }),
    tiny: createTinyPlaces(format),
    thoroughReadings: 0,
    turnedLooks: 0,
    highNews: false,
    foreign: [],
    cut: [],
  };
}

/** `goneSeconds`: it is over already. */
export function addTrack(
  now: SuperState,
  line: ReadLine,
  frame: TextFrame,
  { goneSeconds = null }: { goneSeconds?: number | null } = {},
): void {
  const track = { ...beginTrack(line, frame, now), goneSeconds };
  beginAfter(track, [...now.tracks, ...now.ended]);
  now.tracks.push(track);
}

/** Where there is text at this moment. */
export function knownPlaces({ tracks }: SuperState): Box[] {
  return tracks.filter(({ goneSeconds }) => goneSeconds === null).map(placeOf);
}

/** Tracks that are over become lines. */
export function retire(state: SuperState, isOver: (track: Track) => boolean): void {
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
  const { latest } = state;
  if (latest !== null) state.watch.release(latest, state.tracks.filter(isOver).map(placeOf).map(extentOf));
  const now = latest?.seconds ?? 0;
  const ended = [...state.ended, ...state.tracks.filter(isOver)];
  state.ended = ended.filter(({ lastSeconds }) => now - lastSeconds <= memorySeconds);
  state.tracks = state.tracks.filter((track) => !isOver(track));
}
