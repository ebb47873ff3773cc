import { AnalysisError } from "../../analysis-error.ts";
import type { Models } from "../../models/models.ts";
import type { Box, ReadLine } from "../../models/read-line.ts";
import type { FrameFormat, Omission, Super, SuperEvidence } from "../evidence.ts";
import type { FileGatherOptions } from "../gatherer.ts";
import { readImageRaster, readImageRows } from "../images/image.ts";
import { doubleRaster } from "../pixels/double-raster.ts";
import type { Raster } from "../pixels/raster.ts";
import { omissionsOfCurves } from "./curved-lines.ts";
import { isInCode, type PlacedCode, readPictureCodes, supersOfCodes } from "./picture-codes.ts";
import { measure, type MeasuredLine } from "./measured-line.ts";
import { type Direction, groupByDirection, turnBack, turnUpright } from "./reading-direction.ts";
import { readTinyPrint, tinyPrint } from "./read-tiny-print.ts";
import { readSideLines } from "./side-lines.ts";
import { isText, type SuperLine } from "./super-lines.ts";
import { supersOf } from "./super-paragraphs.ts";
import { type Extent, extentOf } from "./text-extent.ts";
import { readAnyWay } from "./turned-picture.ts";
import { foreignScript, omissionsOf, regionOf } from "./unread-lines.ts";
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
/** Of the box of a line, where capitals cannot be measured. */
const capitalOfBox = 0.55;
/** Rows around small print in which more of it is looked for. */
const nearSmall = 80;
const bandRows = 1_100;
const sharedRows = 120;
/** Reading a page takes a second. */
const maxPages = 30;

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
  const [tiny, plain] = [seen.filter(({ isTiny = false }) => isTiny), seen.filter(({ isTiny = false }) => !isTiny)];
  const omissions = [
    ...omissionsOf(
      plain.map(({ line }) => line),
      image,
    ),
    ...omissionsOfCurves(
      plain.map(({ line }) => line),
      image,
    ),
    ...tiny.map(({ line }) => ({ what: tinyPrint, region: regionOf(line.box, image) })),
    ...coded.omissions,
  ];
  const texts = seen.filter(({ line }) => isText(line) && foreignScript(line) === null);
  const supers = [
    ...groupByDirection(texts, ({ line }) => line).flatMap((group) => supersAlong(group, image)),
    ...coded.supers,
  ];
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

/** The lines that run one way, as they follow each other when the picture is turned so that they are level. */
function supersAlong(
  [direction, texts]: [Direction, MeasuredLine[]],
  image: { width: number; height: number },
): Super[] {
  const isOnSide = direction === "up" || direction === "down";
  const format = formatOf(isOnSide ? { width: image.height, height: image.width } : image);
  const lines = texts.map((text) => {
    const { x, y, width, height } = turnUpright(regionOf(text.line.box, image), direction);
    const extent = {
      left: x * format.width,
      right: (x + width) * format.width,
      top: y * format.height,
      bottom: (y + height) * format.height,
    };
    return lineOf(text, direction === "right" ? extentOf(text.line.box) : extent);
  });
  return supersOf(lines, format).map((line) => ({
    ...line,
    startSeconds: null,
    endSeconds: null,
    heightShare: Number((line.heightLines / image.height).toFixed(5)),
    region: turnBack(line.region, direction),
  }));
}

type Sheet = { raster: Raster; image: { width: number; height: number }; frame: number; isOnBlack: boolean };

/** The whole of the picture, and where it is large its small print as well. */
async function readSheet(
  options: FileGatherOptions,
  models: Pick<Models, "readText">,
  { raster, image, frame, isOnBlack }: Sheet,
): Promise<MeasuredLine[]> {
  const readStill = (picture: Raster) => models.readText(picture, { isStill: true });
  const level = await readAnyWay(raster, readStill);
  const read = [...level, ...(await readSideLines(raster, level, readStill))];
  const found = read.map((line) => measure(line, raster, image.width / raster.width));
  options.onProgress(0.3);
  const shrunk = raster.width / image.width;
  if (Math.max(image.width, image.height) <= closeFrom * wholeSide) {
    const isSmall = (each: MeasuredLine) => heightOf(each) * shrunk < smallLetters;
    const enlarged = [...found, ...(await readEnlarged(models, { raster, image, found, isSmall }))];
    return [...enlarged, ...(await readTinyPrint(models, { raster, image, found: enlarged }))];
  }
  const isLarge = ({ height }: MeasuredLine) => (height ?? 0) * shrunk >= largeLetters;
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
  }: {
    raster: Raster;
    image: { width: number };
    found: readonly MeasuredLine[];
    isSmall: (line: MeasuredLine) => boolean;
  },
): Promise<MeasuredLine[]> {
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
): Promise<MeasuredLine[]> {
  const found: MeasuredLine[] = [];
  for (let top = 0, height = Infinity; top + sharedRows < height; top += bandRows - sharedRows) {
    const band = await readImageRows({ ...options, frame, longSide: closeSide, top, rows: bandRows, isOnBlack });
    height = band.height;
    const isCut = ({ box }: ReadLine) => {
      const { top: above, bottom: below } = extentOf(box);
      return (top > 0 && above < 4) || (top + band.raster.height < band.height && below > band.raster.height - 4);
    };
    const scale = band.image.width / band.raster.width;
    const known = skip.map((box) => box.map(({ x, y }) => ({ x: x / scale, y: y / scale - top })) as Box);
    const whole = (await readTiles(models, band.raster, { skip: known })).filter((line) => !isCut(line));
    const read = whole.map((line) => measure(line, band.raster, scale));
    for (const { line, ...rest } of [...read, ...(await readTinyPrint(models, { ...band, found: read }))]) {
      found.push({ ...rest, line: shiftLine(line, { x: 0, y: top * scale }) });
    }
    options.onProgress(0.3 + 0.7 * Math.min(1, (top + bandRows) / height));
  }
  return found;
}

/** Of the capitals, by their box where they could not be measured. */
function heightOf({ line, height }: MeasuredLine): number {
  const { top, bottom } = extentOf(line.box);
  return height ?? capitalOfBox * (bottom - top);
}

function lineOf(scaled: MeasuredLine, extent: Extent): SuperLine {
  const { line, contrast } = scaled;
  return {
    text: line.text,
    confidence: line.confidence,
    startSeconds: 0,
    endSeconds: 0,
    height: scaled.height ?? capitalOfBox * (extent.bottom - extent.top),
    contrast,
    extent,
    isMoving: false,
    motion: { velocity: { x: 0, y: 0 }, seconds: 0, top: extent.top },
  };
}

function formatOf({ width, height }: { width: number; height: number }): FrameFormat {
  return { width, height, displayWidth: width, displayHeight: height, transfer: "sdr", framesPerSecond: null };
}
