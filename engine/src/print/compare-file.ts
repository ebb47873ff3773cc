import type { Region } from "../evidence/evidence.ts";
import { probeFile } from "../evidence/probe/probe.ts";
import type { Probe } from "../evidence/probe/probe-shape.ts";
import { defaultMaxDurationSeconds } from "../evidence/probe/too-long.ts";
import type { Models } from "../models/models.ts";
import { compareFilms, placeFilm } from "./compare/compare-films.ts";
import { comparePages, compareStills, type DocumentLooks } from "./compare/compare-pages.ts";
import type { Comparison } from "./compare/comparison.ts";
import { frameSecondsOf, startDifference } from "./compare/align.ts";
import type { Sampling } from "./film-print.ts";
import type { ContentPrint } from "./make-print.ts";
import type { PicturePrint, Print } from "./print.ts";
import { type PrintedFile, printFile } from "./print-file.ts";

/**
 * Decodes a file once, or again where it is shifted or cropped, and compares it with the print of what was cleared.
 * `known`: the print that was made when the file was analysed, which saves the first decode.
 */
export async function compareFile(
  master: Print,
  options: PrintedFile & { models: Models; known?: Print | undefined; signal?: AbortSignal | undefined },
): Promise<Comparison> {
  const nothing = { offsetSeconds: 0, differences: [], notes: [], figures: {} };
  if (options.sha256 === master.sha256) return { match: "IDENTICAL", ...nothing };
  const sampling = master.picture === null ? undefined : samplingOf(master.picture, null);
  const first =
    options.known !== undefined && isSampledAlike(master, options.known)
      ? { probe: await probeFile({ ...options, maxDurationSeconds: defaultMaxDurationSeconds }), print: options.known }
      : await printFile({ ...options, ...(sampling && { sampling }) });
  let { probe } = first;
  let other: ContentPrint = first.print;
  if (probe.kind !== master.kind) return { match: "DIFFERENT", ...nothing };
  if (master.kind === "document") return comparePages(master, other, looksOf(options.mediaType.contentType));
  const isStill = master.picture !== null && master.picture.framesPerSecond === null && probe.video === null;
  if (isStill && master.picture !== null && other.picture !== null) return compareStills(master.picture, other.picture);
  const again = async (wanted: Sampling) => (await printFile({ ...options, probe, sampling: wanted })).print;
  if (master.picture !== null && other.picture !== null) {
    const window = windowOf(master.picture, other.picture);
    if (window !== wholeWindow) {
      probe = reframed(probe, window);
      other = await again(samplingOf(master.picture, null));
    }
  }
  const place = placeFilm(master, other);
  if (place === null) return { match: "DIFFERENT", ...nothing };
  const { offsetSeconds } = place;
  if (master.picture !== null && other.picture !== null) {
    const isShifted =
      Math.abs(offsetSeconds - startDifference(master.picture, other.picture)) > 0.3 * frameSecondsOf(other.picture);
    const start = (master.picture.times[0] ?? 0) + offsetSeconds;
    if (isShifted) other = await again(samplingOf(master.picture, start));
  }
  return compareFilms(master, other, offsetSeconds);
}

function isSampledAlike({ picture: a }: Print, { picture: b }: Print): boolean {
  return a === null || b === null || (a.stepSeconds === b.stepSeconds && a.columns === b.columns && a.rows === b.rows);
}

function looksOf(contentType: string): DocumentLooks {
  if (contentType === "application/pdf") return "drawn";
  return contentType.startsWith("text/") || contentType === "application/x-subrip" ? "words alone" : "unknown";
}

function samplingOf({ stepSeconds, columns, rows }: PicturePrint, startSeconds: number | null): Sampling {
  return { startSeconds, stepSeconds, columns, rows };
}

/**
 * With bars where the master has them, and none where it has none. Done by the decoder: a picture that is made smaller
 * in another proportion gives every edge another brightness.
 */
function reframed(probe: Probe, { width: across, height: down }: Region): Probe {
  const { video } = probe;
  if (video === null) return probe;
  const side = (name: string, factor: number) => (factor === 1 ? name : `2*trunc(${name}*${factor}/2+0.5)`);
  const isSideways = video.rotationDegrees % 180 !== 0;
  const size = isSideways ? `${side("iw", down)}:${side("ih", across)}` : `${side("iw", across)}:${side("ih", down)}`;
  const reframe = across > 1 || down > 1 ? `pad=${size}:-1:-1:black` : `crop=${size}`;
  const displayWidth = 2 * Math.round((video.displayWidth * across) / 2);
  const displayHeight = 2 * Math.round((video.displayHeight * down) / 2);
  return { ...probe, video: { ...video, reframe, displayWidth, displayHeight } };
}

const wholeWindow: Region = { x: 0, y: 0, width: 1, height: 1 };

/** Bars of more than this share are bars; less is the rounding of a size. */
const sameShape = 0.01;

/**
 * Where the whole of the master's picture is in the other one, when black bars were cut off or added: both show the
 * middle. Whether that is so, the comparison will tell.
 */
function windowOf(master: PicturePrint, other: PicturePrint): Region {
  const ratio = other.displayWidth / other.displayHeight / (master.displayWidth / master.displayHeight);
  if (Math.abs(ratio - 1) < sameShape) return wholeWindow;
  const [hasBarsAbove, hasBarsBeside] = [hasBars(master, "rows"), hasBars(master, "columns")];
  const centred = (size: number) => ({ start: (1 - size) / 2, size });
  // The other is wider: bars above and below are gone, or there are new ones at the sides.
  const [across, down] =
    ratio > 1
      ? hasBarsAbove
        ? [centred(1), centred(ratio)]
        : [centred(1 / ratio), centred(1)]
      : hasBarsBeside
        ? [centred(1 / ratio), centred(1)]
        : [centred(1), centred(ratio)];
  return { x: across.start, width: across.size, y: down.start, height: down.size };
}

function hasBars({ grid, columns, rows }: PicturePrint, along: "rows" | "columns"): boolean {
  const cells = columns * rows;
  for (let start = 0; start + cells <= grid.length; start += cells)
    for (let place = 0; place < (along === "rows" ? columns : rows); place++) {
      const ends =
        along === "rows" ? [place, cells - columns + place] : [place * columns, place * columns + columns - 1];
      if (ends.some((cell) => (grid[start + cell] as number) > 24)) return false;
    }
  return true;
}
