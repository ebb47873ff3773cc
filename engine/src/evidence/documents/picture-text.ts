import type { Models } from "../../models/models.ts";
import type { ReadLine } from "../../models/read-line.ts";
import type { Omission } from "../evidence.ts";
import type { Raster } from "../pixels/raster.ts";
import { isInCode, type PlacedCode, readPictureCodes, supersOfCodes } from "../supers/picture-codes.ts";
import { groupByDirection, turnBack, turnUpright } from "../supers/reading-direction.ts";
import { isText } from "../supers/super-lines.ts";
import { cutPicture, readTiles, shiftLine } from "../supers/text-tiles.ts";
import { readAnyWay } from "../supers/turned-picture.ts";
import { foreignScript, omissionsOf, regionOf } from "../supers/unread-lines.ts";
import { orderParagraphs, type Paragraph, type Piece } from "./reading-order.ts";

/** Of 255: paper that was scanned is not all of one white. */
const blankSpread = 24;
/** Pictures are looked for in squares of so many pixels; text around a picture is nearer than its squares. */
const cell = 32;
/** Smaller than this holds no word. */
const leastSide = 12;
/** Many small parts are read faster as one picture. */
const maxParts = 8;

type Tile = { x: number; y: number; width: number; height: number };

/** The paragraphs of a picture, with places in fractions of it, and what was seen in it and not read. */
export type PictureText = { paragraphs: Paragraph[]; omissions: Omission[] };

export async function readPictureText(
  models: Pick<Models, "readText" | "readCodes">,
  picture: Raster,
): Promise<PictureText> {
  const lines: ReadLine[] = [];
  const seen: ReadLine[] = [];
  const codes = await readPictureCodes(models, [picture]);
  for (const part of partsOf(picture)) {
    const all = await readAnyWay(cutPicture(picture, part), (turned) => readTiles(models, turned));
    const read = all.map((line) => shiftLine(line, part)).filter(({ box }) => !isInCode(box, picture, codes));
    seen.push(...read);
    lines.push(...read.filter((line) => isText(line) && foreignScript(line) === null));
  }
  return {
    paragraphs: [...paragraphsOf(lines, picture), ...codes.flatMap(paragraphOfCode)],
    omissions: [...omissionsOf(seen, picture), ...supersOfCodes(codes, picture.height).omissions],
  };
}

/** A page that lies on its side is read as if it stood upright. */
function paragraphsOf(lines: readonly ReadLine[], picture: Raster): Paragraph[] {
  return groupByDirection(lines, (line) => line).flatMap(([direction, group]) => {
    const pieces = group.map(({ text, box }): Piece => ({
      text,
      region: turnUpright(regionOf(box, picture), direction),
      isHidden: false,
    }));
    return orderParagraphs(pieces).map((paragraph) => ({
      ...paragraph,
      region: turnBack(paragraph.region, direction),
    }));
  });
}

function paragraphOfCode({ text, region }: PlacedCode): Paragraph[] {
  return text === null ? [] : [{ text, region, isHidden: false }];
}

/** The parts of the picture that are not blank, apart from each other. A page with a logo need not be searched whole. */
function partsOf(picture: Raster): Tile[] {
  const columns = Math.ceil(picture.width / cell);
  const rows = Math.ceil(picture.height / cell);
  const isFilled = Array.from(
    { length: columns * rows },
    (_, index) => !isBlankCell(picture, index % columns, Math.floor(index / columns)),
  );
  const seen = new Set<number>();
  const parts: Tile[] = [];
  for (let index = 0; index < isFilled.length; index += 1) {
    if (isFilled[index] !== true || seen.has(index)) continue;
    const part = spread(index, { columns, rows, isFilled, seen });
    if (part.width >= leastSide && part.height >= leastSide) parts.push(clip(part, picture));
  }
  if (parts.length <= maxParts) return parts;
  return [parts.reduce(unite)];
}

/** All filled squares that touch each other, over a gap of one. */
function spread(from: number, grid: { columns: number; rows: number; isFilled: boolean[]; seen: Set<number> }): Tile {
  const { columns, rows, isFilled, seen } = grid;
  let [left, right, top, bottom] = [Infinity, 0, Infinity, 0];
  const open = [from];
  seen.add(from);
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const [x, y] = [index % columns, Math.floor(index / columns)];
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    for (let nextY = Math.max(0, y - 2); nextY <= Math.min(rows - 1, y + 2); nextY += 1) {
      for (let nextX = Math.max(0, x - 2); nextX <= Math.min(columns - 1, x + 2); nextX += 1) {
        const next = nextY * columns + nextX;
        if (isFilled[next] !== true || seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
    }
  }
  return { x: left * cell, y: top * cell, width: (right - left) * cell, height: (bottom - top) * cell };
}

function clip({ x, y, width, height }: Tile, picture: Raster): Tile {
  return { x, y, width: Math.min(width, picture.width - x), height: Math.min(height, picture.height - y) };
}

function unite(a: Tile, b: Tile): Tile {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** Blank is what is nearly white or shows nothing: the ground of a page that is all of one colour is no picture. */
function isBlankCell({ width, height, pixels }: Raster, column: number, row: number): boolean {
  let [least, most] = [255, 0];
  for (let y = row * cell; y < Math.min(height, (row + 1) * cell); y += 1) {
    for (
      let at = (y * width + column * cell) * 3;
      at < (y * width + Math.min(width, (column + 1) * cell)) * 3;
      at += 1
    ) {
      const value = pixels[at] ?? 0;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    if (most - least >= blankSpread) return false;
  }
  return true;
}
