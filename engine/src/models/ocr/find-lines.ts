import { Tensor } from "onnxruntime-node";
import type { Raster } from "../../evidence/pixels/raster.ts";
import type { Box } from "../read-line.ts";
import { openModel } from "./model-files.ts";
import { type Planes, resampleToPlanes } from "./resample.ts";
import { boxesOf } from "./text-boxes.ts";

/** Below 960 letters of 13 pixels in a picture of 1280 are lost; above it, only time is. */
const longestSide = 960;
/** The model halves its picture five times. */
const step = 32;

/** In the order of the planes. */
const means = [0.485, 0.456, 0.406];
const deviations = [0.229, 0.224, 0.225];

/** Finds where the lines of text are. Pictures larger than 1280 lose their small print: cut them into tiles before. */
export async function createLineFinder(): Promise<(picture: Raster) => Promise<Box[]>> {
  const model = await openModel("ch_PP-OCRv4_det_infer.onnx");
  const [input = "", output = ""] = [model.inputNames[0], model.outputNames[0]];
  return async (picture) => {
    const factor = Math.min(1, longestSide / Math.max(picture.width, picture.height));
    const fit = (side: number) => Math.max(step, Math.round((side * factor) / step) * step);
    const planes = resampleToPlanes(picture, { width: fit(picture.width), height: fit(picture.height) }, "bilinear");
    normalise(planes);
    const { width, height } = planes;
    const answer = await model.run({ [input]: new Tensor("float32", planes.values, [1, 3, height, width]) });
    const likelihoods = answer[output]?.data;
    if (!(likelihoods instanceof Float32Array)) throw new Error("The detector of text gave no map.");
    const [acrossFactor, downFactor] = [picture.width / width, picture.height / height];
    return boxesOf({ width, height, likelihoods }).map(
      (box) => box.map(({ x, y }) => ({ x: x * acrossFactor, y: y * downFactor })) as Box,
    );
  };
}

function normalise({ width, height, values }: Planes): void {
  const area = width * height;
  for (const [plane, mean] of means.entries()) {
    const factor = 1 / (255 * (deviations[plane] ?? 1));
    const shift = mean / (deviations[plane] ?? 1);
    for (let index = plane * area; index < (plane + 1) * area; index += 1) {
      values[index] = (values[index] as number) * factor - shift;
    }
  }
}
