import sharp from "sharp";
import { serveWorker } from "../../jail/serve-worker.ts";
import { allowLoaders } from "../images/sharp-loaders.ts";
import { encodeRaster, maxRasterSide } from "../pixels/raster.ts";
import type { OfficePictureAnswer, OfficePictureRequest } from "./office-pictures.ts";
import { openZip } from "./zip.ts";

/** A picture on a page or slide is smaller than a sheet for print. */
const maxPixels = 100e6;

allowLoaders();

await serveWorker<OfficePictureRequest, OfficePictureAnswer>(async ({ part }, { file }) => {
  const zip = await openZip(file);
  const bytes = await zip.read(part);
  zip.close();
  if (bytes === null) return { raster: null };
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: maxPixels })
      .autoOrient()
      .resize({ width: maxRasterSide, height: maxRasterSide, fit: "inside", withoutEnlargement: true })
      // What is behind a transparent picture is not known: on grey, dark letters are read and light ones too.
      .flatten({ background: "#808080" })
      .toColourspace("srgb")
      .removeAlpha()
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3) return { raster: null };
    return { raster: encodeRaster({ width: info.width, height: info.height, pixels: data }) };
  } catch {
    // Drawings of Windows (EMF, WMF) and damaged pictures.
    return { raster: null };
  }
});
