import { createRequire } from "node:module";
import { InferenceSession, Tensor } from "onnxruntime-node";
import type { Raster } from "../../evidence/pixels/raster.ts";
import { packageFile } from "../find-models.ts";
import { resampleToPlanes } from "../ocr/resample.ts";
import type { KerasModel } from "./keras-model.ts";
import { kerasToOnnx, pictureSide } from "./keras-to-onnx.ts";

/** In the order of the network's answer. */
const classes = ["drawing", "hentai", "neutral", "porn", "sexy"] as const;

/** The classifier of nsfwjs (MobileNet v2). It is often wrong about clothed people: a reason to look, nothing more. */
export async function createPictureJudge(): Promise<{ judge: (picture: Raster) => Promise<{ nudity: number }> }> {
  const load = createRequire(import.meta.url);
  const file = (name: string) => packageFile("nsfwjs", "dist", "models", "mobilenet_v2", `${name}.min.js`);
  const weights = Buffer.from(load(file("group1-shard1of1")) as string, "base64");
  const session = await InferenceSession.create(kerasToOnnx(load(file("model")) as KerasModel, weights), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  const [output = ""] = session.outputNames;
  return {
    async judge(picture) {
      const side = { width: pictureSide, height: pictureSide };
      const { values } = resampleToPlanes(picture, side, "bilinear");
      const input = new Tensor("float32", redFirst(values), [1, 3, pictureSide, pictureSide]);
      const answer = (await session.run({ picture: input }))[output]?.data as Float32Array;
      const likelihood = (name: (typeof classes)[number]) => answer[classes.indexOf(name)] ?? 0;
      return { nudity: likelihood("porn") + likelihood("hentai") };
    },
  };
}

/** The planes come as blue, green, red from 0 to 255. */
function redFirst(values: Float32Array): Float32Array {
  const area = pictureSide * pictureSide;
  const planes = new Float32Array(values.length);
  for (let plane = 0; plane < 3; plane += 1) {
    const from = (2 - plane) * area;
    for (let at = 0; at < area; at += 1) planes[plane * area + at] = (values[from + at] ?? 0) / 255;
  }
  return planes;
}
