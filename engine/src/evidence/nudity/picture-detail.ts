import type { Raster } from "../pixels/raster.ts";

/** As many steps across the picture as the classifier sees pixels. */
const steps = 224;
/** Of 255, from one step to the next: less is a gradient, whatever its colours. */
const edgeStep = 10;
/** Of the steps: a person in front of a plain wall has ten times as many. */
const leastShare = 0.004;

/** Whether a picture shows more than soft colours: to the classifier a blurred enlargement of anything is skin. */
export function hasDetail({ width, height, pixels }: Raster): boolean {
  const step = Math.max(1, Math.floor(Math.max(width, height) / steps));
  /** Four times the brightness of each place of a row. */
  const readRow = (y: number, levels: Uint16Array<ArrayBuffer>) => {
    for (let x = 0; x < width; x += step) {
      const at = (y * width + x) * 3;
      levels[x] = (pixels[at] as number) + 2 * (pixels[at + 1] as number) + (pixels[at + 2] as number);
    }
    return levels;
  };
  let above = readRow(0, new Uint16Array(width));
  let spare = new Uint16Array(width);
  let edges = 0;
  let looked = 0;
  for (let y = step; y < height; y += step) {
    const row = readRow(y, spare);
    for (let x = step; x < width; x += step) {
      const value = row[x] as number;
      const beside = Math.abs(value - (row[x - step] as number));
      const over = Math.abs(value - (above[x] as number));
      if (beside >= 4 * edgeStep || over >= 4 * edgeStep) edges += 1;
      looked += 1;
    }
    [above, spare] = [row, above];
  }
  return edges >= leastShare * looked;
}
