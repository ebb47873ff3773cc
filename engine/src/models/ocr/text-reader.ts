import type { Raster } from "../../evidence/pixels/raster.ts";
import type { Box, ReadLine, ReadOptions } from "../read-line.ts";
import { cropLine } from "./crop-line.ts";
import { createLineFinder } from "./find-lines.ts";
import { joinBoxes } from "./join-boxes.ts";
import { frameOf } from "./line-frame.ts";
import { findInk } from "./line-ink.ts";
import { createPriceReader } from "./price-reader.ts";
import { createRecognizer } from "./recognize-line.ts";
import { restoreSpaces } from "./restore-spaces.ts";
import { tidyText } from "./tidy-text.ts";

export type TextReader = {
  /** The lines of a picture from the top down, or what stands in the boxes of `options`, in their order. */
  read: (picture: Raster, options?: ReadOptions) => Promise<ReadLine[]>;
};

/** What is read with less is seldom text. */
const leastConfidence = 0.6;

/** Loads PP-OCRv4 from its package; takes about a second. */
export async function createTextReader(): Promise<TextReader> {
  const [findLines, recognize] = await Promise.all([createLineFinder(), createRecognizer()]);
  const readPrices = createPriceReader();
  const readBox = async (picture: Raster, box: Box): Promise<ReadLine> => {
    const line = cropLine(picture, box);
    if (line === null) return { text: "", confidence: 0, box, letters: [] };
    const recognized = tidyText(await recognize(line));
    const ink = findInk(line);
    const spaced = ink === null ? recognized : restoreSpaces(recognized, ink);
    return { ...(await readPrices(spaced, line)), box };
  };
  return {
    async read(picture, options = {}) {
      const found = options.boxes ?? joinBoxes(await findLines(picture));
      const boxes = found.filter((box) => !(options.skip ?? []).some((known) => isWithin(box, known)));
      const lines: ReadLine[] = [];
      for (const box of boxes) lines.push(await readBox(picture, box));
      if (options.boxes !== undefined) return lines;
      return lines.filter(({ text, confidence }) => text !== "" && confidence >= leastConfidence);
    },
  };
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
