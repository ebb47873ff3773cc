import type { Box, ReadLine } from "../../models/read-line.ts";
import type { PlanarFormat } from "../evidence.ts";
import type { ContrastMeter, SeenContrast } from "./text-contrast.ts";
import { type Extent, extentOf } from "./text-extent.ts";
import type { FrameMemory, TextFrame } from "./text-frames.ts";
import { findTemplate, type Found } from "./template-search.ts";
import type { DrawnChange, LineSlices } from "./text-slices.ts";
import { type Look, originOf, type Place, type Template } from "./text-template.ts";

/** A line of text from frame to frame. */
export type Track = {
  /** The surest. */
  reading: ReadLine;
  /** Named by the second reader, when it is one that is not read. */
  script: string | null;
  /** Where its template was taken. */
  box: Box;
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
  /** It took the place of another line: before this frame its letters are those of the other. */
  since: { seconds: number; beforeSeconds: number; isReplacing: boolean } | null;
  /** Another line took its place. */
  isReplaced: boolean;
  /** By which a single letter that changes is noticed; null: it cannot be. */
  slices: LineSlices | null;
  changes: DrawnChange[];
  /** Cells that are drawn a little otherwise, which may be the picture behind. */
  weakChanges: DrawnChange[];
  /** For so many frames now every cell of its letters is drawn as it was. */
  calmFrames: number;
  /** The last frame in which its letters were looked at. */
  sameSeconds: number;
  /** Changes are not looked into before this time. */
  quietSeconds: number;
  falseAlarms: number;
  /** What it was read as when its letters last seemed to have changed and had not; the last frame of that reading. */
  confirmed: { line: ReadLine; seconds: number } | null;
  /** It stood still and was found beside its place at once: most of its letters may be those of a longer or shorter line. */
  jump: { seconds: number; beforeSeconds: number } | null;
  /** How many figures of the same shape have taken each other's place just before. */
  counterRun: number;
  /** The last frames that showed it. */
  looks: (Look & { seconds: number })[];
  /** Levels between letters and ground at full strength, when what is behind stands still; null: it moves. */
  steadyStep: number | null;
  /** Of a capital, in pixels. */
  height: number | null;
  letterLuminance: number | null;
  contrast: SeenContrast | null;
  /** Everything that it passed through, and how long it took. */
  passed: Extent;
  movedSeconds: number;
};

export type Tools = { format: PlanarFormat; memory: FrameMemory; meter: ContrastMeter };

/** Below this nothing of the letters is left to be seen. */
const leastMatch = 0.4;
/** Found somewhere else: only if it is nearly as clear as where it was. */
const sureMatch = 0.6;
/** A fade counts from half of the strength on. */
const halfStrength = 0.5;
/** Pixels that a place may be off without the text having moved. */
const stillPixels = 2;
/** Of the points of a ticker: what is left of it when it has gone. */
const leastInside = 0.05;

/** Where the track is in a frame that is so many seconds away; null: it is not there, or hardly. */
export function findTrack(
  track: Track,
  frame: TextFrame,
  { tools, from, seconds, usual }: { tools: Tools; from: Place; seconds: number; usual: number },
): Found | null {
  const { template, velocity } = track;
  if (template === null) return null;
  const around = {
    dx: Math.round(from.dx + velocity.x * seconds),
    dy: Math.round(from.dy + velocity.y * seconds),
    scale: from.scale,
  };
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

/** Text that comes in, stands and goes is not moving. */
export function isMoving({ passed, box, height, movedSeconds, firstSeconds, lastSeconds }: Track): boolean {
  const own = extentOf(box);
  const travelled = Math.max(
    passed.right - passed.left - (own.right - own.left),
    passed.bottom - passed.top - (own.bottom - own.top),
  );
  const isFar = travelled > 2 * (height ?? own.bottom - own.top);
  return isFar && movedSeconds > 0.4 * (lastSeconds - firstSeconds);
}

export function isStill({ place }: Track): boolean {
  return Math.abs(place.dx) <= stillPixels && Math.abs(place.dy) <= stillPixels && Math.abs(place.scale - 1) < 0.01;
}

/** Goes to another place, so many seconds later or earlier. */
export function moveTrack(track: Track, { from, to, seconds }: { from: Place; to: Place; seconds: number }): void {
  if (Math.abs(to.dx - from.dx) + Math.abs(to.dy - from.dy) > 1) track.movedSeconds += Math.abs(seconds);
  if (track.template === null) return;
  const { extent } = track.template;
  const { passed } = track;
  const origin = originOf(track.template, to);
  passed.left = Math.min(passed.left, extent.left * to.scale + origin.x);
  passed.right = Math.max(passed.right, extent.right * to.scale + origin.x);
  passed.top = Math.min(passed.top, extent.top * to.scale + origin.y);
  passed.bottom = Math.max(passed.bottom, extent.bottom * to.scale + origin.y);
}
