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
  const valueAt = (x: number, y: number) => {
    const at = (y * width + x) * 3;
    return ((pixels[at] ?? 0) + 2 * (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0)) / 4;
  };
  let [edges, looked] = [0, 0];
  for (let y = step; y < height; y += step) {
    for (let x = step; x < width; x += step) {
      const value = valueAt(x, y);
      looked += 1;
      if (Math.abs(value - valueAt(x - step, y)) >= edgeStep || Math.abs(value - valueAt(x, y - step)) >= edgeStep) {
        edges += 1;
      }
    }
  }
  return edges >= leastShare * looked;
}
