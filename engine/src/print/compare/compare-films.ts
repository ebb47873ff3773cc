import type { ContentPrint } from "../make-print.ts";
import type { PicturePrint } from "../print.ts";
import { alignPictures, frameSecondsOf, startDifference } from "./align.ts";
import { compareFrames } from "./compare-frames.ts";
import { compareGrid } from "./compare-grid.ts";
import { compareSound } from "./compare-sound.ts";
import { type Comparison, type Difference, difference, hundredths, roundedSpan } from "./comparison.ts";
import { fitColours, fitLevels } from "./fit-levels.ts";
import { findSlates } from "./slates.ts";
import { limits } from "./limits.ts";

/** Where the master begins in the other film; null: it is another film. */
export function placeFilm(master: ContentPrint, other: ContentPrint): { offsetSeconds: number } | null {
  if (master.picture === null || other.picture === null) {
    // What is only heard is found by how its beginning sounds.
    return { offsetSeconds: 0 };
  }
  const { offsetSeconds, share } = alignPictures(master.picture, other.picture);
  return share < limits.share ? null : { offsetSeconds };
}

/** Compares two films, or recordings. The other's grid has to be sampled at the moments of the master. */
export function compareFilms(master: ContentPrint, other: ContentPrint, offsetSeconds: number): Comparison {
  const differences: Difference[] = [];
  const notes: string[] = [];
  const figures: Record<string, number> = { offsetSeconds };
  const isCopied = hasSameStreams(master, other) && Math.abs(offsetSeconds) < 0.1;
  if (master.picture !== null && other.picture !== null && !isCopied)
    comparePictures(master.picture, other.picture, { offsetSeconds, differences, figures });
  compareSounds(master, other, { offsetSeconds, isCopied, differences, notes, figures });
  findSlates(master, other, { offsetSeconds, differences, notes });
  compareTracks(master, other, differences);
  const match = differences.length > 0 ? "ALTERED" : isCopied ? "SAME_ESSENCE" : "SAME_CONTENT";
  return { match, offsetSeconds: hundredths(offsetSeconds), differences, notes, figures };
}

function comparePictures(
  master: PicturePrint,
  other: PicturePrint,
  {
    offsetSeconds,
    differences,
    figures,
  }: { offsetSeconds: number; differences: Difference[]; figures: Record<string, number> },
): void {
  const levels = fitLevels(master, other, offsetSeconds);
  const colours = fitColours(master, other, offsetSeconds);
  const frames = compareFrames(master, other, { offsetSeconds, limit: limits.frame, levels });
  const grid = compareGrid(master, other, frames.hasSameRate ? limits.grid : limits.gridOfOtherRate);
  Object.assign(figures, {
    gain: levels.gain,
    turn: colours.turn,
    saturation: colours.saturation,
    lift: levels.lift,
    noise: grid.noise,
    edges: grid.edges,
    once: grid.largest[0],
    twice: grid.largest[1],
    lasting: grid.largest[2],
    frameExcess: frames.largestExcess,
    frameDifference: frames.frameDifference,
    shifts: frames.shifts.length,
  });
  if (Math.abs(levels.gain - 1) > limits.gain || Math.abs(levels.lift + (levels.gain - 1) * 126) > limits.lift)
    differences.push(difference("picture", "The whole picture is lighter, darker or of another contrast."));
  if (Math.abs(colours.turn) > limits.turn || Math.abs(Math.log(colours.saturation)) > limits.saturation)
    differences.push(difference("picture", "The colours of the whole picture are others."));
  if (grid.noise > limits.noise)
    differences.push(difference("picture", "The picture is too poor to be compared with what was cleared."));
  for (const { region, ...span } of grid.changes.slice(0, 50))
    differences.push(
      difference("picture", "A part of the picture shows something else.", { ...roundedSpan(span), region }),
    );
  for (const span of frames.strange.slice(0, 50))
    if (!differences.some((known) => covers(known, span)))
      differences.push(difference("frames", "Frames show something else.", roundedSpan(span)));
  for (const { frames: count, ...span } of frames.shifts.slice(0, 1))
    differences.push(
      difference(
        "frames",
        `From here on the picture is ${Math.abs(count)} frame(s) too ${count > 0 ? "late" : "early"}.`,
        roundedSpan(span),
      ),
    );
  const missing = lengthDifference(master, other, offsetSeconds, frames);
  if (missing !== null) differences.push(missing);
}

function lengthDifference(
  master: PicturePrint,
  other: PicturePrint,
  offsetSeconds: number,
  frames: { hasSameRate: boolean; frameDifference: number },
): Difference | null {
  const slower = Math.max(frameSecondsOf(master), frameSecondsOf(other));
  const left = other.durationSeconds - offsetSeconds - master.durationSeconds;
  if (offsetSeconds < -slower * 0.75)
    return difference("length", `The first ${hundredths(-offsetSeconds)} s are missing.`, {
      startSeconds: 0,
      endSeconds: hundredths(-offsetSeconds),
    });
  if (frames.hasSameRate && frames.frameDifference < 0)
    return difference("length", `${-frames.frameDifference} frame(s) are missing.`);
  if (left < -1.6 * slower) return difference("length", `${hundredths(-left)} s are missing.`);
  // Less than what anybody would call a slate.
  if (frames.hasSameRate && left > 0.6 * slower && left < 0.2)
    return difference("length", `${Math.round(left / slower)} frame(s) were added.`);
  return null;
}

function covers(
  known: Difference,
  { startSeconds, endSeconds }: { startSeconds: number; endSeconds: number },
): boolean {
  return (
    known.kind === "picture" &&
    known.startSeconds !== null &&
    known.endSeconds !== null &&
    known.startSeconds <= startSeconds + 0.2 &&
    known.endSeconds >= endSeconds - 0.2
  );
}

function compareSounds(
  master: ContentPrint,
  other: ContentPrint,
  options: {
    offsetSeconds: number;
    /** The same coded sound: only when it is heard can differ. */
    isCopied: boolean;
    differences: Difference[];
    notes: string[];
    figures: Record<string, number>;
  },
): void {
  const { differences, notes, figures, offsetSeconds, isCopied } = options;
  if (master.sound === null && other.sound === null) return;
  if (master.sound === null || other.sound === null) {
    const isSilent = (master.sound ?? other.sound)?.integratedLufs === null;
    if (!isSilent)
      differences.push(
        difference("sound", master.sound === null ? "It has sound, which was not cleared." : "Its sound is missing."),
      );
    return;
  }
  const compared = compareSound(master.sound, other.sound, {
    offsetSeconds,
    searchSeconds: master.picture === null ? 10 : 0.6,
    limitDecibels: limits.soundDecibels,
  });
  Object.assign(figures, {
    soundLag: compared.lagSeconds,
    soundDecibels: compared.largest,
    gainLu: compared.gainLu ?? 0,
  });
  for (const span of isCopied ? [] : compared.changes.slice(0, 50))
    differences.push(difference("sound", "Something else is heard.", roundedSpan(span)));
  const lag = compared.lagSeconds;
  if (Math.abs(lag) > limits.soundLagSeconds)
    differences.push(
      difference("sound", `The sound is ${hundredths(Math.abs(lag))} s too ${lag > 0 ? "late" : "early"}.`),
    );
  const left = other.sound.durationSeconds - offsetSeconds - master.sound.durationSeconds;
  if (left < -0.3 && compared.changes.length === 0 && master.picture === null)
    differences.push(difference("length", `${hundredths(-left)} s of sound are missing.`));
  const gain = compared.gainLu;
  if (gain === null || Math.abs(gain) < 0.5) return;
  const text = `The sound is ${hundredths(Math.abs(gain))} LU ${gain > 0 ? "louder" : "softer"} (${master.sound.integratedLufs} to ${other.sound.integratedLufs} LUFS).`;
  if (gain > limits.louderLu || gain < -limits.softerLu) differences.push(difference("loudness", text));
  else notes.push(text);
}

function compareTracks(master: ContentPrint, other: ContentPrint, differences: Difference[]): void {
  for (const kind of ["video", "audio", "captions"] as const) {
    const [before, after] = [master.trackCounts[kind], other.trackCounts[kind]];
    if (before !== after && !(kind === "audio" && Math.max(before, after) <= 1))
      differences.push(difference("tracks", `It has ${after} ${kind} track(s) instead of ${before}.`));
    else if (after > 1 && kind !== "captions")
      differences.push(difference("tracks", `Of its ${after} ${kind} tracks only the first was compared.`));
  }
}

/** A copy of the same coded pictures and sounds, shown at the same times. */
function hasSameStreams(master: ContentPrint, other: ContentPrint): boolean {
  if (master.streams === null || other.streams === null || master.streams.length !== other.streams.length) return false;
  const hashes = new Set(other.streams.map(({ sha256 }) => sha256));
  if (!master.streams.every(({ sha256 }) => hashes.has(sha256))) return false;
  const [a, b] = [master.picture, other.picture];
  if (a === null || b === null) return a === b;
  if (a.times.length !== b.times.length || a.displayWidth !== b.displayWidth || a.displayHeight !== b.displayHeight)
    return false;
  const shift = startDifference(a, b);
  return a.times.every((time, index) => Math.abs(time + shift - (b.times[index] as number)) < 0.003);
}
