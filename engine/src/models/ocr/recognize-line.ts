import { readFile } from "node:fs/promises";
import { Tensor } from "onnxruntime-node";
import type { Raster } from "../../evidence/pixels/raster.ts";
import { modelFile, openModel } from "./model-files.ts";
import { resampleToPlanes } from "./resample.ts";

export type Recognized = {
  text: string;
  confidence: number;
  /** Where each character stands along the picture, 0 to 1. */
  letters: number[];
};

const lineHeight = 48;
/** Longer than any line of print; what is wider is no line. */
const widest = 2_400;

/** Reads a picture of one line. */
export async function createRecognizer(): Promise<(line: Raster) => Promise<Recognized>> {
  const model = await openModel("ch_PP-OCRv4_rec_infer.onnx");
  const [input = "", output = ""] = [model.inputNames[0], model.outputNames[0]];
  const characters = await readCharacters();
  return async (line) => {
    const width = Math.max(lineHeight, Math.min(widest, Math.ceil((line.width * lineHeight) / line.height)));
    const { values } = resampleToPlanes(line, { width, height: lineHeight }, "bicubic");
    for (let index = 0; index < values.length; index += 1) values[index] = (values[index] as number) / 127.5 - 1;
    const answer = await model.run({ [input]: new Tensor("float32", values, [1, 3, lineHeight, width]) });
    const { data, dims } = answer[output] ?? {};
    if (!(data instanceof Float32Array) || dims === undefined) throw new Error("The reader of lines gave no answer.");
    return decode({ likelihoods: data, steps: dims[1] ?? 0, characters });
  };
}

/** The first answer is "nothing", the last a space; between them is the list of the package. */
async function readCharacters(): Promise<string[]> {
  const list = (await readFile(modelFile("ppocr_keys_v1.txt"), "utf8")).trimEnd().split(/\r?\n/);
  return ["", ...list, " "];
}

/** The likeliest character of each step, where one that is repeated without a "nothing" between is one character. */
function decode(options: { likelihoods: Float32Array; steps: number; characters: string[] }): Recognized {
  const { likelihoods, steps, characters } = options;
  const count = likelihoods.length / Math.max(1, steps);
  const found: { character: string; likelihood: number; step: number }[] = [];
  let before = 0;
  for (let step = 0; step < steps; step += 1) {
    let best = 0;
    let likelihood = -1;
    for (let index = step * count, candidate = 0; candidate < count; index += 1, candidate += 1) {
      const value = likelihoods[index] as number;
      if (value > likelihood) {
        likelihood = value;
        best = candidate;
      }
    }
    if (best !== 0 && best !== before) found.push({ character: characters[best] ?? "", likelihood, step });
    before = best;
  }
  const sum = found.reduce((total, { likelihood }) => total + likelihood, 0);
  return {
    text: found.map(({ character }) => character).join(""),
    confidence: found.length === 0 ? 0 : sum / found.length,
    letters: found.map(({ step }) => (step + 0.5) / steps),
  };
}
