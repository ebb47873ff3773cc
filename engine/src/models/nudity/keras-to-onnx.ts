import { type KerasLayer, type KerasModel, unpackWeights, type Weights } from "./keras-model.ts";
import { createOnnxGraph, type OnnxGraph } from "../onnx/write-model.ts";

export const pictureSide = 224;

/**
 * The same network for onnxruntime, so that a second runtime is not needed for it. Only the layers that MobileNet v2
 * has; pictures are planes here (channels first), so kernels are turned round. Not converted once for all: the result
 * is 10.5 MB to keep in the repository (the package has 2.6), and this takes about 0.6 s of CPU for a process that serves
 * many files.
 */
export function kerasToOnnx(model: KerasModel, packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const { layers, output_layers: outputLayers } = model.modelTopology.model_config.config;
  const weights = unpackWeights(model, packed);
  const graph = createOnnxGraph({ name: "picture", shape: [1, 3, pictureSide, pictureSide] });
  const outputs = new Map<string, string>();
  /** Padding is a property of the convolution that follows. */
  const paddings = new Map<string, number[]>();
  for (const layer of layers) {
    const sources = (layer.inbound_nodes[0] ?? []).map(([name]) => name);
    const inputs = sources.map((name) => outputs.get(name) ?? "picture");
    const padding = paddings.get(sources[0] ?? "");
    if (layer.class_name === "ZeroPadding2D") paddings.set(layer.name, paddingOf(layer));
    outputs.set(layer.name, addLayer({ graph, layer, inputs, padding, weights }));
  }
  const [last] = outputLayers[0] ?? [""];
  return graph.finish({ name: outputs.get(last) ?? "", shape: [1, 5] });
}

type Step = {
  graph: OnnxGraph;
  layer: KerasLayer;
  inputs: string[];
  padding: number[] | undefined;
  weights: Map<string, Weights>;
};

function addLayer(step: Step): string {
  const { graph, layer, inputs } = step;
  const [input = ""] = inputs;
  switch (layer.class_name) {
    case "InputLayer":
      return "picture";
    // At work nothing is dropped.
    case "Dropout":
    case "ZeroPadding2D":
      return input;
    case "Conv2D":
    case "DepthwiseConv2D":
      return addConvolution(step);
    case "BatchNormalization": {
      const parts = ["gamma", "beta", "moving_mean", "moving_variance"].map((part) => addWeights(step, part));
      return graph.add("BatchNormalization", [input, ...parts], {
        epsilon: { float: Number(layer.config["epsilon"]) },
      });
    }
    case "ReLU":
      return graph.add("Clip", [
        input,
        graph.weights([], Float32Array.of(0)),
        graph.weights([], Float32Array.of(Number(layer.config["max_value"]))),
      ]);
    case "Add":
      return graph.add("Add", inputs);
    case "AveragePooling2D":
      return graph.add("AveragePool", [input], {
        kernel_shape: { integers: layer.config["pool_size"] as number[] },
        strides: { integers: layer.config["strides"] as number[] },
      });
    case "Flatten":
      return graph.add("Flatten", [input]);
    case "Dense":
      return addDense(step);
    default:
      throw new Error(`The layer ${layer.class_name} is not known.`);
  }
}

function addConvolution({ graph, layer, inputs, padding, weights }: Step): string {
  const isDepthwise = layer.class_name === "DepthwiseConv2D";
  const kernel = weightsOf(weights, `${layer.name}/${isDepthwise ? "depthwise_kernel" : "kernel"}`);
  const [height = 1, width = 1, from = 1, to = 1] = kernel.shape;
  // Height, width, from, to becomes to, from, height, width; a depthwise kernel has one plane for each channel.
  const [first, second] = isDepthwise ? [from, to] : [to, from];
  const values = new Float32Array(kernel.values.length);
  let at = 0;
  for (let a = 0; a < first; a += 1) {
    for (let b = 0; b < second; b += 1) {
      for (let place = 0; place < height * width; place += 1) {
        const source = isDepthwise ? (place * from + a) * to + b : (place * from + b) * to + a;
        values[at] = kernel.values[source] ?? 0;
        at += 1;
      }
    }
  }
  const isSame = layer.config["padding"] === "same";
  const around = [Math.floor(height / 2), Math.floor(width / 2)];
  return graph.add("Conv", [inputs[0] ?? "", graph.weights([first, second, height, width], values)], {
    kernel_shape: { integers: [height, width] },
    strides: { integers: layer.config["strides"] as number[] },
    pads: { integers: padding ?? (isSame ? [...around, ...around] : [0, 0, 0, 0]) },
    group: { integer: isDepthwise ? from : 1 },
  });
}

function addDense(step: Step): string {
  const { graph, layer, inputs } = step;
  const output = graph.add("Gemm", [inputs[0] ?? "", addWeights(step, "kernel"), addWeights(step, "bias")]);
  if (layer.config["activation"] === "softmax") return graph.add("Softmax", [output]);
  return layer.config["activation"] === "relu" ? graph.add("Relu", [output]) : output;
}

function addWeights({ graph, layer, weights }: Step, part: string): string {
  const { shape, values } = weightsOf(weights, `${layer.name}/${part}`);
  return graph.weights(shape, values);
}

function weightsOf(weights: Map<string, Weights>, name: string): Weights {
  const found = weights.get(name);
  if (found === undefined) throw new Error(`The weights ${name} are missing.`);
  return found;
}

/** Top, left, bottom, right. */
function paddingOf(layer: KerasLayer): number[] {
  const [[top, bottom], [left, right]] = layer.config["padding"] as [[number, number], [number, number]];
  return [top, left, bottom, right];
}
