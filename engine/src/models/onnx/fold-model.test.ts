import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createRandom } from "../../../golden/frames.ts";
import { findModels } from "../find-models.ts";
import { foldModel } from "./fold-model.ts";
import { readModel } from "./read-model.ts";
import { createOnnxGraph, type OnnxGraph } from "./write-model.ts";

const skip = findModels().canReadText ? false : "the models of text are not installed here";
const random = createRandom(7);
const shape = [1, 2, 4, 4];
const padded = { pads: { integers: [1, 1, 1, 1] } };

async function run(model: Uint8Array, { dims, values }: { dims: number[]; values: Float32Array }): Promise<number[]> {
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const session = await InferenceSession.create(model, { logSeverityLevel: 3 });
  const output = await session.run({ [session.inputNames[0] ?? ""]: new Tensor("float32", values, dims) });
  return Array.from(output[session.outputNames[0] ?? ""]?.data as Float32Array);
}

function randoms(count: number): Float32Array {
  return Float32Array.from({ length: count }, () => random() * 2 - 1);
}

function largestDifference(one: number[], other: number[]): number {
  assert.equal(one.length, other.length);
  return one.reduce((most, value, at) => Math.max(most, Math.abs(value - (other[at] ?? NaN))), 0);
}

function likeliest(likelihoods: number[], count: number): number[] {
  const steps = Array.from({ length: likelihoods.length / count }, (_, step) =>
    likelihoods.slice(step * count, (step + 1) * count),
  );
  return steps.map((step) => step.indexOf(Math.max(...step)));
}

/** How many nodes are left of a small model, and that it still computes the same. */
async function fold(build: (graph: OnnxGraph) => string): Promise<{ before: number; after: number }> {
  const graph = createOnnxGraph({ name: "input", shape });
  const model = graph.finish({ name: build(graph), shape });
  const input = { dims: shape, values: randoms(32) };

  const folded = foldModel(model);

  assert.ok(largestDifference(await run(model, input), await run(folded, input)) < 1e-5);
  return { before: readModel(model).nodes.size, after: readModel(folded).nodes.size };
}

const number = (graph: OnnxGraph, value: number) => graph.weights([1], Float32Array.of(value));
const convolve = (graph: OnnxGraph, input: string, side: 1 | 3) => {
  const inputs = [input, graph.weights([2, 2, side, side], randoms(4 * side ** 2)), graph.weights([2], randoms(2))];
  return graph.add("Conv", inputs, side === 3 ? padded : {});
};

for (const { name, dims, nodes, count } of [
  { name: "det", dims: [1, 3, 96, 128], nodes: 193, count: 0 },
  { name: "rec", dims: [1, 3, 48, 160], nodes: 291, count: 6_625 },
]) {
  test(`the ${name} model of PP-OCRv4 answers the same with fewer nodes`, { skip }, async () => {
    const { modelFile } = await import("../ocr/model-files.ts");
    const original = readFileSync(modelFile(`ch_PP-OCRv4_${name}_infer.onnx`));
    const input = { dims, values: randoms(dims.reduce((product, size) => product * size, 1)) };

    const folded = foldModel(original);

    const [expected, found] = [await run(original, input), await run(folded, input)];
    assert.ok(largestDifference(expected, found) < 1e-3);
    if (count > 0) assert.deepEqual(likeliest(found, count), likeliest(expected, count));
    assert.equal(readModel(folded).nodes.size, nodes);
    assert.equal(foldModel(folded), folded);
  });
}

test("a number goes into the convolution before it and into the one behind it", { skip }, async () => {
  const counts = await fold((graph) => {
    const scaled = graph.add("Mul", [number(graph, 1.5), convolve(graph, "input", 3)]);
    const moved = graph.add("Add", [
      graph.add("Relu", [graph.add("Add", [scaled, number(graph, 0.3)])]),
      number(graph, 2),
    ]);
    return convolve(graph, graph.add("Mul", [moved, number(graph, -0.7)]), 1);
  });

  assert.deepEqual(counts, { before: 7, after: 3 });
});

test("what is added before a padded convolution stays, and what is multiplied before it goes", { skip }, async () => {
  const counts = await fold((graph) => {
    const scaled = graph.add("Mul", ["input", number(graph, 0.4)]);
    return convolve(graph, graph.add("Add", [scaled, number(graph, 0.5)]), 3);
  });

  assert.deepEqual(counts, { before: 3, after: 2 });
});

test("a factor of zero before a padded convolution is not divided by", { skip }, async () => {
  const counts = await fold((graph) => {
    const scaled = graph.add("Mul", ["input", number(graph, 0)]);
    return convolve(graph, graph.add("Add", [scaled, number(graph, 0.5)]), 3);
  });

  assert.deepEqual(counts, { before: 3, after: 3 });
});

const kept: Record<string, (graph: OnnxGraph) => string> = {
  "a value with two users": (graph) => {
    const convolved = convolve(graph, "input", 1);
    return graph.add("Add", [graph.add("Mul", [convolved, number(graph, 2)]), convolved]);
  },
  "a number before a convolution and something else": (graph) => {
    const sum = graph.add("Add", ["input", number(graph, 0.5)]);
    return graph.add("Mul", [convolve(graph, sum, 1), sum]);
  },
  "an addition before a padded convolution": (graph) =>
    convolve(graph, graph.add("Add", ["input", number(graph, 0.5)]), 3),
  "a vector instead of a number": (graph) =>
    graph.add("Mul", [convolve(graph, "input", 1), graph.weights([4], randoms(4))]),
  "a swish with another limit": (graph) => {
    const sum = graph.add("Add", ["input", number(graph, 3)]);
    const clipped = graph.add("Clip", [
      sum,
      graph.weights([], Float32Array.of(0)),
      graph.weights([], Float32Array.of(5)),
    ]);
    return graph.add("Div", [graph.add("Mul", ["input", clipped]), number(graph, 6)]);
  },
};
for (const [name, build] of Object.entries(kept)) {
  test(`${name} is left as it is`, { skip }, async () => {
    const { before, after } = await fold(build);

    assert.equal(after, before);
  });
}
