import type { Models } from "../../models/models.ts";
import type { ReadCode } from "../../models/read-code.ts";
import type { Box } from "../../models/read-line.ts";
import type { Omission, Region, Super } from "../evidence.ts";
import type { Raster } from "../pixels/raster.ts";
import { extentOf, overlapOf, shiftBox } from "./text-extent.ts";
import { regionOf } from "./unread-lines.ts";

/** A QR code with its place in fractions of the picture. `text`: null where it cannot be read. */
export type PlacedCode = { text: string | null; region: Region };

type Size = { width: number; height: number };

const unreadCode = "A QR code could not be read.";
/** Of the smaller of two boxes. */
const samePlace = 0.5;

/** The QR codes of a still. `pictures`: the same one in several sizes. */
export async function readPictureCodes(
  models: Pick<Models, "readCodes">,
  pictures: readonly Raster[],
): Promise<PlacedCode[]> {
  const found: PlacedCode[] = [];
  for (const picture of pictures) {
    for (const code of await models.readCodes(picture)) found.push(placeCode(code, picture, { x: 0, y: 0 }));
  }
  return withoutTwins(found);
}

/** `from`: where the picture in which it was found begins in the whole. */
export function placeCode({ text, box }: ReadCode, size: Size, from: { x: number; y: number }): PlacedCode {
  return { text, region: regionOf(shiftBox(box, from), size) };
}

/** A code that was read in one size and not in another is read. */
function withoutTwins(codes: readonly PlacedCode[]): PlacedCode[] {
  const kept: PlacedCode[] = [];
  for (const code of codes.toSorted((a, b) => Number(a.text === null) - Number(b.text === null))) {
    if (kept.every((other) => !isSamePlace(other.region, code.region))) kept.push(code);
  }
  return kept;
}

export function isSamePlace(one: Region, other: Region): boolean {
  return overlapOf(extentOfRegion(one), extentOfRegion(other)) >= samePlace;
}

function extentOfRegion({ x, y, width, height }: Region) {
  // In tenths of thousandths: shares of less than one pixel would be none.
  return { left: x * 1e4, right: (x + width) * 1e4, top: y * 1e4, bottom: (y + height) * 1e4 };
}

/** Whether the middle of a line lies in a code: its squares are read as letters now and then. */
export function isInCode(box: Box, { width, height }: Size, codes: readonly PlacedCode[]): boolean {
  const { left, right, top, bottom } = extentOf(box);
  const [x, y] = [(left + right) / 2 / width, (top + bottom) / 2 / height];
  return codes.some(({ region }) => isAround(region, { x, y }));
}

export function isAround(region: Region, { x, y }: { x: number; y: number }): boolean {
  return x >= region.x && x <= region.x + region.width && y >= region.y && y <= region.y + region.height;
}

/** A code as text on the screen, and what is to be said of it. */
export function supersOfCodes(
  codes: readonly (PlacedCode & { startSeconds?: number; endSeconds?: number })[],
  displayHeight: number,
): { supers: Super[]; omissions: Omission[] } {
  const supers = codes.flatMap(({ text, region, startSeconds = null, endSeconds = null }): Super[] => {
    if (text === null) return [];
    return [
      {
        text,
        startSeconds,
        endSeconds,
        heightLines: Number((region.height * displayHeight).toFixed(1)),
        heightShare: region.height,
        contrastRatio: null,
        region,
        isMoving: false,
        confidence: 1,
        isCode: true,
      },
    ];
  });
  const omissions = codes.flatMap(({ text, ...place }): Omission[] => {
    const what = omissionOf(text);
    return what === null ? [] : [{ what, ...place }];
  });
  return { supers, omissions };
}

/** What a code leads to is no part of the file, but of what its viewers get to see. */
export function omissionOf(text: string | null): string | null {
  if (text === null) return unreadCode;
  return /^(?:https?:\/\/|www\.)/i.test(text) ? `A QR code leads to ${text}, which was not opened.` : null;
}
