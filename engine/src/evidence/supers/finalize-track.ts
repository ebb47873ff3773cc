import { extentOf } from "./text-extent.ts";
import { rasterOf, type TextFrame, windowAround } from "./text-frames.ts";
import { capitalHeight } from "./text-height.ts";
import type { Found } from "./template-search.ts";
import { sliceLine } from "./text-slices.ts";
import { cutLine, heighten, lookAt, makeTemplate, type Template } from "./text-template.ts";
import { isTicker, secondsOutside } from "./text-ticker.ts";
import { findTrack, isStill, moveTrack, strengthOf, type Tools, type Track } from "./text-track.ts";

const settleSeconds = 0.4;
const latestSettleSeconds = 1.2;
/** Of 255: letters that still change are still fading. */
const steadyLevels = 5;
/** As many frames as their mean is made of. */
const meanFrames = 6;
/** Contrast is that of the full strength, not of a fade. */
const fullStrength = 0.93;

/** Once it is there in full strength, or before it is given up: measures it and looks back for when it came. */
export function settleTrack(track: Track, tools: Tools): void {
  if (track.isSettled) return;
  track.isSettled = true;
  if (isStill(track)) refine(track, tools);
  rememberStep(track);
  findStart(track, tools);
}

/** Whether it has been there for a moment and no longer changes, or for so long that it never will. */
export function isReady({ readSeconds, lastSeconds, looks }: Track): boolean {
  const shown = lastSeconds - readSeconds;
  const [last, before] = [looks.at(-1), looks.at(-3)];
  if (last === undefined || before === undefined) return false;
  const isSteady = Math.abs(last.ink - before.ink) < steadyLevels;
  return shown >= latestSettleSeconds || (shown >= settleSeconds && isSteady);
}

export function measureContrast(
  track: Track,
  { look, place, frame }: Found & { frame: TextFrame },
  tools: Tools,
): void {
  const { template, letterLuminance } = track;
  if (template === null || letterLuminance === null || strengthOf(track, look) < fullStrength) return;
  track.contrast = tools.meter.look(track.contrast, { letters: letterLuminance, template, frame, place });
}

/** Reads letters, height and colours off the mean of several frames, in which what moves behind them fades. */
function refine(track: Track, tools: Tools): void {
  const lastInk = track.looks.at(-1)?.ink ?? 0;
  const isFull = (at: number) =>
    track.looks.some(({ seconds, ink }) => seconds === at && Math.abs(ink - lastInk) < steadyLevels);
  const shown = tools.memory
    .backwards()
    .filter(({ seconds }) => isFull(seconds))
    .slice(0, meanFrames);
  const [latest] = shown;
  if (latest === undefined) return;
  const window = windowAround(extentOf(heighten(track.box)), tools.format);
  const cut = cutLine(rasterOf(shown, tools.format, window), window, track.box);
  const template = cut === null ? null : makeTemplate(cut, latest, tools.format);
  if (cut === null || template === null) return;
  const matchOf = (candidate: Template | null) =>
    candidate === null ? 0 : lookAt(candidate, latest, tools.format, track.place).match;
  // The mean shows the letters worse where they moved: then what was read off one frame stays.
  if (matchOf(template) < 0.8 * matchOf(track.template)) return;
  track.template = template;
  track.slices = sliceLine(cut, { template, frame: latest, format: tools.format });
  track.height = capitalHeight(cut.ink, track.reading) ?? track.height;
  track.letterLuminance = tools.meter.ofLetters(cut, track.height);
  track.looks = shown.toReversed().map((frame) => ({
    ...lookAt(template, frame, tools.format, track.place),
    seconds: frame.seconds,
  }));
}

function rememberStep(track: Track): void {
  const last = track.looks.at(-1);
  if (last === undefined || track.template === null) return;
  const grounds = track.looks.slice(-meanFrames).map(({ ground }) => ground);
  const isSteady = Math.max(...grounds) - Math.min(...grounds) < steadyLevels;
  track.steadyStep = isSteady ? last.ink - last.ground : null;
  track.template.inkLevel = last.ink;
}

/** From the last frame that shows it back to the first. One without it is not yet the beginning: it may be a flash. */
function findStart(track: Track, tools: Tools): void {
  let { place, lastSeconds: at } = track;
  const usual = track.looks.at(-1)?.match ?? 1;
  for (const frame of tools.memory.backwards()) {
    if (frame.seconds > track.lastSeconds) continue;
    if (track.since !== null && frame.seconds < track.since.seconds) {
      track.beforeSeconds = track.since.beforeSeconds;
      break;
    }
    const found = findTrack(track, frame, { tools, from: place, seconds: frame.seconds - at, usual });
    if (found === null) {
      if (track.beforeSeconds !== null) break;
      track.beforeSeconds = frame.seconds;
      continue;
    }
    track.beforeSeconds = null;
    track.firstSeconds = Math.min(track.firstSeconds, frame.seconds);
    moveTrack(track, { from: place, to: found.place, seconds: frame.seconds - at });
    at = frame.seconds;
    ({ place } = found);
    measureContrast(track, { ...found, frame }, tools);
  }
  if (!isTicker(track)) return;
  // Its first letters were too few to be found.
  track.firstSeconds -= secondsOutside(track, place, { width: tools.format.width, isEnd: false });
  track.beforeSeconds = null;
}
