import { AnalysisError } from "../../analysis-error.ts";
import type { Models } from "../../models/models.ts";
import type { Box, ReadLine } from "../../models/read-line.ts";
import type { FrameFormat, Omission, SuperEvidence } from "../evidence.ts";
import type { FileGatherOptions } from "../gatherer.ts";
import { readImageRaster, readImageRows } from "../images/image.ts";
import { doubleRaster } from "../pixels/double-raster.ts";
import type { Raster } from "../pixels/raster.ts";
import { isInCode, type PlacedCode, readPictureCodes, supersOfCodes } from "./picture-codes.ts";
import { readSideLines } from "./side-lines.ts";
import { isText, type SuperLine } from "./super-lines.ts";
import { supersOf } from "./super-paragraphs.ts";
import { contrastRatio } from "./text-contrast.ts";
import { extentOf } from "./text-extent.ts";
import { capitalHeight } from "./text-height.ts";
import { createLuminance, luminanceAround, luminanceOfLetters } from "./text-luminance.ts";
import { cutLine } from "./text-template.ts";
import { readAnyWay } from "./turned-picture.ts";
import { foreignScript, omissionsOf } from "./unread-lines.ts";
import { cutPicture, readTiles, shiftLine, withoutTwins } from "./text-tiles.ts";

/** The size in which headlines are read: the reader was made for letters of 10 to 200 pixels. */
const wholeSide = 1280;
/** The size in which small print is read: larger than this nobody prints it. */
const closeSide = 4_000;
const closeFrom = 1.25;
/** Capitals so high are read well in the size of the whole. */
const largeLetters = 20;
/** Lower ones lose the ends of their line. */
const smallLetters = 12;
/** Rows around small print in which more of it is looked for. */
const nearSmall = 80;
const bandRows = 1_100;
const sharedRows = 120;
/** Reading a page takes a second. */
const maxPages = 30;

type Scaled = { line: ReadLine; height: number | null; contrast: number | null };

/** The text of a picture that does not move, with all its pages. Null when the file is not a picture. */
export async function gatherImageSupers(options: FileGatherOptions): Promise<SuperEvidence | null> {
  if (options.probe.kind !== "image") return null;
  const first = await readPicture(options, 0);
  const pages = [first.evidence];
  // The pages of a TIFF and the pictures of a HEIC lie side by side: viewers turn them.
  const omissions: Omission[] = [];
  for (let frame = 1; frame < Math.min(first.frameCount, maxPages); frame += 1) {
    const page = await readPicture(options, frame).catch((error: unknown) => {
      if (!(error instanceof AnalysisError) || options.signal.aborted) throw error;
      omissions.push({ what: `Picture ${frame + 1} of ${first.frameCount} in the file could not be read.` });
      return null;
    });
    if (page !== null) pages.push(page.evidence);
  }
  omissions.push(...pages.flatMap((page) => page.omissions ?? []));
  if (first.frameCount > maxPages)
    omissions.push({ what: `Only the first ${maxPages} of ${first.frameCount} pictures in the file were read.` });
  return {
    supers: pages.flatMap(({ supers }) => supers),
    readerCalls: pages.reduce((sum, page) => sum + page.readerCalls, 0),
    omissions,
  };
}

async function readPicture(
  options: FileGatherOptions,
  frame: number,
): Promise<{ evidence: SuperEvidence; frameCount: number }> {
  let readerCalls = 0;
  const models: Pick<Models, "readText"> = {
    readText(picture, how) {
      readerCalls += 1;
      return options.models.readText(picture, how);
    },
  };
  const whole = { ...options, frame, longSide: wholeSide, top: 0, rows: wholeSide };
  const { raster, image } = await readImageRows(whole);
  const found = await readSheet(options, models, { raster, image, frame, isOnBlack: false });
  if (image.hasAlpha) {
    // White letters on nothing are meant for something dark.
    const dark = await readImageRows({ ...whole, isOnBlack: true });
    const isOpaque = dark.raster.pixels.every((value, index) => value === raster.pixels[index]);
    if (!isOpaque)
      found.push(...(await readSheet(options, models, { raster: dark.raster, image, frame, isOnBlack: true })));
  }
  const codes = await readCodes(options, { raster, image, frame });
  const kept = new Set(withoutTwins(found.map(({ line }) => line)));
  const seen = found.filter(({ line }) => kept.has(line) && !isInCode(line.box, image, codes));
  const coded = supersOfCodes(codes, image.height);
  const omissions = [
    ...omissionsOf(
      seen.map(({ line }) => line),
      image,
    ),
    ...coded.omissions,
  ];
  const lines = seen.filter(({ line }) => isText(line) && foreignScript(line) === null).map(lineOf);
  const supers = [...supersOf(lines, formatOf(image)).map(withoutTimes), ...coded.supers];
  return { evidence: { supers, readerCalls, omissions }, frameCount: image.frameCount };
}

/** Small codes are lost in the size in which headlines are read. */
async function readCodes(
  options: FileGatherOptions,
  { raster, image, frame }: { raster: Raster; image: { width: number; height: number }; frame: number },
): Promise<PlacedCode[]> {
  const closer = raster.width < image.width ? [await readImageRaster({ ...options, frame })] : [];
  return readPictureCodes(options.models, [raster, ...closer]);
}

type Sheet = { raster: Raster; image: { width: number; height: number }; frame: number; isOnBlack: boolean };

/** The whole of the picture, and where it is large its small print as well. */
async function readSheet(
  options: FileGatherOptions,
  models: Pick<Models, "readText">,
  { raster, image, frame, isOnBlack }: Sheet,
): Promise<Scaled[]> {
  const readStill = (picture: Raster) => models.readText(picture, { isStill: true });
  const level = await readAnyWay(raster, readStill);
  const read = [...level, ...(await readSideLines(raster, level, readStill))];
  const found = read.map((line) => measure(line, raster, image.width / raster.width));
  options.onProgress(0.3);
  const shrunk = raster.width / image.width;
  if (Math.max(image.width, image.height) <= closeFrom * wholeSide) {
    const isSmall = (each: Scaled) => heightOf(each) * shrunk < smallLetters;
    return [...found, ...(await readEnlarged(models, { raster, image, found, isSmall }))];
  }
  const isLarge = ({ height }: Scaled) => (height ?? 0) * shrunk >= largeLetters;
  const skip = found.filter(isLarge).map(({ line }) => line.box);
  // What was too small to be read in the whole is read closely.
  const known = found.filter(({ line }) => line.text !== "");
  return [...known, ...(await readClosely(options, models, { skip, frame, isOnBlack }))];
}

/** The small print of a small picture, like a banner of a web page, and what stands near it. */
async function readEnlarged(
  models: Pick<Models, "readText">,
  {
    raster,
    image,
    found,
    isSmall,
  }: { raster: Raster; image: { width: number }; found: readonly Scaled[]; isSmall: (line: Scaled) => boolean },
): Promise<Scaled[]> {
  const small = found.filter(isSmall).map(({ line }) => extentOf(line.box));
  if (small.length === 0) return [];
  const grown = image.width / raster.width;
  const top = Math.max(0, Math.floor(Math.min(...small.map((extent) => extent.top)) / grown - nearSmall));
  const bottom = Math.min(
    raster.height,
    Math.ceil(Math.max(...small.map((extent) => extent.bottom)) / grown + nearSmall),
  );
  const band = doubleRaster(cutPicture(raster, { x: 0, y: top, width: raster.width, height: bottom - top }));
  const scale = image.width / band.width;
  const skip = found
    .filter((each) => !isSmall(each))
    .map(({ line }) => line.box.map(({ x, y }) => ({ x: x / scale, y: y / scale - 2 * top })) as Box);
  const lines = await readTiles(models, band, { skip });
  return lines.map((each) => {
    const { line, ...rest } = measure(each, band, scale);
    return { ...rest, line: shiftLine(line, { x: 0, y: 2 * top * scale }) };
  });
}

/** Band by band: a sheet of 4,000 × 4,000 is more than we hold. */
async function readClosely(
  options: FileGatherOptions,
  models: Pick<Models, "readText">,
  { skip, frame, isOnBlack }: { skip: Box[]; frame: number; isOnBlack: boolean },
): Promise<Scaled[]> {
  const found: Scaled[] = [];
  for (let top = 0, height = Infinity; top + sharedRows < height; top += bandRows - sharedRows) {
    const band = await readImageRows({ ...options, frame, longSide: closeSide, top, rows: bandRows, isOnBlack });
    height = band.height;
    const isCut = ({ box }: ReadLine) => {
      const { top: above, bottom: below } = extentOf(box);
      return (top > 0 && above < 4) || (top + band.raster.height < band.height && below > band.raster.height - 4);
    };
    const scale = band.image.width / band.raster.width;
    const known = skip.map((box) => box.map(({ x, y }) => ({ x: x / scale, y: y / scale - top })) as Box);
    for (const line of await readTiles(models, band.raster, { skip: known })) {
      if (isCut(line)) continue;
      const { height, contrast, line: own } = measure(line, band.raster, scale);
      found.push({ height, contrast, line: shiftLine(own, { x: 0, y: top * scale }) });
    }
    options.onProgress(0.3 + 0.7 * Math.min(1, (top + bandRows) / height));
  }
  return found;
}

const luminance = createLuminance({ transfer: "sdr", matrix: "bt709" });

/** Height and contrast of a line, and its box in pixels of the original. */
function measure(line: ReadLine, raster: Raster, scale: number): Scaled {
  const box = line.box.map(({ x, y }) => ({ x: x * scale, y: y * scale })) as ReadLine["box"];
  if (line.text === "") return { line: { ...line, box }, height: null, contrast: null };
  const cut = cutLine(raster, { x: 0, y: 0, width: raster.width, height: raster.height }, line.box);
  const height = cut === null ? null : capitalHeight(cut.ink, line);
  const contrast =
    cut === null
      ? null
      : contrastRatio(luminanceOfLetters(cut, { luminance, height }), luminanceAround(cut, luminance));
  return { line: { ...line, box }, height: height === null ? null : height * scale, contrast };
}

/** Of the capitals, by their box where they could not be measured. */
function heightOf({ line, height }: Scaled): number {
  const { top, bottom } = extentOf(line.box);
  return height ?? 0.55 * (bottom - top);
}

function lineOf(scaled: Scaled): SuperLine {
  const { line, contrast } = scaled;
  const extent = extentOf(line.box);
  return {
    text: line.text,
    confidence: line.confidence,
    startSeconds: 0,
    endSeconds: 0,
    height: heightOf(scaled),
    contrast,
    extent,
    isMoving: false,
    motion: { velocity: { x: 0, y: 0 }, seconds: 0, top: extent.top },
  };
}

function formatOf({ width, height }: { width: number; height: number }): FrameFormat {
  return { width, height, displayWidth: width, displayHeight: height, transfer: "sdr", framesPerSecond: null };
}

function withoutTimes(super_: SuperEvidence["supers"][number]): SuperEvidence["supers"][number] {
  return { ...super_, startSeconds: null, endSeconds: null };
}
