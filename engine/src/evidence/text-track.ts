import type { ReadLine } from "../models/read-line.ts";
import type { PlanarFormat } from "./evidence.ts";
import { type ContrastMeter, contrastRatio } from "./text-contrast.ts";
import { type Extent, extentOf } from "./text-extent.ts";
import { type FrameMemory, rasterOf, type TextFrame, windowAround } from "./text-frames.ts";
import { capitalHeight } from "./text-height.ts";
import { findTemplate, type Found } from "./text-search.ts";
import { cutLine, heighten, type Look, lookAt, makeTemplate, type Place, type Template } from "./text-template.ts";

/** A line of text from frame to frame. */
export type Track = {
  /** The surest. */
  reading: ReadLine;
  /** Null: too few places to follow it by; it is there for as long as readings show it. */
  template: Template | null;
  /** How far it is from where its template was taken. */
  place: Place;
  /** Pixels a second. */
  velocity: { x: number; y: number };
  /** The frame that it was first read on. */
  readSeconds: number;
  /** The first frame that shows it, as far as is known, and the last one before that does not. */
  firstSeconds: number;
  beforeSeconds: number | null;
  /** The last frame that shows it, and the first one after that does not. */
  lastSeconds: number;
  goneSeconds: number | null;
  isSettled: boolean;
  /** The last frames that showed it. */
  looks: (Look & { seconds: number })[];
  /** Levels between letters and ground at full strength, when what is behind stands still; null: it moves. */
  steadyStep: number | null;
  /** Of a capital, in pixels. */
  height: number | null;
  letterLuminance: number | null;
  contrast: number | null;
  /** Everything that it passed through. */
  passed: Extent;
};

export type Tools = { format: PlanarFormat; memory: FrameMemory; meter: ContrastMeter };

/** Below this nothing of the letters is left to be seen. */
const leastMatch = 0.4;
/** Found somewhere else: only if it is nearly as clear as where it was. */
const sureMatch = 0.6;
/** A fade counts from half of the strength on; contrast is that of the full strength. */
const halfStrength = 0.5;
const fullStrength = 0.93;
const settleSeconds = 0.4;
const latestSettleSeconds = 1.2;
/** Of 255: letters that still change are still fading. */
const steadyLevels = 5;
/** What cannot be followed is gone when no reading has shown it for so long. */
const unseenSeconds = 0.5;
/** Pixels that a place may be off without the text having moved. */
const stillPixels = 2;
/** Of the points of a ticker: what is left of it when it has gone. */
const leastInside = 0.05;

export function beginTrack(line: ReadLine, frame: TextFrame, tools: Tools): Track {
  const passed = extentOf(line.box);
  const window = windowAround(extentOf(heighten(line.box)), tools.format);
  const cut = cutLine(rasterOf([frame], tools.format, window), window, line.box);
  const height = cut === null ? null : capitalHeight(cut.ink, line);
  return {
    reading: line,
    template: cut === null ? null : makeTemplate(cut, frame, tools.format),
    place: { dx: 0, dy: 0 },
    velocity: { x: 0, y: 0 },
    readSeconds: frame.seconds,
    firstSeconds: frame.seconds,
    beforeSeconds: null,
    lastSeconds: frame.seconds,
    goneSeconds: null,
    isSettled: false,
    looks: [],
    steadyStep: null,
    height,
    letterLuminance: cut === null ? null : tools.meter.ofLetters(cut, height),
    contrast: null,
    passed: { ...passed },
  };
}

/** Looks for the track in the next frame. */
export function followTrack(track: Track, frame: TextFrame, tools: Tools): void {
  if (track.template === null) {
    if (frame.seconds - track.lastSeconds > unseenSeconds) track.goneSeconds ??= frame.seconds;
    return;
  }
  const usual = track.looks.at(-1)?.match ?? 1;
  const found = search(track, frame, { tools, from: track.place, seconds: frame.seconds - track.lastSeconds, usual });
  if (found === null) {
    track.goneSeconds ??= frame.seconds;
    return;
  }
  steer(track, found.place, frame.seconds - track.lastSeconds);
  track.goneSeconds = null;
  track.lastSeconds = frame.seconds;
  track.looks.push({ ...found.look, seconds: frame.seconds });
  if (track.looks.length > 12) track.looks.shift();
  if (track.isSettled) measureContrast(track, { ...found, frame }, tools);
  else if (isReady(track)) settleTrack(track, tools);
}

/** Once it is there in full strength, or before it is given up: measures it and looks back for when it came. */
export function settleTrack(track: Track, tools: Tools): void {
  if (track.isSettled) return;
  track.isSettled = true;
  if (isStill(track)) refine(track, tools);
  rememberStep(track);
  findStart(track, tools);
}

/** Text that comes to rest somewhere else than it was read has moved all the same. */
export function isMoving(track: Track): boolean {
  const { passed } = track;
  const first = extentOf(track.reading.box);
  const travelled = Math.max(
    passed.right - passed.left - (first.right - first.left),
    passed.bottom - passed.top - (first.bottom - first.top),
  );
  return travelled > 2 * (track.height ?? first.bottom - first.top);
}

function isStill({ place }: Track): boolean {
  return Math.abs(place.dx) <= stillPixels && Math.abs(place.dy) <= stillPixels;
}

function isReady({ readSeconds, lastSeconds, looks }: Track): boolean {
  const shown = lastSeconds - readSeconds;
  const [last, before] = [looks.at(-1), looks.at(-3)];
  if (last === undefined || before === undefined) return false;
  const isSteady = Math.abs(last.ink - before.ink) < steadyLevels;
  return shown >= latestSettleSeconds || (shown >= settleSeconds && isSteady);
}

/** Where the track is in a frame that is so many seconds away; null: it is not there, or hardly. */
function search(
  track: Track,
  frame: TextFrame,
  { tools, from, seconds, usual }: { tools: Tools; from: Place; seconds: number; usual: number },
): Found | null {
  const { template, velocity } = track;
  if (template === null) return null;
  const around = { dx: Math.round(from.dx + velocity.x * seconds), dy: Math.round(from.dy + velocity.y * seconds) };
  const found = findTemplate(template, frame, { format: tools.format, around, wanted: 0.85 * usual });
  const isNear = Math.abs(found.place.dx - around.dx) + Math.abs(found.place.dy - around.dy) <= 3;
  if (found.look.match < (isNear ? leastMatch : Math.max(sureMatch, 0.8 * usual))) return null;
  if (strengthOf(track, found.look) < halfStrength || hasLeft(track, found, tools)) return null;
  return found;
}

/** 1: as strong as it gets. Over a moving picture the letters' own level tells, over a still one the step to it. */
export function strengthOf({ steadyStep, template }: Track, { ink, ground }: Pick<Look, "ink" | "ground">): number {
  const full = steadyStep ?? (template?.inkLevel ?? ink) - ground;
  return Math.abs(full) < 8 ? 1 : (ink - ground) / full;
}

/** A line that scrolls counts while it is whole, a ticker as long as there is some of it. */
function hasLeft({ template, velocity }: Track, { look, place }: Found, { format }: Tools): boolean {
  if (template === null || (velocity.x === 0 && velocity.y === 0)) return false;
  if (Math.abs(velocity.x) > Math.abs(velocity.y)) return look.inside < leastInside;
  return template.extent.top + place.dy < 1 || template.extent.bottom + place.dy > format.height - 1;
}

function steer(track: Track, place: Place, seconds: number): void {
  const step = { x: place.dx - track.place.dx, y: place.dy - track.place.dy };
  track.place = place;
  spread(track, place);
  if (seconds <= 0) return;
  // A pixel to and fro is noise; text that moves is ahead of it soon.
  if (isStill(track)) {
    track.velocity = { x: 0, y: 0 };
    return;
  }
  const smooth = (old: number, now: number) => (old === 0 ? now : 0.6 * old + 0.4 * now);
  track.velocity = {
    x: Math.abs(step.x) <= 1 && Math.abs(track.velocity.x) < 10 ? 0 : smooth(track.velocity.x, step.x / seconds),
    y: Math.abs(step.y) <= 1 && Math.abs(track.velocity.y) < 10 ? 0 : smooth(track.velocity.y, step.y / seconds),
  };
}

function spread({ passed, template }: Track, { dx, dy }: Place): void {
  if (template === null) return;
  const { extent } = template;
  passed.left = Math.min(passed.left, extent.left + dx);
  passed.right = Math.max(passed.right, extent.right + dx);
  passed.top = Math.min(passed.top, extent.top + dy);
  passed.bottom = Math.max(passed.bottom, extent.bottom + dy);
}

/** Reads letters, height and colours off the mean of several frames, in which what moves behind them fades. */
function refine(track: Track, tools: Tools): void {
  const line = track.reading;
  const lastInk = track.looks.at(-1)?.ink ?? 0;
  const isFull = (at: number) =>
    track.looks.some(({ seconds, ink }) => seconds === at && Math.abs(ink - lastInk) < steadyLevels);
  const shown = tools.memory
    .backwards()
    .filter(({ seconds }) => isFull(seconds))
    .slice(0, 6);
  const [latest] = shown;
  if (latest === undefined) return;
  const window = windowAround(extentOf(heighten(line.box)), tools.format);
  const cut = cutLine(rasterOf(shown, tools.format, window), window, line.box);
  const template = cut === null ? null : makeTemplate(cut, latest, tools.format);
  if (cut === null || template === null) return;
  const matchOf = (candidate: Template | null) =>
    candidate === null ? 0 : lookAt(candidate, latest, tools.format, track.place).match;
  // The mean shows the letters worse where they moved: then what was read off one frame stays.
  if (matchOf(template) < 0.8 * matchOf(track.template)) return;
  track.template = template;
  track.height = capitalHeight(cut.ink, line) ?? track.height;
  track.letterLuminance = tools.meter.ofLetters(cut, track.height);
  track.looks = shown.toReversed().map((frame) => ({
    ...lookAt(template, frame, tools.format, track.place),
    seconds: frame.seconds,
  }));
}

function rememberStep(track: Track): void {
  const last = track.looks.at(-1);
  if (last === undefined || track.template === null) return;
  const grounds = track.looks.slice(-6).map(({ ground }) => ground);
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
    const found = search(track, frame, { tools, from: place, seconds: frame.seconds - at, usual });
    if (found === null) {
      if (track.beforeSeconds !== null) return;
      track.beforeSeconds = frame.seconds;
      continue;
    }
    track.beforeSeconds = null;
    track.firstSeconds = Math.min(track.firstSeconds, frame.seconds);
    at = frame.seconds;
    ({ place } = found);
    spread(track, place);
    measureContrast(track, { ...found, frame }, tools);
  }
}

function measureContrast(track: Track, { look, place, frame }: Found & { frame: TextFrame }, tools: Tools): void {
  const { template, letterLuminance } = track;
  if (template === null || letterLuminance === null || strengthOf(track, look) < fullStrength) return;
  const ratio = contrastRatio(letterLuminance, tools.meter.ofGround(template, frame, place));
  track.contrast = Math.min(track.contrast ?? ratio, ratio);
}
