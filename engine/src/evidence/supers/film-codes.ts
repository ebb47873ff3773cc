import type { Models } from "../../models/models.ts";
import type { PlanarFormat, Region, SuperEvidence } from "../evidence.ts";
import { type CodeMark, findCodeMarks } from "./code-marks.ts";
import { isAround, isSamePlace, placeCode, type PlacedCode, supersOfCodes } from "./picture-codes.ts";
import { rasterOf, type TextFrame, type Window, windowAround } from "./text-frames.ts";

/** The QR codes of a film. */
export type FilmCodes = {
  /** `earlier`: the frames before it, the latest first. */
  take: (frame: TextFrame, earlier: readonly TextFrame[]) => Promise<void>;
  /** Those so far. */
  seen: readonly FilmCode[];
};

export type FilmCode = PlacedCode & { startSeconds: number; endSeconds: number; looks: number };

const lookSeconds = 0.2;
/** Texture that has the marks of a code must not keep the reader busy. */
const longestWait = 1;
/** A code that was lost for a moment is the same. */
const longestGap = 1;
/** What cannot be read at one moment only may be texture. */
const leastUnreadLooks = 3;
/** Of two marks of one code: how much larger one may be, and how many of its parts they are apart at most. */
const largestRatio = 1.6;
const widestModules = 180;
/** Parts around the middle of a mark that belong to the code, with the light edge that readers need. */
const margin = 10;

export function createFilmCodes(format: PlanarFormat, models: Pick<Models, "readCodes">): FilmCodes {
  const codes: FilmCode[] = [];
  let last = -Infinity;
  let wait = 0;
  let asked = -Infinity;

  async function look(frame: TextFrame, window: Window): Promise<PlacedCode[]> {
    const found = await models.readCodes(rasterOf([frame], format, window));
    return found.map((code) => placeCode(code, format, window));
  }

  /** The frame in which it came: looks are seldom, and texture delays them. */
  async function findStart(
    code: FilmCode | undefined,
    { window, earlier }: { window: Window; earlier: readonly TextFrame[] },
  ): Promise<void> {
    for (const frame of code === undefined ? [] : earlier) {
      if (code === undefined || frame.seconds >= code.startSeconds) continue;
      const isThere = (await look(frame, window)).some(({ text }) => text === code.text);
      if (!isThere) return;
      code.startSeconds = frame.seconds;
    }
  }

  return {
    async take(frame, earlier) {
      const { seconds } = frame;
      if (seconds - last < lookSeconds) return;
      last = seconds;
      const luma = frame.yuv.subarray(0, format.width * format.height);
      const window = windowOf(findCodeMarks({ width: format.width, height: format.height, values: luma }), format);
      if (window === null || seconds - asked < wait) return;
      asked = seconds;
      const found = await look(frame, window);
      wait = found.length > 0 ? 0 : Math.min(longestWait, 2 * Math.max(wait, lookSeconds));
      for (const code of found) {
        const isNew = note(codes, code, seconds);
        if (isNew && code.text !== null) await findStart(codes.at(-1), { window, earlier });
      }
    },
    seen: codes,
  };
}

/** Adds the codes to the text of the film, in the place of what their squares were read as. */
export function addCodes(
  found: SuperEvidence,
  codes: readonly FilmCode[],
  { durationSeconds, displayHeight }: { durationSeconds: number; displayHeight: number },
): SuperEvidence {
  const seen = codes
    .filter(({ text, looks }) => text !== null || looks >= leastUnreadLooks)
    .map(({ text, region, startSeconds, endSeconds }) => ({
      text,
      region,
      startSeconds: Number(startSeconds.toFixed(3)),
      endSeconds: Number(Math.min(endSeconds + lookSeconds / 2, durationSeconds).toFixed(3)),
    }));
  if (seen.length === 0) return found;
  const isOfCode = ({ region, startSeconds, endSeconds }: SuperEvidence["supers"][number]) =>
    seen.some(
      (code) =>
        isAround(code.region, middleOf(region)) &&
        (startSeconds ?? 0) < code.endSeconds &&
        (endSeconds ?? Infinity) > code.startSeconds,
    );
  const { supers, omissions } = supersOfCodes(seen, displayHeight);
  const all = [...(found.omissions ?? []), ...omissions];
  return {
    ...found,
    supers: [...found.supers.filter((line) => !isOfCode(line)), ...supers],
    ...(all.length > 0 && { omissions: all }),
  };
}

/** The same code in two parts of a film. */
export function isSameCode(one: FilmCode, other: FilmCode): boolean {
  if (one.text !== null && other.text !== null) return one.text === other.text;
  return isSamePlace(one.region, other.region);
}

export function uniteCodes(earlier: FilmCode, later: FilmCode): FilmCode {
  return {
    ...earlier,
    text: earlier.text ?? later.text,
    region: unite(earlier.region, later.region),
    endSeconds: Math.max(earlier.endSeconds, later.endSeconds),
    looks: earlier.looks + later.looks,
  };
}

/** Whether it was not there before. */
function note(codes: FilmCode[], code: PlacedCode, seconds: number): boolean {
  const known = codes.findLast((other) => {
    if (seconds - other.endSeconds > longestGap) return false;
    if (code.text !== null && other.text !== null) return code.text === other.text;
    return isSamePlace(other.region, code.region);
  });
  if (known === undefined) {
    codes.push({ ...code, startSeconds: seconds, endSeconds: seconds, looks: 1 });
    return true;
  }
  known.text ??= code.text;
  known.region = code.text === null ? known.region : unite(known.region, code.region);
  known.endSeconds = seconds;
  known.looks += 1;
  return false;
}

/** All that may be codes, with what is around them; null: there are not two marks that belong together. */
function windowOf(marks: readonly CodeMark[], format: PlanarFormat): Window | null {
  const paired = marks.filter((one) => marks.some((other) => other !== one && mayBelong(one, other)));
  if (paired.length === 0) return null;
  const reach = (mark: CodeMark, sign: number) => sign * margin * mark.module;
  // Of three marks one may not have been seen: the code reaches as far again on every side.
  const [xs, ys] = [paired.map(({ x }) => x), paired.map(({ y }) => y)];
  const far = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const side = paired.length >= 3 ? 0 : far;
  return windowAround(
    {
      left: Math.min(...paired.map((mark) => mark.x + reach(mark, -1))) - side,
      right: Math.max(...paired.map((mark) => mark.x + reach(mark, 1))) + side,
      top: Math.min(...paired.map((mark) => mark.y + reach(mark, -1))) - side,
      bottom: Math.max(...paired.map((mark) => mark.y + reach(mark, 1))) + side,
    },
    format,
  );
}

function mayBelong(one: CodeMark, other: CodeMark): boolean {
  const [small, large] = [Math.min(one.module, other.module), Math.max(one.module, other.module)];
  return large <= largestRatio * small && Math.hypot(one.x - other.x, one.y - other.y) <= widestModules * large;
}

function unite(one: Region, other: Region): Region {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: Number((right - x).toFixed(4)), height: Number((bottom - y).toFixed(4)) };
}

function middleOf({ x, y, width, height }: Region): { x: number; y: number } {
  return { x: x + width / 2, y: y + height / 2 };
}
