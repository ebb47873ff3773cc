import type { Models } from "../../models/models.ts";
import type { Box } from "../../models/read-line.ts";
import { doubleRaster } from "../pixels/double-raster.ts";
import type { Raster } from "../pixels/raster.ts";
import { measure, type MeasuredLine } from "./measured-line.ts";
import { type Extent, extentOf, overlapOf, unitedExtent } from "./text-extent.ts";
import { cutPicture, readTiles, shiftLine } from "./text-tiles.ts";
import { findTinyPrint } from "./tiny-print.ts";

export const tinyPrint = "A line of print is too small to be read.";

/** Of a line of print that a reading lies over, and pixels around it that are read with it. */
const covered = 0.5;
const margin = 16;

/** What is so small that the reader does not see it is enlarged for it, and named where that does not help. */
export async function readTinyPrint(
  models: Pick<Models, "readText">,
  { raster, image, found }: { raster: Raster; image: { width: number }; found: readonly MeasuredLine[] },
): Promise<MeasuredLine[]> {
  const grown = image.width / raster.width;
  const isRead = (print: Extent, lines: readonly MeasuredLine[]) =>
    lines.some(({ line }) => line.text !== "" && overlapOf(scaled(print, grown), extentOf(line.box)) >= covered);
  const prints = findTinyPrint(raster).filter((print) => !isRead(print, found));
  if (prints.length === 0) return [];
  const around = prints.reduce(unitedExtent);
  const [x, y] = [Math.max(0, around.left - margin), Math.max(0, around.top - margin)];
  const width = Math.min(raster.width, around.right + margin) - x;
  const height = Math.min(raster.height, around.bottom + margin) - y;
  const large = doubleRaster(doubleRaster(cutPicture(raster, { x, y, width, height })));
  const read = (await readTiles(models, large)).filter(({ text }) => text !== "");
  const lines = read.map((each) => {
    const { line, ...rest } = measure(each, large, grown / 4);
    return { ...rest, line: shiftLine(line, { x: x * grown, y: y * grown }) };
  });
  return [...lines, ...prints.filter((print) => !isRead(print, lines)).map((print) => unread(scaled(print, grown)))];
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
