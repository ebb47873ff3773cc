import type { Models } from "../../models/models.ts";
import type { Box } from "../../models/read-line.ts";
import { doubleRaster } from "../pixels/double-raster.ts";
import type { Raster } from "../pixels/raster.ts";
import { measure, type MeasuredLine } from "./measured-line.ts";
import { type Extent, extentOf, unitedExtent } from "./text-extent.ts";
import { cutPicture, readTiles, shiftLine } from "./text-tiles.ts";
import { findTinyPrint, isReadOver } from "./tiny-print.ts";

export const tinyPrint = "A line of print is too small to be read.";

/** Pixels around print that are read with it. */
const margin = 16;
/** Lines that are no farther apart than this are read together. */
const nearRows = 48;
/** Most that is enlarged, of one sheet: a texture that looks like print must not keep the reader busy. */
const maxGroups = 4;
const maxGroupPixels = 2 ** 20;

/** What is so small that the reader does not see it is enlarged for it, and named where that does not help. */
export async function readTinyPrint(
  models: Pick<Models, "readText">,
  { raster, image, found }: { raster: Raster; image: { width: number }; found: readonly MeasuredLine[] },
): Promise<MeasuredLine[]> {
  const grown = image.width / raster.width;
  const isRead = (print: Extent, lines: readonly MeasuredLine[]) => {
    const read = lines.filter(({ line }) => line.text !== "").map(({ line }) => scaled(extentOf(line.box), 1 / grown));
    return isReadOver(print, read);
  };
  const prints = findTinyPrint(raster).filter((print) => !isRead(print, found));
  const lines: MeasuredLine[] = [];
  for (const around of groupsOf(prints).slice(0, maxGroups)) {
    const [x, y] = [Math.max(0, around.left - margin), Math.max(0, around.top - margin)];
    const width = Math.min(raster.width, around.right + margin) - x;
    const height = Math.min(raster.height, around.bottom + margin) - y;
    if (width * height > maxGroupPixels) continue;
    const large = doubleRaster(doubleRaster(cutPicture(raster, { x, y, width, height })));
    for (const each of await readTiles(models, large)) {
      if (each.text === "") continue;
      const { line, ...rest } = measure(each, large, grown / 4);
      lines.push({ ...rest, line: shiftLine(line, { x: x * grown, y: y * grown }) });
    }
  }
  return [
    ...lines,
    ...prints.filter((print) => !isRead(print, [...found, ...lines])).map((print) => unread(scaled(print, grown))),
  ];
}

/** Lines of one block of print, the longest first. */
function groupsOf(prints: readonly Extent[]): Extent[] {
  const groups: Extent[] = [];
  for (const print of prints.toSorted((a, b) => a.top - b.top)) {
    const index = groups.findIndex(
      ({ left, right, bottom }) => print.top - bottom <= nearRows && print.left <= right && print.right >= left,
    );
    const group = groups[index];
    if (group === undefined) groups.push(print);
    else groups[index] = unitedExtent(group, print);
  }
  return groups.toSorted((a, b) => b.right - b.left - (a.right - a.left));
}

function scaled({ left, right, top, bottom }: Extent, by: number): Extent {
  return { left: left * by, right: right * by, top: top * by, bottom: bottom * by };
}

function unread({ left, right, top, bottom }: Extent): MeasuredLine {
  const box: Box = [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
  return { line: { text: "", confidence: 0, box, letters: [] }, height: null, contrast: null, isTiny: true };
}
