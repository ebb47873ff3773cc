import { bytes, float, integer, join, type Pieces, text } from "./protobuf.ts";

/** A graph in the making. Its fields have the numbers that onnx.proto gives them. */
export type OnnxGraph = {
  /** Adds an operation and answers with the name of its output. */
  add: (operation: string, inputs: string[], attributes?: Record<string, OnnxAttribute>) => string;
  /** Adds weights and answers with their name. */
  weights: (shape: number[], values: Float32Array) => string;
  finish: (output: { name: string; shape: number[] }) => Uint8Array<ArrayBuffer>;
};

export type OnnxAttribute = { integer: number } | { float: number } | { integers: number[] };

export type OnnxNode = {
  operation: string;
  inputs: string[];
  outputs: string[];
  /** All other fields, such as attributes. */
  rest: Pieces;
};

const [irVersion, operatorSet] = [8, 13];
export const floatType = 1;

export function createOnnxGraph(input: { name: string; shape: number[] }): OnnxGraph {
  const nodes: Pieces[] = [];
  const initializers: Pieces[] = [];
  let count = 0;
  const newName = () => `value${(count += 1)}`;
  return {
    add(operation, inputs, attributes = {}) {
      const output = newName();
      const rest = Object.entries(attributes).flatMap(([name, value]) => writeAttribute(name, value));
      nodes.push(writeNode({ operation, inputs, outputs: [output], rest }));
      return output;
    },
    weights(shape, values) {
      const name = newName();
      initializers.push(writeWeights(name, { shape, values }));
      return name;
    },
    finish(output) {
      const ends = [...bytes(11, describeValue(input)), ...bytes(12, describeValue(output))];
      const graph = [...nodes.flat(), ...text(2, "graph"), ...initializers.flat(), ...ends];
      return join([...integer(1, irVersion), ...bytes(8, integer(2, operatorSet)), ...bytes(7, graph)]);
    },
  };
}

/** As a field of the graph. */
export function writeNode({ operation, inputs, outputs, rest }: OnnxNode): Pieces {
  const names = [...inputs.map((name) => text(1, name)), ...outputs.map((name) => text(2, name))];
  return bytes(1, [...names.flat(), ...text(4, operation), ...rest]);
}

/** As a field of the node. */
export function writeAttribute(name: string, value: OnnxAttribute): Pieces {
  if ("float" in value) return bytes(5, [...text(1, name), ...float(2, value.float), ...integer(20, 1)]);
  if ("integer" in value) return bytes(5, [...text(1, name), ...integer(3, value.integer), ...integer(20, 2)]);
  return bytes(5, [...text(1, name), ...value.integers.flatMap((each) => integer(8, each)), ...integer(20, 7)]);
}

/** As a field of the graph. */
export function writeWeights(name: string, { shape, values }: { shape: number[]; values: Float32Array }): Pieces {
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const sizes = shape.flatMap((size) => integer(1, size));
  return bytes(5, [...sizes, ...integer(2, floatType), ...text(8, name), ...bytes(9, [raw])]);
}

function describeValue({ name, shape }: { name: string; shape: number[] }): Pieces {
  const dimensions = shape.flatMap((size) => bytes(1, integer(1, size)));
  const tensor = [...integer(1, floatType), ...bytes(2, dimensions)];
  return [...text(1, name), ...bytes(2, bytes(1, tensor))];
}
