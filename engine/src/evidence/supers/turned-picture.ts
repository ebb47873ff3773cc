import type { Box, ReadLine } from "../../models/read-line.ts";
import type { Raster } from "../pixels/raster.ts";

/** Letters of sure lines: fewer may be what a page on its side looks like to the reader. */
const fewLetters = 8;
const sureConfidence = 0.85;

/** Reads a still, and once more turned by a quarter where hardly anything was read: a page may lie on its side. */
export async function readAnyWay(picture: Raster, read: (picture: Raster) => Promise<ReadLine[]>): Promise<ReadLine[]> {
  const upright = await read(picture);
  if (sureLetters(upright) >= fewLetters) return upright;
  const turned = await readTurned(picture, read);
  return sureLetters(turned) <= Math.max(sureLetters(upright), fewLetters) ? upright : turned;
}

/** What is read of a picture that is turned by a quarter, at its places in the picture as it is. */
export async function readTurned(picture: Raster, read: (picture: Raster) => Promise<ReadLine[]>): Promise<ReadLine[]> {
  return (await read(quarterTurn(picture))).map((line) => ({
    ...line,
    box: line.box.map(({ x, y }) => ({ x: y, y: picture.height - x })) as Box,
  }));
}

function sureLetters(lines: readonly ReadLine[]): number {
  const sure = lines.filter(({ confidence }) => confidence >= sureConfidence);
  return sure.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
}

/** Clockwise. */
function quarterTurn({ width, height, pixels }: Raster): Raster {
  const turned = new Uint8Array(pixels.length);
  for (let y = 0, from = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, from += 3) {
      turned.set(pixels.subarray(from, from + 3), (x * height + height - 1 - y) * 3);
    }
  }
  return { width: height, height: width, pixels: turned };
}
