import { readFile } from "node:fs/promises";
import { Tensor } from "onnxruntime-node";
import type { Raster } from "../../evidence/pixels/raster.ts";
import { leastRival, likelyWords, type ReadLetter, type Rival } from "./likely-words.ts";
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
  const found: (ReadLetter & { step: number; clearest: number })[] = [];
  const rivalsAt = (step: number, best: number) => findRivals(likelihoods, { step, count, best, characters });
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
    const last = found.at(-1);
    if (best !== 0 && best !== before) {
      const rivals = rivalsAt(step, best);
      found.push({ character: characters[best] ?? "", likelihood, step, rivals, clearest: likelihood });
    } else if (best !== 0 && last !== undefined && likelihood > last.clearest) {
      last.clearest = likelihood;
      last.rivals = rivalsAt(step, best);
    }
    before = best;
  }
  const sum = found.reduce((total, { likelihood }) => total + likelihood, 0);
  return {
    text: likelyWords(found),
    confidence: found.length === 0 ? 0 : sum / found.length,
    letters: found.map(({ step }) => (step + 0.5) / steps),
  };
}

function findRivals(
  likelihoods: Float32Array,
  { step, count, best, characters }: { step: number; count: number; best: number; characters: string[] },
): Rival[] {
  const rivals: Rival[] = [];
  if ((likelihoods[step * count + best] as number) > 1 - leastRival) return rivals;
  for (let candidate = 1; candidate < count; candidate += 1) {
    const likelihood = likelihoods[step * count + candidate] as number;
    if (candidate !== best && likelihood >= leastRival)
      rivals.push({ character: characters[candidate] ?? "", likelihood });
  }
  return rivals;
}
