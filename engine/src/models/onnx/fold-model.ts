import { floatOf, integersOf } from "./protobuf.ts";
import {
  attributesOf,
  type Floats,
  type OnnxModel,
  readFloats,
  readModel,
  type ReadNode,
  withNumber,
  writeModel,
} from "./read-model.ts";
import { writeAttribute, writeWeights } from "./write-model.ts";

/** A convolution and what its weights take over: `weights * scale` and `bias * biasScale + shift + sums * sum of weights`. */
type Convolution = {
  weights: Floats;
  bias: Floats | undefined;
  isPadded: boolean;
  scale: number;
  biasScale: number;
  shift: number;
  sums: number;
};

type Graph = {
  model: OnnxModel;
  /** Who takes a value, once for each time. */
  users: Map<string, ReadNode[]>;
  convolutions: Map<ReadNode, Convolution>;
  /** Constants that are one number. */
  scalars: Map<string, number | undefined>;
};

/** Stands for whoever runs the model and takes its outputs. */
const caller: ReadNode = { operation: "", inputs: [], outputs: [], rest: [], field: undefined };

/** They have graphs of their own, which take values by name and are not looked into. */
const nesting = new Set(["If", "Loop", "Scan"]);

/**
 * The same model with fewer steps: one for the four of a hard swish, and none for a number by which all that goes into
 * or comes out of a convolution is multiplied, or which is added to it. onnxruntime finds neither by itself.
 */
export function foldModel(file: Uint8Array): Uint8Array {
  const graph = openGraph(readModel(file));
  const { nodes } = graph.model;
  const count = nodes.size;
  if ([...nodes].some(({ operation }) => nesting.has(operation))) return file;
  for (const node of nodes) foldHardSwish(graph, node);
  for (const node of graph.convolutions.keys()) foldAfter(graph, node);
  for (const node of [...nodes].toReversed()) foldBefore(graph, node);
  if (nodes.size === count) return file;
  for (const [node, convolution] of graph.convolutions) setWeights(graph, { node, convolution });
  return writeModel(graph.model);
}

function openGraph(model: OnnxModel): Graph {
  const graph: Graph = { model, users: new Map(), convolutions: new Map(), scalars: new Map() };
  for (const node of [...model.nodes, { ...caller, inputs: model.outputs }]) {
    for (const name of node.inputs) addUser(graph, { name, node });
    const convolution = readConvolution(model, node);
    if (convolution !== undefined) graph.convolutions.set(node, convolution);
  }
  return graph;
}

function readConvolution({ constants }: OnnxModel, node: ReadNode): Convolution | undefined {
  if (node.operation !== "Conv") return undefined;
  const [, weights, bias] = node.inputs.map((name) => constants.get(name)).map((found) => found && readFloats(found));
  if (weights === undefined || (bias === undefined && (node.inputs[2] ?? "") !== "")) return undefined;
  const attributes = attributesOf(node);
  const pads = withNumber(attributes.get("pads") ?? [], 8).flatMap(integersOf);
  const isPadded = attributes.has("auto_pad") || pads.some((size) => size !== 0);
  return { weights, bias, isPadded, scale: 1, biasScale: 1, shift: 0, sums: 0 };
}

/** x * clip(x + 3, 0, 6) / 6 */
function foldHardSwish(graph: Graph, sum: ReadNode): void {
  const { value, other = "" } = readScalar(graph, sum) ?? {};
  if (sum.operation !== "Add" || value !== 3) return;
  const clip = onlyUser(graph, sum);
  const [least, most] = clip?.operation === "Clip" ? limitsOf(graph, clip) : [];
  if (clip === undefined || least !== 0 || most !== 6) return;
  const product = onlyUser(graph, clip);
  if (product?.operation !== "Mul" || !product.inputs.includes(other)) return;
  const quotient = onlyUser(graph, product);
  if (quotient?.operation !== "Div" || scalarOf(graph, quotient.inputs[1]) !== 6) return;
  const rest = [...writeAttribute("alpha", { float: 1 / 6 }), ...writeAttribute("beta", { float: 0.5 })];
  change(clip, { operation: "HardSigmoid", inputs: clip.inputs.slice(0, 1), rest });
  bypass(graph, sum, other);
  change(product, { outputs: quotient.outputs });
  graph.model.nodes.delete(quotient);
}

function foldAfter(graph: Graph, node: ReadNode): void {
  const next = onlyUser(graph, node);
  const convolution = graph.convolutions.get(node);
  const scalar = next && readScalar(graph, next);
  if (next === undefined || convolution === undefined || scalar === undefined) return;
  if (next.operation === "Add") convolution.shift += scalar.value;
  else for (const part of ["scale", "biasScale", "shift", "sums"] as const) convolution[part] *= scalar.value;
  change(node, { outputs: next.outputs });
  graph.model.nodes.delete(next);
  foldAfter(graph, node);
}

/** From the last node to the first, so that a chain ends at its convolution. */
function foldBefore(graph: Graph, node: ReadNode): void {
  const scalar = readScalar(graph, node);
  if (scalar === undefined) return;
  const { value, other } = scalar;
  const next = node.operation === "Mul" ? onlyUser(graph, node) : undefined;
  const convolutions = convolutionsAfter(graph, node) ?? (next && moveAddition(graph, { next, factor: value }));
  if (convolutions === undefined) return;
  // The border that a convolution adds is zero, not the number.
  if (node.operation === "Add" && convolutions.some(({ isPadded }) => isPadded)) return;
  for (const convolution of convolutions) {
    if (node.operation === "Mul") convolution.scale *= value;
    else convolution.sums += value * convolution.scale;
  }
  bypass(graph, node, other);
}

/** x * factor + value is (x + value / factor) * factor. Answers with the convolutions that have to multiply then. */
function moveAddition(graph: Graph, { next, factor }: { next: ReadNode; factor: number }): Convolution[] | undefined {
  const scalar = next.operation === "Add" ? readScalar(graph, next) : undefined;
  const convolutions = convolutionsAfter(graph, next);
  if (scalar === undefined || convolutions === undefined) return undefined;
  const values = Float32Array.of(scalar.value / factor);
  if (!values.every(Number.isFinite)) return undefined;
  const addend = addConstant(graph, `${next.outputs[0]} addend`, { shape: [], values });
  change(next, { inputs: [scalar.other, addend] });
  return convolutions;
}

function setWeights(graph: Graph, { node, convolution }: { node: ReadNode; convolution: Convolution }): void {
  const { weights, bias, scale, biasScale, shift, sums } = convolution;
  if (scale === 1 && biasScale === 1 && shift === 0 && sums === 0) return;
  const values = copyFloats(weights);
  const biases = bias === undefined ? new Float32Array(weights.shape[0] ?? 0) : copyFloats(bias);
  const size = values.length / biases.length;
  for (let row = 0; row < biases.length; row += 1) {
    const sum = multiply(values.subarray(row * size, (row + 1) * size), scale);
    biases[row] = (biases[row] as number) * biasScale + shift + sums * sum;
  }
  const [input = "", output = ""] = [node.inputs[0], node.outputs[0]];
  const weightsName = addConstant(graph, `${output} weights`, { shape: weights.shape, values });
  const biasName = addConstant(graph, `${output} bias`, { shape: [biases.length], values: biases });
  change(node, { inputs: [input, weightsName, biasName] });
}

/** In place. Answers with the sum of what was there. */
function multiply(values: Float32Array, factor: number): number {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as number;
    sum += value;
    values[at] = value * factor;
  }
  return sum;
}

/** A copy, because the bytes may stand where no float can. */
function copyFloats({ raw }: Floats): Float32Array {
  return new Float32Array(new Uint8Array(raw).buffer);
}

function change(node: ReadNode, parts: Partial<ReadNode>): void {
  Object.assign(node, parts, { field: undefined });
}

function addConstant(graph: Graph, name: string, value: { shape: number[]; values: Float32Array }): string {
  graph.model.constants.set(name, { field: writeWeights(name, value) });
  return name;
}

/** A node that multiplies a value by one number, or adds one number to it. */
function readScalar(graph: Graph, { operation, inputs }: ReadNode): { value: number; other: string } | undefined {
  if (operation !== "Mul" && operation !== "Add") return undefined;
  const [left = "", right = ""] = inputs;
  const [leftValue, rightValue] = [scalarOf(graph, left), scalarOf(graph, right)];
  if (leftValue === undefined) return rightValue === undefined ? undefined : { value: rightValue, other: left };
  return rightValue === undefined ? { value: leftValue, other: right } : undefined;
}

function scalarOf({ model, scalars }: Graph, name = ""): number | undefined {
  const constant = model.constants.get(name);
  if (constant === undefined || scalars.has(name)) return scalars.get(name);
  const floats = readFloats(constant);
  // More dimensions than one would give more dimensions to what the number is added to.
  const scalar = floats?.raw.length === 4 && floats.shape.length < 2 ? readFloat(floats.raw) : undefined;
  scalars.set(name, scalar);
  return scalar;
}

function readFloat({ buffer, byteOffset }: Uint8Array): number {
  return new DataView(buffer, byteOffset).getFloat32(0, true);
}

function limitsOf(graph: Graph, clip: ReadNode): (number | undefined)[] {
  if (clip.inputs.length > 1) return [scalarOf(graph, clip.inputs[1]), scalarOf(graph, clip.inputs[2])];
  const attributes = attributesOf(clip);
  return ["min", "max"].map((name) => {
    const [value] = withNumber(attributes.get(name) ?? [], 2);
    return value && floatOf(value);
  });
}

function addUser({ users }: Graph, { name, node }: { name: string; node: ReadNode }): void {
  const known = users.get(name);
  if (known === undefined) users.set(name, [node]);
  else known.push(node);
}

function usersOf({ users }: Graph, name = ""): ReadNode[] {
  return users.get(name) ?? [];
}

function onlyUser(graph: Graph, node: ReadNode): ReadNode | undefined {
  const [user, ...others] = usersOf(graph, node.outputs[0]);
  return others.length === 0 ? user : undefined;
}

/** Undefined if anything else takes the output too. */
function convolutionsAfter(graph: Graph, node: ReadNode): Convolution[] | undefined {
  const found = usersOf(graph, node.outputs[0]).map((user) => graph.convolutions.get(user));
  return found.every((convolution) => convolution !== undefined) ? found : undefined;
}

/** Those who took the output of the node take its input from now on. */
function bypass(graph: Graph, node: ReadNode, input: string): void {
  const [output = ""] = node.outputs;
  const after = usersOf(graph, output);
  for (const user of after) change(user, { inputs: user.inputs.map((name) => (name === output ? input : name)) });
  graph.users.set(
    input,
    usersOf(graph, input).flatMap((user) => (user === node ? after : user)),
  );
  graph.model.nodes.delete(node);
}
