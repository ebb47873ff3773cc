import { frameOf } from "../../models/ocr/line-frame.ts";
import type { Models } from "../../models/models.ts";
import type { Box, ReadLine, ReadOptions } from "../../models/read-line.ts";
import type { Raster } from "../pixels/raster.ts";
import { type Extent, extentOf, overlapOfBoxes, shiftBox, unitedExtent } from "./text-extent.ts";

/** What the reader takes without losing small print, and what a letter of it may be high. */
const tileWidth = 1280;
const tileHeight = 1000;
const shared = 120;
/** A picture that is hardly larger is read as it is. */
const slack = 1.2;
/** Pixels from the edge of a tile: a line that comes so near is cut. */
const nearEdge = 4;
/** Of the smaller of two boxes: lines of one paragraph overlap by a third at most. */
const twinOverlap = 0.6;

type Tile = { x: number; y: number; width: number; height: number };

/** Reads a picture of any size in pieces that overlap. Lines that no piece has whole are put together and read once more. */
export async function readTiles(
  models: Pick<Models, "readText">,
  picture: Raster,
  options: Pick<ReadOptions, "skip"> = {},
): Promise<ReadLine[]> {
  const whole: ReadLine[] = [];
  const cut: Extent[] = [];
  for (const y of cutSide(picture.height, tileHeight)) {
    for (const x of cutSide(picture.width, tileWidth)) {
      const tile = { x: x.from, y: y.from, width: x.to - x.from, height: y.to - y.from };
      const skip = options.skip?.map((box) => shiftBox(box, { x: -tile.x, y: -tile.y })) ?? [];
      for (const line of await models.readText(cutPicture(picture, tile), { skip, isStill: true })) {
        const moved = shiftLine(line, tile);
        const edges = edgesOf(extentOf(moved.box), tile, picture);
        if (edges.isCutAcross) cut.push(extentOf(moved.box));
        else if (!edges.isCutDown) whole.push(moved);
      }
    }
  }
  const joined = await readJoined(models, picture, uniteCut(cut, whole));
  return withoutTwins([...whole, ...joined]);
}

/** The fewest pieces of that length that overlap enough. */
function cutSide(length: number, most: number): { from: number; to: number }[] {
  if (length <= most * slack) return [{ from: 0, to: length }];
  const count = Math.ceil((length - shared) / (most - shared));
  const step = (length - most) / (count - 1);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.round(index * step);
    return { from, to: Math.min(length, from + most) };
  });
}

export function cutPicture({ width, pixels }: Raster, tile: Tile): Raster {
  const cut = new Uint8Array(tile.width * tile.height * 3);
  for (let row = 0; row < tile.height; row += 1) {
    const start = ((tile.y + row) * width + tile.x) * 3;
    cut.set(pixels.subarray(start, start + tile.width * 3), row * tile.width * 3);
  }
  return { width: tile.width, height: tile.height, pixels: cut };
}

export function shiftLine(line: ReadLine, by: { x: number; y: number }): ReadLine {
  return { ...line, box: shiftBox(line.box, by) };
}

/** Which inner edges of its tile a line touches: above and below another tile has it whole, left and right none may. */
function edgesOf({ left, right, top, bottom }: Extent, tile: Tile, picture: Raster) {
  const isCutLeft = tile.x > 0 && left < tile.x + nearEdge;
  const isCutRight = tile.x + tile.width < picture.width && right > tile.x + tile.width - nearEdge;
  const isCutTop = tile.y > 0 && top < tile.y + nearEdge;
  const isCutBottom = tile.y + tile.height < picture.height && bottom > tile.y + tile.height - nearEdge;
  return { isCutAcross: isCutLeft || isCutRight, isCutDown: isCutTop || isCutBottom };
}

/** Pieces of one line, also those that a tile has whole, as one extent. */
function uniteCut(cut: Extent[], whole: ReadLine[]): Extent[] {
  const united: Extent[] = [];
  for (const extent of cut.toSorted((a, b) => a.left - b.left)) {
    const index = united.findIndex((other) => isSameLine(other, extent));
    const other = united[index];
    if (other === undefined) united.push(extent);
    else united[index] = unitedExtent(other, extent);
  }
  return united.map((extent) =>
    whole
      .map(({ box }) => extentOf(box))
      .filter((other) => isSameLine(extent, other))
      .reduce(unitedExtent, extent),
  );
}

function isSameLine(one: Extent, other: Extent): boolean {
  const height = Math.min(one.bottom - one.top, other.bottom - other.top);
  const rows = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  const gap = Math.max(one.left, other.left) - Math.min(one.right, other.right);
  return rows > 0.6 * height && gap < 0;
}

async function readJoined(models: Pick<Models, "readText">, picture: Raster, extents: Extent[]): Promise<ReadLine[]> {
  const lines: ReadLine[] = [];
  for (const extent of extents) {
    const tile = {
      x: Math.max(0, Math.floor(extent.left)),
      y: Math.max(0, Math.floor(extent.top)),
      width: Math.min(picture.width, Math.ceil(extent.right)) - Math.max(0, Math.floor(extent.left)),
      height: Math.min(picture.height, Math.ceil(extent.bottom)) - Math.max(0, Math.floor(extent.top)),
    };
    const corners = [
      { x: 0, y: 0 },
      { x: tile.width, y: 0 },
      { x: tile.width, y: tile.height },
      { x: 0, y: tile.height },
    ] as Box;
    const read = await models.readText(cutPicture(picture, tile), { boxes: [corners] });
    lines.push(...read.filter(({ confidence }) => confidence >= 0.6).map((line) => shiftLine(line, tile)));
  }
  return lines;
}

/** Of two readings of one line the longer, and of two as long the surer. */
export function withoutTwins(lines: ReadLine[]): ReadLine[] {
  const worth = ({ box, confidence }: ReadLine) => {
    const { left, right } = frameOf(box);
    return (right - left) * confidence;
  };
  const kept: ReadLine[] = [];
  for (const line of lines.toSorted((a, b) => worth(b) - worth(a))) {
    // Letters along a curve are around whatever stands inside it.
    const isAround = (box: Box) => line.isLettering === true && areaOf(line.box) > 2 * areaOf(box);
    if (kept.every(({ box }) => isAround(box) || overlapOfBoxes(box, line.box) < twinOverlap)) kept.push(line);
  }
  return kept.toSorted((a, b) => a.box[0].y - b.box[0].y || a.box[0].x - b.box[0].x);
}

function areaOf(box: Box): number {
  const { left, right, top, bottom } = extentOf(box);
  return (right - left) * (bottom - top);
}
