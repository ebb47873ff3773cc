/** A Keras model as TensorFlow.js stores it: its layers, and the weights as bytes in the order of a list. */
export type KerasModel = {
  modelTopology: { model_config: { config: { layers: KerasLayer[]; output_layers: [string, number, number][] } } };
  weightsManifest: { weights: KerasWeights[] }[];
};

export type KerasLayer = {
  name: string;
  class_name: string;
  config: Record<string, unknown>;
  inbound_nodes: [string, number, number, unknown][][];
};

type KerasWeights = { name: string; shape: number[]; quantization?: { min: number; scale: number } };

export type Weights = { shape: number[]; values: Float32Array };

/** All weights by name, from a byte each. */
export function unpackWeights(model: KerasModel, packed: Uint8Array): Map<string, Weights> {
  const found = new Map<string, Weights>();
  let at = 0;
  for (const { name, shape, quantization } of model.weightsManifest.flatMap(({ weights }) => weights)) {
    if (quantization === undefined) throw new Error(`The weights ${name} are not packed as expected.`);
    const { min, scale } = quantization;
    const count = shape.reduce((product, size) => product * size, 1);
    const values = new Float32Array(count);
    for (let index = 0; index < count; index += 1) values[index] = (packed[at + index] ?? 0) * scale + min;
    found.set(name, { shape, values });
    at += count;
  }
  if (at !== packed.length) throw new Error(`${packed.length} bytes of weights, but the model has ${at}.`);
  return found;
}
