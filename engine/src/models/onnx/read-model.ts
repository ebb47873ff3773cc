import {
  bytes,
  contentOf,
  integersOf,
  join,
  openMessage,
  type Pieces,
  type ReadField,
  readFields,
  textOf,
  wholeOf,
} from "./protobuf.ts";
import { floatType, type OnnxNode, writeNode } from "./write-model.ts";

/** A model to be changed. What is not read of it is kept as it was written. */
export type OnnxModel = {
  nodes: Set<ReadNode>;
  /** Values that no input can change, by name. */
  constants: Map<string, Constant>;
  outputs: string[];
  restOfGraph: Pieces;
  restOfModel: Pieces;
};

/** With the field as it was written, until it is changed. */
export type ReadNode = OnnxNode & { field: Pieces | undefined };

export type Constant = { field: Pieces; tensor?: ReadField };

export type Floats = { shape: number[]; raw: Uint8Array };

export function readModel(file: Uint8Array): OnnxModel {
  const parts = readFields(openMessage(file));
  const graph = withNumber(parts, 7).flatMap(readFields);
  const namesOf = (number: number) => withNumber(graph, number).map((field) => nameOf(field, 1));
  const model: OnnxModel = {
    nodes: new Set(),
    constants: new Map(),
    outputs: namesOf(12),
    restOfGraph: [],
    restOfModel: parts.filter(({ number }) => number !== 7).map(wholeOf),
  };
  const inputs = new Set(namesOf(11));
  for (const field of graph) {
    const name = field.number === 5 ? nameOf(field, 8) : "";
    if (field.number === 1) addNode(model, field);
    // An input of the same name makes it a default.
    else if (field.number === 5 && !inputs.has(name))
      model.constants.set(name, { field: [wholeOf(field)], tensor: field });
    else model.restOfGraph.push(wholeOf(field));
  }
  return model;
}

/** Without the constants that nothing uses any more. */
export function writeModel(model: OnnxModel): Uint8Array<ArrayBuffer> {
  const { nodes, constants, outputs, restOfGraph, restOfModel } = model;
  const used = new Set(outputs);
  const graph = [...restOfGraph];
  for (const { inputs } of nodes) for (const name of inputs) used.add(name);
  for (const [name, { field }] of constants) if (used.has(name)) graph.push(...field);
  for (const node of nodes) graph.push(...(node.field ?? writeNode(node)));
  return join([...restOfModel, ...bytes(7, graph)]);
}

/** The fields of each attribute, by its name. */
export function attributesOf(node: OnnxNode): Map<string, ReadField[]> {
  const attributes = new Map<string, ReadField[]>();
  for (const part of readFields(openMessage(join(node.rest)))) {
    const fields = part.number === 5 ? readFields(part) : [];
    for (const field of fields) if (field.number === 1) attributes.set(textOf(field), fields);
  }
  return attributes;
}

export function withNumber(fields: ReadField[], wanted: number): ReadField[] {
  return fields.filter(({ number }) => number === wanted);
}

function addNode(model: OnnxModel, field: ReadField): void {
  const node: ReadNode = { operation: "", inputs: [], outputs: [], rest: [], field: [wholeOf(field)] };
  const rest: ReadField[] = [];
  for (const part of readFields(field)) {
    if (part.number === 1) node.inputs.push(textOf(part));
    else if (part.number === 2) node.outputs.push(textOf(part));
    else if (part.number === 4) node.operation = textOf(part);
    else rest.push(part);
  }
  const tensor = node.operation === "Constant" ? findTensor(rest) : undefined;
  if (tensor !== undefined) return void model.constants.set(node.outputs[0] ?? "", { field: [wholeOf(field)], tensor });
  node.rest = rest.map(wholeOf);
  model.nodes.add(node);
}

function findTensor(parts: ReadField[]): ReadField | undefined {
  const attribute = parts.find(({ number }) => number === 5);
  return attribute && readFields(attribute).find(({ number }) => number === 5);
}

/** Undefined for anything but floats. */
export function readFloats({ tensor }: Constant): Floats | undefined {
  const floats: Floats = { shape: [], raw: new Uint8Array() };
  if (tensor === undefined) return undefined;
  for (const part of readFields(tensor)) {
    if (part.number === 1) floats.shape.push(...integersOf(part));
    else if (part.number === 2 && integersOf(part)[0] !== floatType) return undefined;
    else if (part.number === 9) floats.raw = contentOf(part);
  }
  return floats.raw.length > 0 ? floats : undefined;
}

function nameOf(field: ReadField, number: number): string {
  return withNumber(readFields(field), number).map(textOf).join("");
}
