import type { Omission, PlanarFormat, PlanarFrame, SuperEvidence } from "../evidence.ts";
import type { GatherTools, PictureConsumer, PictureEnds } from "../gatherer.ts";
import { addCodes, type FilmCode } from "./film-codes.ts";
import { endOfPicture, heldFrames } from "./held-frames.ts";
import { createMissingFrames } from "./missing-frames.ts";
import { look, lookAtUnread, lookIntoChanges, readAgain } from "./read-supers.ts";
import { bridgeLines, type SuperLine } from "./super-lines.ts";
import { supersOf } from "./super-paragraphs.ts";
import { knownPlaces, openState, retire, type SuperState } from "./super-state.ts";
import { placeOf } from "./super-match.ts";
import { extentOf } from "./text-extent.ts";
import { followTrack } from "./text-follow.ts";

/** Text may be covered for a moment, by a flash or a frame that is torn. */
const patienceSeconds = 0.3;
/** Of the rows: a line that runs up the picture takes so many. */
const leastHighShare = 0.25;

/** Pixels a second: text that rolls or crawls. */
const leastSpeed = 20;

/** The lines of a film, or of a part of it, before they are joined to what people see as one text. */
export type FilmLines = {
  /** What is still there at the end has no end: Infinity. */
  lines: SuperLine[];
  omissions: Omission[];
  codes: readonly FilmCode[];
  readerCalls: number;
  format: PlanarFormat | null;
  /** Where the picture ends. */
  durationSeconds: number;
};

/** The text of a film. */
export function createSuperConsumer(tools: GatherTools): PictureConsumer<SuperEvidence> {
  const { finish, ...consumer } = createLineConsumer(tools);
  return { ...consumer, finish: async (ends) => describeSupers(await finish(ends)) };
}

export function describeSupers(film: FilmLines): SuperEvidence {
  const { format, readerCalls, durationSeconds, omissions } = film;
  if (format === null) return { supers: [], readerCalls };
  const lines = bridgeLines(film.lines).map((line) => ({
    ...line,
    endSeconds: Math.min(line.endSeconds, durationSeconds),
  }));
  const found = {
    supers: supersOf(lines, format),
    readerCalls,
    ...(omissions.length > 0 && { omissions: omissions.map((omission) => endWith(omission, durationSeconds)) }),
  };
  return addCodes(found, film.codes, { durationSeconds, displayHeight: format.displayHeight });
}

/**
 * Each line is read when it comes, and then followed by its strokes until it goes: reading takes a
 * hundred times as long as following.
 */
export function createLineConsumer({ models, probe, isPart = false }: GatherTools): PictureConsumer<FilmLines> {
  let state: SuperState | undefined;
  const missing = createMissingFrames(probe, { isPart });
  return {
    async acceptText(frame: PlanarFrame, format: PlanarFormat) {
      missing.take(frame.seconds);
      state ??= openState(format, models);
      for (const copy of heldFrames(state.latest, frame.seconds)) await take(state, copy);
      await take(state, frame);
    },
    async finish({ text: end }: PictureEnds) {
      if (state === undefined || state.latest === null || end === null)
        return {
          lines: [],
          omissions: [],
          codes: [],
          readerCalls: state?.readerCalls ?? 0,
          format: null,
          durationSeconds: 0,
        };
      const durationSeconds = endOfPicture(probe, { ...end, lastSeconds: state.latest.seconds, isPart });
      for (const copy of heldFrames(state.latest, durationSeconds)) await take(state, copy);
      // Something came with the last frames.
      const whole = [{ top: 0, bottom: state.format.height }];
      const [one, two] = [state.memory.before(1), state.memory.before(2)];
      const isNew =
        state.watch.watch(state.latest, { one, two, known: knownPlaces(state).map(extentOf) }).news.length > 0;
      if (two === undefined || isNew) await look(state, state.latest, whole);
      retire(state, () => true);
      const { lines, readerCalls, format } = state;
      return {
        lines,
        omissions: [
          ...[state.unread, state.singles, state.tiny].flatMap((places) => places.omissions()),
          ...state.fast.omissions(lines, state.plan.missed()),
          ...state.foreign,
          ...missing.omissions(),
        ],
        codes: state.codes.seen,
        readerCalls,
        format,
        durationSeconds,
      };
    },
  };
}

async function take(now: SuperState, frame: PlanarFrame): Promise<void> {
  const kept = now.memory.add(frame);
  now.latest = kept;
  now.tiny.follow(kept);
  const past = now.memory.backwards().slice(1);
  await now.codes.take(kept, past);
  const moving = now.tracks.filter(({ velocity }) => Math.hypot(velocity.x, velocity.y) >= leastSpeed);
  now.readerCalls += await now.fast.take(kept, past, moving.map(placeOf).map(extentOf));
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
  const newRows = (watched.news.at(-1)?.bottom ?? 0) - (watched.news[0]?.top ?? 0);
  now.highNews = newRows >= leastHighShare * now.format.height;
  const strips = two === undefined ? [] : now.plan.choose({ seconds: kept.seconds, watched, tracks: now.tracks });
  if (strips.length > 0) await look(now, kept, strips);
  await lookAtUnread(now, kept);
  await readAgain(
    now,
    unsettled.filter((track) => track.isSettled && track.goneSeconds === null && track.changes.length === 0),
  );
}

function endWith(omission: Omission, durationSeconds: number): Omission {
  const { endSeconds } = omission;
  return endSeconds === undefined ? omission : { ...omission, endSeconds: Math.min(endSeconds, durationSeconds) };
}
