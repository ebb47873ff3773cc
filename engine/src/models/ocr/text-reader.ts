import type { Raster } from "../../evidence/pixels/raster.ts";
import type { Box, ReadLine, ReadOptions } from "../read-line.ts";
import { cropLine, isOnItsSide, turnOver } from "./crop-line.ts";
import { tellDaggers } from "./dagger-shape.ts";
import { createLineFinder } from "./find-lines.ts";
import { joinBoxes } from "./join-boxes.ts";
import { frameOf } from "./line-frame.ts";
import { findInk } from "./line-ink.ts";
import { createPriceReader } from "./price-reader.ts";
import { createRecognizer, type Recognized } from "./recognize-line.ts";
import { markFootnotes } from "./footnote-marks.ts";
import { createSecondReader, isOdd, leastConfidence } from "./second-reading.ts";
import { createTesseracts } from "./tesseract.ts";
import { gatherScattered } from "./scattered-letters.ts";
import { restoreSpaces } from "./restore-spaces.ts";
import { tidyText } from "./tidy-text.ts";

export type TextReader = {
  /** The lines of a picture from the top down, or what stands in the boxes of `options`, in their order. */
  read: (picture: Raster, options?: ReadOptions) => Promise<ReadLine[]>;
};

/** Letters that stand on their head are read with doubt; the right way round, without. */
const sureConfidence = 0.85;
const turnedMargin = 0.1;
const leastLinePixels = 10;

/** Loads PP-OCRv4 from its package; takes about a second. */
export async function createTextReader(): Promise<TextReader> {
  const [findLines, recognize] = await Promise.all([createLineFinder(), createRecognizer()]);
  const open = createTesseracts();
  const readPrices = createPriceReader(() => open("eng"));
  const readAgain = createSecondReader(open);
  const readBox = async (picture: Raster, box: Box, options: ReadOptions): Promise<ReadLine> => {
    const { isStill = false, isThorough = isStill } = options;
    const upright = cropLine(picture, box);
    if (upright === null) return { text: "", confidence: 0, box, letters: [] };
    const first = await recognize(upright);
    const mayBeTurned = isOnItsSide(box) || (isStill && first.confidence < sureConfidence);
    const turned = mayBeTurned ? turnOver(upright) : null;
    const second = turned === null ? null : await recognize(turned);
    const isTurned = second !== null && second.confidence > first.confidence + turnedMargin;
    const line = isTurned && turned !== null ? turned : upright;
    const spaced = tidyLine(isTurned ? second : first, line);
    if (!isThorough)
      return {
        ...tellMarks(await readPrices(spaced, line), line),
        box,
        isTurnedOver: isTurned,
        isOdd: isOdd(spaced.text),
      };
    // Other scripts look like Latin on its head.
    const mayBeUpright = isTurned && isOdd(spaced.text);
    const asItStands = mayBeUpright ? await readAgain(tidyLine(first, upright), upright) : null;
    const again = (asItStands?.script ?? null) === null ? await readAgain(spaced, line) : asItStands;
    const script = again?.script ?? null;
    if (script !== null) return { text: "", confidence: spaced.confidence, letters: [], box, script };
    return { ...tellMarks(await readPrices(again?.read ?? spaced, line), line), box, isTurnedOver: isTurned };
  };
  return {
    async read(picture, options = {}) {
      const found = options.boxes ?? joinBoxes(await findLines(picture));
      const boxes = found.filter((box) => !(options.skip ?? []).some((known) => isWithin(box, known)));
      const first: ReadLine[] = [];
      for (const box of boxes) first.push(await readBox(picture, box, options));
      if (options.boxes !== undefined) return first;
      const lines = options.isStill === true ? await gatherScattered(first, { picture, recognize }) : first;
      const isRead = ({ text, confidence }: ReadLine) => text !== "" && confidence >= leastConfidence;
      if (options.isStill !== true && options.namesUnread !== true) return lines.filter(isRead);
      return lines.flatMap((line) =>
        isRead(line) || line.script !== undefined || line.isLettering === true
          ? [line]
          : isLong(line)
            ? [{ ...line, text: "", letters: [] }]
            : [],
      );
    },
  };
}

function tellMarks(read: Recognized, line: Raster): Recognized {
  return tellDaggers(markFootnotes(read), line);
}

function tidyLine(read: Recognized, line: Raster): Recognized {
  const ink = findInk(line);
  return ink === null ? tidyText(read) : restoreSpaces(tidyText(read), ink);
}

/** What is hardly wider than high is more often a thing than a word. */
function isLong({ box }: ReadLine): boolean {
  const { left, right, top, bottom } = frameOf(box);
  const [short, long] = [right - left, bottom - top].toSorted((a, b) => a - b) as [number, number];
  return long >= 4 * short && short >= leastLinePixels;
}

/** Boxes of the same letters differ by less than half a line. */
function isWithin(box: Box, known: Box): boolean {
  const own = frameOf(box);
  const other = frameOf(known, own.direction);
  const margin = 0.4 * (own.bottom - own.top);
  return (
    own.left > other.left - margin &&
    own.right < other.right + margin &&
    own.top > other.top - margin &&
    own.bottom < other.bottom + margin
  );
}
