import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../../golden/frames.ts";
import { findModels } from "../find-models.ts";
import type { KerasLayer, KerasModel } from "./keras-model.ts";
import { kerasToOnnx, pictureSide } from "./keras-to-onnx.ts";

const skip = findModels().canHearSpeech ? false : "onnxruntime is not installed here";
const random = createRandom(5);

/** Weights of a byte each, which stand for -1 to 1. */
function makeWeights(shapes: Record<string, number[]>) {
  const quantization = { min: -1, scale: 2 / 255 };
  const weights = Object.entries(shapes).map(([name, shape]) => ({ name, shape, quantization }));
  const counts = weights.map(({ shape }) => shape.reduce((product, size) => product * size, 1));
  const packed = counts.map((count) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256)));
  const values = new Map(
    weights.map(({ name }, index) => [name, Array.from(packed[index] ?? [], (byte) => (byte * 2) / 255 - 1)]),
  );
  return { manifest: [{ weights }], packed: Uint8Array.from(packed.flatMap((bytes) => [...bytes])), values };
}

function layer(kind: string, from: string[], config: Record<string, unknown> = {}): KerasLayer {
  const name = config["name"] as string;
  return { name, class_name: kind, config, inbound_nodes: [from.map((source) => [source, 0, 0, {}])] };
}

test("the network computes what its layers say, value by value", { skip }, async () => {
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const { manifest, packed, values } = makeWeights({
    "conv/kernel": [3, 3, 3, 4],
    "deep/depthwise_kernel": [3, 3, 4, 1],
    "dense/kernel": [4, 5],
    "dense/bias": [5],
  });
  const layers = [
    layer("InputLayer", [], { name: "in" }),
    layer("ZeroPadding2D", ["in"], {
      name: "pad",
      padding: [
        [0, 1],
        [0, 1],
      ],
    }),
    layer("Conv2D", ["pad"], { name: "conv", strides: [2, 2], padding: "valid" }),
    layer("ReLU", ["conv"], { name: "relu", max_value: 1.5 }),
    layer("DepthwiseConv2D", ["relu"], { name: "deep", strides: [1, 1], padding: "same" }),
    layer("Add", ["deep", "relu"], { name: "sum" }),
    layer("AveragePooling2D", ["sum"], { name: "pool", pool_size: [112, 112], strides: [112, 112] }),
    layer("Flatten", ["pool"], { name: "flat" }),
    layer("Dropout", ["flat"], { name: "drop" }),
    layer("Dense", ["drop"], { name: "dense", activation: "softmax" }),
  ];
  const model: KerasModel = {
    modelTopology: { model_config: { config: { layers, output_layers: [["dense", 0, 0]] } } },
    weightsManifest: manifest,
  };
  const planes = Float32Array.from({ length: 3 * pictureSide ** 2 }, () => random());

  const session = await InferenceSession.create(kerasToOnnx(model, packed), { logSeverityLevel: 3 });
  const output = await session.run({ picture: new Tensor("float32", planes, [1, 3, pictureSide, pictureSide]) });

  const [answer] = Object.values(output);
  const computed = Array.from((answer?.data ?? []) as Float32Array);
  const expected = compute(planes, (name) => values.get(name) ?? []);
  for (const [index, value] of expected.entries()) assert.ok(Math.abs(value - (computed[index] ?? NaN)) < 1e-4);
});

test("weights that do not fit the model are refused", () => {
  const { manifest, packed } = makeWeights({ "conv/kernel": [1, 1, 3, 1] });
  const model: KerasModel = {
    modelTopology: { model_config: { config: { layers: [], output_layers: [] } } },
    weightsManifest: manifest,
  };

  assert.throws(() => kerasToOnnx(model, packed.subarray(1)), /bytes of weights/);
});

/** The same network, plainly. */
function compute(planes: Float32Array, weights: (name: string) => number[]): number[] {
  const side = pictureSide / 2;
  const pixel = (channel: number, y: number, x: number) =>
    y < pictureSide && x < pictureSide ? (planes[(channel * pictureSide + y) * pictureSide + x] ?? 0) : 0;
  const [kernel, deep] = [weights("conv/kernel"), weights("deep/depthwise_kernel")];
  const nine = Array.from({ length: 9 }, (_, place) => [Math.floor(place / 3), place % 3] as const);
  const relu = Array.from({ length: 4 }, (_, to) =>
    Float64Array.from({ length: side * side }, (_none, at) => {
      const [y, x] = [Math.floor(at / side) * 2, (at % side) * 2];
      let sum = 0;
      for (const [down, right] of nine)
        for (let from = 0; from < 3; from += 1)
          sum += pixel(from, y + down, x + right) * (kernel[((down * 3 + right) * 3 + from) * 4 + to] ?? 0);
      return Math.min(1.5, Math.max(0, sum));
    }),
  );
  const means = relu.map((plane, channel) => {
    let sum = 0;
    for (let at = 0; at < side * side; at += 1) {
      const [y, x] = [Math.floor(at / side), at % side];
      sum += plane[at] ?? 0;
      for (const [down, right] of nine) {
        const [row, column] = [y + down - 1, x + right - 1];
        if (row < 0 || column < 0 || row >= side || column >= side) continue;
        sum += (plane[row * side + column] ?? 0) * (deep[(down * 3 + right) * 4 + channel] ?? 0);
      }
    }
    return sum / side ** 2;
  });
  const [dense, bias] = [weights("dense/kernel"), weights("dense/bias")];
  const logits = bias.map((value, to) =>
    means.reduce((sum, mean, from) => sum + mean * (dense[from * 5 + to] ?? 0), value),
  );
  const powers = logits.map((logit) => Math.exp(logit));
  const whole = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / whole);
}
