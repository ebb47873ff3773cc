import type { Omission } from "../evidence.ts";
import { isSameCode, uniteCodes } from "../supers/film-codes.ts";
import { isSameLine, type SuperLine } from "../supers/super-lines.ts";
import type { FilmLines } from "../supers/supers.ts";
import { unitedExtent } from "../supers/text-extent.ts";
import type { FilmPart } from "./film-part.ts";
import { joinItems } from "./join-spans.ts";

/** The lines of all parts; one that stands over a cut is the same line to both. */
export function joinLines(parts: readonly { part: FilmPart; film: FilmLines }[]): FilmLines {
  const last = parts.findLast(({ film }) => film.format !== null)?.film;
  const omissions = parts.map(({ part, film }) => ({ part, items: film.omissions.map(withTimes) }));
  return {
    format: last?.format ?? null,
    durationSeconds: last?.durationSeconds ?? 0,
    readerCalls: parts.reduce((sum, { film }) => sum + film.readerCalls, 0),
    lines: joinItems(
      parts.map(({ part, film }) => ({ part, items: film.lines })),
      {
        isSame: (earlier, later) => isSameLine({ ...earlier, isReplaced: false }, { ...later, isReplacing: false }),
        unite: uniteLines,
      },
    ),
    codes: joinItems(
      parts.map(({ part, film }) => ({ part, items: film.codes })),
      { isSame: isSameCode, unite: uniteCodes },
    ),
    omissions: joinItems(omissions, {
      isSame: (one, other) => one.what === other.what,
      unite: (earlier, later) => ({ ...earlier, endSeconds: Math.max(earlier.endSeconds, later.endSeconds) }),
    }),
  };
}

/** It was read when it came; the later part knows what became of it. */
function uniteLines(earlier: SuperLine, later: SuperLine): SuperLine {
  const contrasts = [earlier.contrast, later.contrast].filter((value) => value !== null);
  const isMoving = earlier.isMoving || later.isMoving;
  return {
    ...earlier,
    endSeconds: Number.isFinite(earlier.endSeconds) ? earlier.endSeconds : later.endSeconds,
    contrast: contrasts.length === 0 ? null : Math.min(...contrasts),
    extent: isMoving ? unitedExtent(earlier.extent, later.extent) : earlier.extent,
    isMoving,
    isReplaced: later.isReplaced ?? false,
    isClock: earlier.isClock === true || later.isClock === true,
  };
}

function withTimes(omission: Omission): Omission & { startSeconds: number; endSeconds: number } {
  const { startSeconds = 0, endSeconds = startSeconds } = omission;
  return { ...omission, startSeconds, endSeconds };
}
