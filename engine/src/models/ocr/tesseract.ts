import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** A gray picture, dark letters on white. */
export type GrayPicture = { width: number; height: number; values: Uint8Array };

/** `confidence`: 0 to 100. */
export type Tesseract = (picture: GrayPicture) => { text: string; confidence: number };

export const readingLanguages = ["eng", "fra", "deu", "spa", "ita", "por", "heb", "hin", "tha"] as const;
export type ReadingLanguage = (typeof readingLanguages)[number];

/** Names the script of a line, as Unicode does, and how sure that is; null: too few letters. */
export type ScriptDetector = (picture: GrayPicture) => { script: string; confidence: number } | null;

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
    DetectOS: (results: OrientationAndScript) => boolean;
  };
  OSResults: new () => OrientationAndScript;
  destroy: (object: object) => void;
};

type OrientationAndScript = {
  best_result: { script_id: number; sconfidence: number };
  unicharset: { get_script_from_script_id: (id: number) => string };
};

const neuralEngine = 1;
const oldEngine = 0;
const singleLine = "7";
const scriptOnly = "0";
/** Copies of the line below each other: the detector was made for pages and wants many letters. */
const copies = 6;

const ours = createRequire(import.meta.url);

export type OpenTesseract = (language: ReadingLanguage) => Promise<Tesseract>;

/** Opens each language once, when it is first needed; all of them share one library. */
export function createTesseracts(): OpenTesseract {
  const opened = new Map<ReadingLanguage, Promise<Tesseract>>();
  let library: Promise<Library> | undefined;
  return (language) => {
    library ??= loadLibrary("tesseract-core-simd-lstm");
    const reader = opened.get(language) ?? openLanguage(library, language);
    opened.set(language, reader);
    return reader;
  };
}

async function openLanguage(loading: Promise<Library>, language: ReadingLanguage): Promise<Tesseract> {
  const [library, data] = await Promise.all([loading, readLanguage(language)]);
  library.FS.writeFile(`${language}.traineddata`, data);
  const reader = new library.TessBaseAPI();
  if (reader.Init(null, language, neuralEngine) !== 0) throw new Error("Tesseract did not take its language file.");
  reader.SetVariable("tessedit_pageseg_mode", singleLine);
  return (picture) => {
    library.FS.writeFile("/input", portableGray(picture));
    if (reader.SetImageFile(1, 0) !== 0) throw new Error("Tesseract did not take the picture.");
    reader.Recognize(null);
    return { text: reader.GetUTF8Text().trim(), confidence: reader.MeanTextConf() };
  };
}

export async function openScriptDetector(): Promise<ScriptDetector> {
  const [library, data] = await Promise.all([loadLibrary("tesseract-core-simd"), readLanguage("osd")]);
  library.FS.writeFile("osd.traineddata", data);
  const reader = new library.TessBaseAPI();
  if (reader.Init(null, "osd", oldEngine) !== 0) throw new Error("Tesseract did not take its scripts.");
  reader.SetVariable("tessedit_pageseg_mode", scriptOnly);
  reader.SetVariable("min_characters_to_try", "4");
  return ({ width, height, values }) => {
    const column = new Uint8Array(values.length * copies);
    for (let copy = 0; copy < copies; copy += 1) column.set(values, copy * values.length);
    library.FS.writeFile("/input", portableGray({ width, height: height * copies, values: column }));
    if (reader.SetImageFile(1, 0) !== 0) throw new Error("Tesseract did not take the picture.");
    const results = new library.OSResults();
    const best = reader.DetectOS(results) ? results.best_result : null;
    const found =
      best === null
        ? null
        : { script: results.unicharset.get_script_from_script_id(best.script_id), confidence: best.sconfidence };
    library.destroy(results);
    return found;
  };
}

/** In this very thread: the worker that tesseract.js would start looks for its files on the network. */
async function loadLibrary(name: string): Promise<Library> {
  const theirs = createRequire(ours.resolve("tesseract.js"));
  const create = theirs(`tesseract.js-core/${name}`) as (options: object) => Promise<Library>;
  // It warns of every picture that it does not say how many dots an inch has.
  return create({ print: () => undefined, printErr: () => undefined });
}

async function readLanguage(language: string): Promise<Buffer> {
  const folder = dirname(ours.resolve(`@tesseract.js-data/${language}`));
  return promisify(gunzip)(await readFile(join(folder, "4.0.0_best_int", `${language}.traineddata.gz`)));
}

function portableGray({ width, height, values }: GrayPicture): Uint8Array {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), values]);
}
