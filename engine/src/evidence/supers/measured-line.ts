import type { ReadLine } from "../../models/read-line.ts";
import type { Raster } from "../pixels/raster.ts";
import { contrastRatio } from "./text-contrast.ts";
import { capitalHeight } from "./text-height.ts";
import { createLuminance, luminanceAround, luminanceOfLetters } from "./text-luminance.ts";
import { cutLine } from "./text-template.ts";

/** A line of a still in pixels of the original. `isTiny`: it was seen and is too small to be read. */
export type MeasuredLine = { line: ReadLine; height: number | null; contrast: number | null; isTiny?: boolean };

const luminance = createLuminance({ transfer: "sdr", matrix: "bt709" });

/** Height and contrast of a line, and its box in pixels of the original. */
export function measure(line: ReadLine, raster: Raster, scale: number): MeasuredLine {
  const box = line.box.map(({ x, y }) => ({ x: x * scale, y: y * scale })) as ReadLine["box"];
  if (line.letterHeight !== undefined)
    return { line: { ...line, box }, height: line.letterHeight * scale, contrast: null };
  if (line.text === "") return { line: { ...line, box }, height: null, contrast: null };
  const cut = cutLine(raster, { x: 0, y: 0, width: raster.width, height: raster.height }, line.box);
  const height = cut === null ? null : capitalHeight(cut.ink, line);
  const contrast =
    cut === null
      ? null
      : contrastRatio(luminanceOfLetters(cut, { luminance, height }), luminanceAround(cut, luminance));
  return { line: { ...line, box }, height: height === null ? null : height * scale, contrast };
}
