import { clamp, makeYuvTables, type YuvMatrix } from "../pixels/yuv-to-rgb.ts";

/** Writes the mean red, green and blue light of each cell of 4 × 4 pixels. */
export type PlaneAverage = (yuv: Uint8Array, cells: readonly [Float32Array, Float32Array, Float32Array]) => void;

/**
 * What `averageCellsOfFour` makes of rgb, straight from the planes of the decoder: the same pixels, two of each four
 * that share a colour, and no rgb is made of the others. It is most of the work of a film, every frame of it.
 */
export function createPlaneAverage(options: {
  width: number;
  height: number;
  matrix: YuvMatrix;
  /** By code value. */
  light: Float32Array;
}): PlaneAverage {
  const { width, height } = options;
  const { luma, redOfV, greenOfU, greenOfV, blueOfU } = makeYuvTables(options.matrix);
  const light = Float32Array.from(clamp, (code) => options.light[code] as number);
  const chromaWidth = width / 2;
  const uStart = width * height;
  const vStart = uStart + chromaWidth * (height / 2);
  return (yuv, [reds, greens, blues]) => {
    let cell = 0;
    for (let top = 0; top < height; top += 4) {
      for (let left = 0; left < width; left += 4) {
        let r = 0;
        let g = 0;
        let b = 0;
        for (let half = 0; half < 2; half += 1) {
          const row = top + 2 * half;
          let at = row * width + left;
          let chroma = (row / 2) * chromaWidth + left / 2;
          for (const end = chroma + 2; chroma < end; chroma += 1) {
            const u = yuv[uStart + chroma] as number;
            const v = yuv[vStart + chroma] as number;
            const red = redOfV[v] as number;
            const green = (greenOfU[u] as number) + (greenOfV[v] as number);
            const blue = blueOfU[u] as number;
            // Of the four pixels the one diagonal in the upper half of the cell, the other one in the lower.
            const one = luma[yuv[at + half] as number] as number;
            const other = luma[yuv[at + width + 1 - half] as number] as number;
            r += (light[(one + red) >> 16] as number) + (light[(other + red) >> 16] as number);
            g += (light[(one + green) >> 16] as number) + (light[(other + green) >> 16] as number);
            b += (light[(one + blue) >> 16] as number) + (light[(other + blue) >> 16] as number);
            at += 2;
          }
        }
        reds[cell] = r / 8;
        greens[cell] = g / 8;
        blues[cell] = b / 8;
        cell += 1;
      }
    }
  };
}
