import sharp from "sharp";
import { serveWorker } from "../../jail/serve-worker.ts";
import { allowLoaders } from "../images/sharp-loaders.ts";
import { encodeRaster, maxRasterSide } from "../pixels/raster.ts";
import type { OfficePictureAnswer, OfficePictureRequest } from "./office-pictures.ts";
import { readXml } from "./xml.ts";
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
    if (part.toLowerCase().endsWith(".svg")) return { raster: null, words: wordsOfSvg(bytes) };
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

/** The picture that stands in for it is read as well: only its words as text may say something else. */
function wordsOfSvg(bytes: Buffer): string[] {
  const words: string[] = [];
  let depth = 0;
  readXml(bytes, {
    open({ name }) {
      if (name === "image" || name === "foreignObject") throw new Error("A picture within the drawing.");
      if (name !== "text") return;
      depth += 1;
      words.push("");
    },
    text: (text) => {
      if (depth > 0) words.push((words.pop() ?? "") + text);
    },
    close: (name) => {
      if (name === "text") depth -= 1;
    },
  });
  return words.map((line) => line.replaceAll(/\s+/g, " ").trim()).filter((line) => line !== "");
}
