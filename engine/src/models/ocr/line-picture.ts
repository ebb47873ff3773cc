import type { Blank } from "./blank-columns.ts";
import type { LineInk } from "./line-ink.ts";
import { resampleToPlanes } from "./resample.ts";
import type { GrayPicture } from "./tesseract.ts";

/** Pixels from the head of a figure to its foot: what Tesseract likes best. */
const figureHeight = 36;
const figureShare = 0.62;
const margin = 12;

/** Some columns of a line for Tesseract: dark on white, at the size that it likes. */
export function drawInk(ink: LineInk, { from, to }: Blank): GrayPicture {
  const width = to - from;
  const pixels = new Uint8Array(width * ink.height * 3);
  for (let row = 0, out = 0; row < ink.height; row += 1) {
    for (let column = from; column < to; column += 1, out += 3) {
      pixels.fill(255 - (ink.coverage[row * ink.width + column] as number), out, out + 3);
    }
  }
  const scale = figureHeight / (figureShare * ink.height);
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.round(ink.height * scale) };
  const { values } = resampleToPlanes({ width, height: ink.height, pixels }, size, "bicubic");
  const framed = { width: size.width + 2 * margin, height: size.height + 2 * margin };
  const gray = new Uint8Array(framed.width * framed.height).fill(255);
  for (let row = 0; row < size.height; row += 1) {
    for (let column = 0; column < size.width; column += 1) {
      const value = Math.min(255, Math.max(0, values[row * size.width + column] as number));
      gray[(row + margin) * framed.width + column + margin] = value;
    }
  }
  return { ...framed, values: gray };
}
