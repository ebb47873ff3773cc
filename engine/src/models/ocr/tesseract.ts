import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** A gray picture, dark letters on white. */
export type GrayPicture = { width: number; height: number; values: Uint8Array };

export type Tesseract = (picture: GrayPicture) => { text: string; confidence: number };

/** What we use of the compiled library. */
type Library = {
  FS: { writeFile: (path: string, bytes: Uint8Array) => void };
  TessBaseAPI: new () => {
    Init: (folder: null, language: string, engine: number) => number;
    SetVariable: (name: string, value: string) => void;
    SetImageFile: (orientation: number, angle: number) => number;
    Recognize: (monitor: null) => number;
    GetUTF8Text: () => string;
    MeanTextConf: () => number;
  };
};

const neuralEngine = 1;
const singleLine = "7";

/**
 * Loads the reader that knows the signs of money, in this very thread: the worker that tesseract.js would start looks
 * for its files on the network.
 */
export async function openTesseract(): Promise<Tesseract> {
  const ours = createRequire(import.meta.url);
  const theirs = createRequire(ours.resolve("tesseract.js"));
  const create = theirs("tesseract.js-core/tesseract-core-simd-lstm") as (options: object) => Promise<Library>;
  const data = join(dirname(ours.resolve("@tesseract.js-data/eng")), "4.0.0_best_int", "eng.traineddata.gz");
  const [library, language] = await Promise.all([create({}), readFile(data).then(promisify(gunzip))]);
  library.FS.writeFile("eng.traineddata", language);
  const reader = new library.TessBaseAPI();
  if (reader.Init(null, "eng", neuralEngine) !== 0) throw new Error("Tesseract did not take its language file.");
  reader.SetVariable("tessedit_pageseg_mode", singleLine);
  return ({ width, height, values }) => {
    library.FS.writeFile("/input", Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), values]));
    if (reader.SetImageFile(1, 0) !== 0) throw new Error("Tesseract did not take the picture.");
    reader.Recognize(null);
    return { text: reader.GetUTF8Text().trim(), confidence: reader.MeanTextConf() };
  };
}
