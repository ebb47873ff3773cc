import { bytes, type Field, float, integer, message, text } from "./protobuf.ts";

/** A graph in the making. Its fields have the numbers that onnx.proto gives them. */
export type OnnxGraph = {
  /** Adds an operation and answers with the name of its output. */
  add: (operation: string, inputs: string[], attributes?: Record<string, OnnxAttribute>) => string;
  /** Adds weights and answers with their name. */
  weights: (shape: number[], values: Float32Array) => string;
  finish: (output: { name: string; shape: number[] }) => Uint8Array<ArrayBuffer>;
};

export type OnnxAttribute = { integer: number } | { float: number } | { integers: number[] };

const [irVersion, operatorSet, floatType] = [8, 13, 1];

export function createOnnxGraph(input: { name: string; shape: number[] }): OnnxGraph {
  const nodes: Field[] = [];
  const initializers: Field[] = [];
  let count = 0;
  const newName = () => `value${(count += 1)}`;
  return {
    add(operation, inputs, attributes = {}) {
      const output = newName();
      const node = message(
        ...inputs.map((name) => text(1, name)),
        text(2, output),
        text(4, operation),
        ...Object.entries(attributes).map(([name, value]) => bytes(5, attribute(name, value))),
      );
      nodes.push(bytes(1, node));
      return output;
    },
    weights(shape, values) {
      const name = newName();
      const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      const tensor = message(
        ...shape.map((size) => integer(1, size)),
        integer(2, floatType),
        text(8, name),
        bytes(9, raw),
      );
      initializers.push(bytes(5, tensor));
      return name;
    },
    finish(output) {
      const ends = [bytes(11, describeValue(input)), bytes(12, describeValue(output))];
      const graph = message(...nodes, text(2, "graph"), ...initializers, ...ends);
      return message(integer(1, irVersion), bytes(8, message(integer(2, operatorSet))), bytes(7, graph));
    },
  };
}

function attribute(name: string, value: OnnxAttribute): Uint8Array {
  if ("float" in value) return message(text(1, name), float(2, value.float), integer(20, 1));
  if ("integer" in value) return message(text(1, name), integer(3, value.integer), integer(20, 2));
  return message(text(1, name), ...value.integers.map((each) => integer(8, each)), integer(20, 7));
}

function describeValue({ name, shape }: { name: string; shape: number[] }): Uint8Array {
  const dimensions = shape.map((size) => bytes(1, message(integer(1, size))));
  const tensor = message(integer(1, floatType), bytes(2, message(...dimensions)));
  return message(text(1, name), bytes(2, message(bytes(1, tensor))));
}
