/** A picture for a reader of text: rows from the top, red, green and blue, one byte each, no padding. */
export type Raster = { width: number; height: number; pixels: Uint8Array };

/** The same on its way out of a worker. */
export type EncodedRaster = { width: number; height: number; base64: string };

/** The longer side is never larger: enough to read small print, and at most 12 MB. */
export const maxRasterSide = 2_000;

export function encodeRaster({ width, height, pixels }: Raster): EncodedRaster {
  return { width, height, base64: Buffer.from(pixels.buffer, pixels.byteOffset, pixels.length).toString("base64") };
}

/** Throws where the worker lies about the size: what follows counts on it. */
export function decodeRaster({ width, height, base64 }: EncodedRaster): Raster {
  const pixels = Buffer.from(base64, "base64");
  if (pixels.length !== width * height * 3)
    throw new Error(`${pixels.length} bytes are no raster of ${width} × ${height}.`);
  return { width, height, pixels };
}
