import type { Raster } from "../../evidence/pixels/raster.ts";
import type { Box, Point } from "../read-line.ts";

/** A line this much higher than wide is turned: letters that stand on their side. */
const uprightRatio = 1.5;

/** Whether the letters of a line lie on their side: it is higher than it is wide. */
export function isOnItsSide([corner, right, , down]: Box): boolean {
  const width = Math.hypot(right.x - corner.x, right.y - corner.y);
  return isHigh(width, Math.hypot(down.x - corner.x, down.y - corner.y));
}

function isHigh(width: number, height: number): boolean {
  return height > width * uprightRatio;
}

/** The line turned half round. */
export function turnOver({ width, height, pixels }: Raster): Raster {
  const turned = new Uint8Array(pixels.length);
  for (let from = 0, to = pixels.length - 3; to >= 0; from += 3, to -= 3) {
    turned.set(pixels.subarray(from, from + 3), to);
  }
  return { width, height, pixels: turned };
}

/** The pixels of a level line as they lie in the picture: from a corner along the line and across it. */
export type LineGrid = { corner: Point; along: Point; across: Point; width: number; height: number };

/** Null when the box is too small to hold a letter. */
export function gridOf(box: Box): LineGrid | null {
  const [corner, right, , down] = box;
  const along = { x: right.x - corner.x, y: right.y - corner.y };
  const across = { x: down.x - corner.x, y: down.y - corner.y };
  const width = Math.round(Math.hypot(along.x, along.y));
  const height = Math.round(Math.hypot(across.x, across.y));
  if (width < 4 || height < 4) return null;
  if (!isHigh(width, height)) return { corner, along, across, width, height };
  // Read from the bottom up, as the spine of a book.
  return { corner: down, along: { x: -across.x, y: -across.y }, across: along, width: height, height: width };
}

/** The line alone, level and from left to right; null when there is nothing in the box. */
export function cropLine(picture: Raster, box: Box): Raster | null {
  const grid = gridOf(box);
  return grid === null ? null : sample(picture, grid);
}

/** Bilinear, at the scale of the picture. */
function sample(picture: Raster, { corner, along, across, width, height }: LineGrid): Raster {
  const { pixels } = picture;
  const rowLength = picture.width * 3;
  const result = new Uint8Array(width * height * 3);
  const [lastX, lastY] = [picture.width - 1.001, picture.height - 1.001];
  for (let row = 0, to = 0; row < height; row += 1) {
    const down = (row + 0.5) / height;
    for (let column = 0; column < width; column += 1, to += 3) {
      const right = (column + 0.5) / width;
      const x = Math.min(lastX, Math.max(0, corner.x + right * along.x + down * across.x - 0.5));
      const y = Math.min(lastY, Math.max(0, corner.y + right * along.y + down * across.y - 0.5));
      const left = Math.floor(x);
      const top = Math.floor(y);
      const toRight = x - left;
      const toBottom = y - top;
      const from = top * rowLength + left * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const above =
          (pixels[from + channel] as number) * (1 - toRight) + (pixels[from + 3 + channel] as number) * toRight;
        const below =
          (pixels[from + rowLength + channel] as number) * (1 - toRight) +
          (pixels[from + rowLength + 3 + channel] as number) * toRight;
        result[to + channel] = above * (1 - toBottom) + below * toBottom + 0.5;
      }
    }
  }
  return { width, height, pixels: result };
}
