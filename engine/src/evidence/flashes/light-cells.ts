import type { Frame, FrameFormat } from "../evidence.ts";
import { hlgDisplayGain, linearLight } from "../pixels/light.ts";
import { createPlaneAverage, type PlaneAverage } from "./plane-cells.ts";

/**
 * The picture as about 80 × 45 cells of linear light. `raw…` is the mean of a cell alone and says how much of it
 * changed; the others are means of a cell with its eight neighbours and say whether it changed: without them scrolling
 * text, grain and dither would count as flashing, though nothing of any size gets brighter or darker.
 */
export type LightCells = {
  columns: number;
  rows: number;
  count: number;
  isHdr: boolean;
  /** Share of the frame that each cell covers; those on the right and bottom edge may be smaller. */
  share: Float64Array;
  /** BT.709 primaries, 1 = SDR white; HDR goes beyond 1 and, for colours outside BT.709, below 0. */
  red: Float32Array;
  green: Float32Array;
  blue: Float32Array;
  luminance: Float32Array;
  rawLuminance: Float32Array;
  /** Red minus the other two, never below 0. */
  rawRedness: Float32Array;
  /** Fills all of the above and returns the mean luminance of the frame. */
  read: (frame: Pick<Frame, "pixels" | "planes">) => number;
};

const wantedCells = 3600;

export function createLightCells(format: FrameFormat): LightCells {
  const { width, height, transfer } = format;
  const size = Math.max(1, Math.round(Math.sqrt((width * height) / wantedCells)));
  const columns = Math.ceil(width / size);
  const rows = Math.ceil(height / size);
  const count = columns * rows;
  const light = linearLight(transfer);
  const isOfFour = size === 4 && width % 4 === 0 && height % 4 === 0;
  const average = isOfFour ? averageCellsOfFour : averageCells;
  let averagePlanes: PlaneAverage | undefined;
  const raw = [new Float32Array(count), new Float32Array(count), new Float32Array(count)] as const;
  const red = new Float32Array(count);
  const green = new Float32Array(count);
  const blue = new Float32Array(count);
  const luminance = new Float32Array(count);
  const rawLuminance = new Float32Array(count);
  const rawRedness = new Float32Array(count);
  const share = new Float64Array(count);
  const scratch = new Float32Array(count);
  for (let cell = 0; cell < count; cell += 1) {
    const cellWidth = Math.min(size, width - (cell % columns) * size);
    const cellHeight = Math.min(size, height - Math.floor(cell / columns) * size);
    share[cell] = (cellWidth * cellHeight) / (width * height);
  }

  function read(frame: Pick<Frame, "pixels" | "planes">): number {
    if (isOfFour && frame.planes !== undefined) {
      averagePlanes ??= createPlaneAverage({ width, height, light, matrix: frame.planes.matrix });
      averagePlanes(frame.planes.yuv, raw);
    } else {
      average({ pixels: frame.pixels, width, height, size, light, raw });
    }
    if (transfer !== "sdr") toDisplay(raw, transfer);
    const [rawRed, rawGreen, rawBlue] = raw;
    let mean = 0;
    for (let cell = 0; cell < count; cell += 1) {
      const r = rawRed[cell] as number;
      const g = rawGreen[cell] as number;
      const b = rawBlue[cell] as number;
      const bright = 0.2126 * r + 0.7152 * g + 0.0722 * b;
      rawLuminance[cell] = bright;
      const redness = r - g - b;
      rawRedness[cell] = redness > 0 ? redness : 0;
      mean += bright * (share[cell] as number);
    }
    blur({ from: rawRed, to: red, scratch, columns, rows });
    blur({ from: rawGreen, to: green, scratch, columns, rows });
    blur({ from: rawBlue, to: blue, scratch, columns, rows });
    for (let cell = 0; cell < count; cell += 1) {
      luminance[cell] =
        0.2126 * (red[cell] as number) + 0.7152 * (green[cell] as number) + 0.0722 * (blue[cell] as number);
    }
    return mean;
  }

  const isHdr = transfer !== "sdr";
  return { columns, rows, count, isHdr, share, red, green, blue, luminance, rawLuminance, rawRedness, read };
}

type Planes = readonly [Float32Array, Float32Array, Float32Array];

type AverageOptions = {
  pixels: Uint8Array;
  width: number;
  height: number;
  size: number;
  light: Float32Array;
  raw: Planes;
};

function averageCells(options: AverageOptions): void {
  const { pixels, width, height, size, light, raw } = options;
  const [red, green, blue] = raw;
  let cell = 0;
  for (let top = 0; top < height; top += size) {
    const bottom = Math.min(top + size, height);
    for (let left = 0; left < width; left += size) {
      const right = Math.min(left + size, width);
      let r = 0;
      let g = 0;
      let b = 0;
      for (let y = top; y < bottom; y += 1) {
        const end = (y * width + right) * 3;
        for (let at = (y * width + left) * 3; at < end; at += 3) {
          r += light[pixels[at] as number] as number;
          g += light[pixels[at + 1] as number] as number;
          b += light[pixels[at + 2] as number] as number;
        }
      }
      const scale = 1 / ((right - left) * (bottom - top));
      red[cell] = r * scale;
      green[cell] = g * scale;
      blue[cell] = b * scale;
      cell += 1;
    }
  }
}

/**
 * The same for whole cells of 4 × 4 pixels, the usual ones, from half of their pixels, because this loop is most of the
 * work. Columns 0 and 2, then twice 1 and 3, then 0 and 2: each row and each column has two, so straight edges keep
 * their place, and stripes and checkerboards of single pixels keep their mean.
 */
function averageCellsOfFour({ pixels, width, height, light, raw }: AverageOptions): void {
  const [red, green, blue] = raw;
  const stride = width * 3;
  let cell = 0;
  for (let top = 0; top < height; top += 4) {
    for (let left = 0; left < width; left += 4) {
      let r = 0;
      let g = 0;
      let b = 0;
      let at = (top * width + left) * 3;
      for (let y = 0; y < 4; y += 1) {
        const first = y === 0 || y === 3 ? at : at + 3;
        r += (light[pixels[first] as number] as number) + (light[pixels[first + 6] as number] as number);
        g += (light[pixels[first + 1] as number] as number) + (light[pixels[first + 7] as number] as number);
        b += (light[pixels[first + 2] as number] as number) + (light[pixels[first + 8] as number] as number);
        at += stride;
      }
      red[cell] = r / 8;
      green[cell] = g / 8;
      blue[cell] = b / 8;
      cell += 1;
    }
  }
}

/** From BT.2020 to BT.709 primaries, because every threshold of red is written for those. */
function toDisplay([red, green, blue]: Planes, transfer: "pq" | "hlg"): void {
  for (let cell = 0; cell < red.length; cell += 1) {
    const r = red[cell] as number;
    const g = green[cell] as number;
    const b = blue[cell] as number;
    const gain = transfer === "hlg" ? hlgDisplayGain(0.2627 * r + 0.678 * g + 0.0593 * b) : 1;
    red[cell] = gain * (1.660491 * r - 0.587641 * g - 0.07285 * b);
    green[cell] = gain * (-0.12455 * r + 1.1329 * g - 0.008349 * b);
    blue[cell] = gain * (-0.018151 * r - 0.100579 * g + 1.11873 * b);
  }
}

/** The mean of three by three cells; at the edges of those that are there. */
function blur(options: {
  from: Float32Array;
  to: Float32Array;
  scratch: Float32Array;
  columns: number;
  rows: number;
}): void {
  const { from, to, scratch, columns, rows } = options;
  const count = columns * rows;
  for (let start = 0; start < count; start += columns) {
    const last = start + columns - 1;
    let before = from[start] as number;
    let here = before;
    for (let cell = start; cell < last; cell += 1) {
      const after = from[cell + 1] as number;
      scratch[cell] = (before + here + after) / 3;
      before = here;
      here = after;
    }
    scratch[start] = ((from[start] as number) + (from[Math.min(start + 1, last)] as number)) / 2;
    scratch[last] = ((from[last] as number) + (from[Math.max(last - 1, start)] as number)) / 2;
  }
  for (let cell = columns; cell < count - columns; cell += 1) {
    const above = scratch[cell - columns] as number;
    to[cell] = (above + (scratch[cell] as number) + (scratch[cell + columns] as number)) / 3;
  }
  const last = count - columns;
  for (let column = 0; column < columns; column += 1) {
    const below = scratch[column + (rows > 1 ? columns : 0)] as number;
    to[column] = ((scratch[column] as number) + below) / 2;
    const above = scratch[last + column - (rows > 1 ? columns : 0)] as number;
    to[last + column] = ((scratch[last + column] as number) + above) / 2;
  }
}
