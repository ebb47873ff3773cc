import type { Raster } from "../evidence/pixels/raster.ts";
import { createCells } from "./cells.ts";
import { shadesOf } from "./film-print.ts";
import { blockColumns, blockRows, blockValues, type PicturePrint } from "./print.ts";

/** Cells along the longer side: finer than of a film, because there is only one. */
const longCells = 256;
const shotSide = 640;

/** The print of a picture that does not move. */
export function printStill(raster: Raster): PicturePrint {
  const { width, height } = raster;
  const planes = planesOf(raster);
  const factor = longCells / Math.max(width, height);
  const columns = Math.max(4, Math.round(width * factor));
  const rows = Math.max(4, Math.round(height * factor));
  const blocks = new Uint16Array(blockValues);
  for (const [plane, bytes] of planes.entries()) {
    const means = meansOf(bytes, { width, height, columns: blockColumns, rows: blockRows });
    blocks.set(
      means.map((mean) => Math.round(mean * 64)),
      plane * means.length,
    );
  }
  const shrink = Math.min(1, shotSide / Math.max(width, height));
  const shot = {
    width: Math.max(2, Math.round((width * shrink) / 2) * 2),
    height: Math.max(1, Math.round(height * shrink)),
  };
  const shades = shadesOf(meansOf(planes[0], { width, height, columns: shot.width, rows: shot.height }));
  return {
    displayWidth: width,
    displayHeight: height,
    framesPerSecond: null,
    durationSeconds: 0,
    columns,
    rows,
    stepSeconds: 1,
    grid: Uint8Array.from(meansOf(planes[0], { width, height, columns, rows }), Math.round),
    times: Float64Array.of(0),
    blocks,
    shots: [{ seconds: 0, ...shot, pixels: shades }],
  };
}

function meansOf(
  plane: Uint8Array,
  size: { width: number; height: number; columns: number; rows: number },
): Float32Array {
  const means = new Float32Array(size.columns * size.rows);
  createCells({ ...size })(plane, means);
  return means;
}

/** Brightness and two colours as a film has them: 16 to 235, and around 128. */
function planesOf({ width, height, pixels }: Raster): [Uint8Array, Uint8Array, Uint8Array] {
  const planes = [0, 1, 2].map(() => new Uint8Array(width * height)) as [Uint8Array, Uint8Array, Uint8Array];
  for (let index = 0; index < width * height; index++) {
    const red = pixels[3 * index] as number;
    const green = pixels[3 * index + 1] as number;
    const blue = pixels[3 * index + 2] as number;
    const bright = 0.299 * red + 0.587 * green + 0.114 * blue;
    planes[0][index] = 16 + (bright * 219) / 255;
    planes[1][index] = 128 + (0.564 * (blue - bright) * 224) / 255;
    planes[2][index] = 128 + (0.713 * (red - bright) * 224) / 255;
  }
  return planes;
}
