import type { ReadLine } from "../../models/read-line.ts";
import { extentOf } from "./text-extent.ts";
import { rasterOf, type TextFrame, windowAround } from "./text-frames.ts";
import { capitalHeight } from "./text-height.ts";
import { isSameShape, watchLetters } from "./text-change.ts";
import { isReady, measureContrast, settleTrack } from "./finalize-track.ts";
import { sliceLine } from "./text-slices.ts";
import { cutLine, heighten, home, makeTemplate, type Place } from "./text-template.ts";
import { findTrack, isStill, moveTrack, type Tools, type Track } from "./text-track.ts";

/** What cannot be followed is gone when no reading has shown it for so long. */
const unseenSeconds = 0.5;
/** In heights of a capital: half of a narrow letter. */
const leastJump = 0.2;
/** What has stood for less may be on its way in. */
const stoodSeconds = 0.3;

export function beginTrack(line: ReadLine, frame: TextFrame, tools: Tools): Track {
  const window = windowAround(extentOf(heighten(line.box)), tools.format);
  const cut = cutLine(rasterOf([frame], tools.format, window), window, line.box);
  const height = cut === null ? null : capitalHeight(cut.ink, line);
  const template = cut === null ? null : makeTemplate(cut, frame, tools.format);
  return {
    reading: line,
    script: null,
    box: line.box,
    template,
    place: home,
    velocity: { x: 0, y: 0 },
    readSeconds: frame.seconds,
    firstSeconds: frame.seconds,
    beforeSeconds: null,
    lastSeconds: frame.seconds,
    goneSeconds: null,
    isSettled: false,
    since: null,
    isReplaced: false,
    slices: cut === null || template === null ? null : sliceLine(cut, { template, frame, format: tools.format }),
    changes: [],
    weakChanges: [],
    calmFrames: 0,
    sameSeconds: frame.seconds,
    quietSeconds: frame.seconds,
    falseAlarms: 0,
    confirmed: null,
    jump: null,
    counterRun: 0,
    looks: [],
    steadyStep: null,
    height,
    letterLuminance: cut === null ? null : tools.meter.ofLetters(cut, height),
    contrast: null,
    passed: extentOf(line.box),
    movedSeconds: 0,
  };
}

/** Looks for the track in the next frame. */
export function followTrack(track: Track, frame: TextFrame, tools: Tools): void {
  if (track.isReplaced) return;
  if (track.template === null) {
    if (frame.seconds - track.lastSeconds > unseenSeconds) track.goneSeconds ??= frame.seconds;
    return;
  }
  const usual = track.looks.length === 0 ? 1 : Math.max(...track.looks.map(({ match }) => match));
  const found = findTrack(track, frame, {
    tools,
    from: track.place,
    seconds: frame.seconds - track.lastSeconds,
    usual,
  });
  if (found === null) {
    track.goneSeconds ??= frame.seconds;
    return;
  }
  const isJump = hasJumped(track, found.place);
  const isGuess = isStanding(track) && !isSameShape(track, found.look);
  if (isJump) track.jump = { seconds: frame.seconds, beforeSeconds: track.lastSeconds };
  steer(track, found.place, frame.seconds - track.lastSeconds);
  // One step is not yet a motion, and other letters may lie best a little beside the old ones.
  if (isJump || isGuess) track.velocity = { x: 0, y: 0 };
  track.goneSeconds = null;
  track.lastSeconds = frame.seconds;
  track.looks.push({ ...found.look, seconds: frame.seconds });
  if (track.looks.length > 12) track.looks.shift();
  watchLetters(track, { look: found.look, frame }, tools);
  // What stands beside its letters after a jump may be those of another line.
  if (track.isSettled && track.jump === null) measureContrast(track, { ...found, frame }, tools);
  else if (!track.isSettled && track.changes.length === 0 && isReady(track)) settleTrack(track, tools);
}

/** "£9.99" that becomes "£39.99" pushes its letters along by one. */
function hasJumped(track: Track, { dx, dy }: Place): boolean {
  const least = leastJump * (track.height ?? 0);
  const hasStood = track.movedSeconds === 0 && track.lastSeconds - track.readSeconds >= stoodSeconds;
  return (
    least > 0 &&
    hasStood &&
    isStill(track) &&
    Math.abs(dx - track.place.dx) >= least &&
    Math.abs(dy - track.place.dy) <= 2
  );
}

function isStanding({ velocity }: Track): boolean {
  return velocity.x === 0 && velocity.y === 0;
}

function steer(track: Track, place: Place, seconds: number): void {
  const step = { x: place.dx - track.place.dx, y: place.dy - track.place.dy };
  moveTrack(track, { from: track.place, to: place, seconds });
  track.place = place;
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
