import decodeHeic from "heic-decode";
import { imageLimits } from "./image-limits.ts";
import type { DecodedPicture } from "./read-bmp.ts";

const knownBrands = new Set(["mif1", "msf1", "heic", "heix", "hevc", "hevx"]);

/** The main picture of a HEIC, or another one that is beside it, turned as it is meant to be seen. */
export async function readHeic(
  bytes: Buffer,
  refuseLarge: (pixels: number, limit: number) => void,
  frame: number,
): Promise<DecodedPicture> {
  // The library knows six of the brands that cameras write; what follows the brand is the same.
  if (!knownBrands.has(bytes.toString("latin1", 8, 12))) bytes.write("heic", 8, "latin1");
  const pictures = await decodeHeic.all({ buffer: bytes });
  const wanted = pictures[frame] ?? pictures[0];
  if (wanted === undefined) throw new Error("no picture in the file");
  refuseLarge(wanted.width * wanted.height, imageLimits.heicPixels);
  const { width, height, data } = await wanted.decode();
  return {
    width,
    height,
    channels: 4,
    hasAlpha: hasTransparency(data),
    pixels: new Uint8Array(data.buffer),
    frameCount: pictures.length,
  };
}

function hasTransparency(rgba: Uint8ClampedArray): boolean {
  for (let index = 3; index < rgba.length; index += 4) if (rgba[index] !== 255) return true;
  return false;
}
