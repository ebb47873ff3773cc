/** Instructions of WebAssembly, as they stand in a module. */
export type Code = readonly number[];

type Operands = readonly Code[];

export type Names = {
  get: (name: string) => Code;
  set: (name: string, value: Code) => Code;
  /** Sets it, and is its value. */
  keep: (name: string, value: Code) => Code;
};

/** Takes numbers and answers nothing. */
export type WasmFunction = {
  name: string;
  /** Its numbers and vectors of sixteen bytes, each by its name. */
  parameters: readonly string[];
  counters: readonly string[];
  vectors: readonly string[];
  body: (names: Names) => Code;
};

const header: Code = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const types = { number: 0x7f, vector: 0x7b };

function simple(...instruction: number[]): (...operands: Operands) => Code {
  return (...operands) => [...operands.flat(), ...instruction];
}

/** Instructions on vectors have a prefix. */
function vector(instruction: number): (...operands: Operands) => Code {
  return simple(0xfd, ...unsigned(instruction));
}

/** Numbers of 32 bits. */
export const number = {
  of: (value: number): Code => [0x41, ...signed(value)],
  add: simple(0x6a),
  subtract: simple(0x6b),
  /** The lowest byte of it, to an address. */
  storeByte: (address: Code, value: Code): Code => [...address, ...value, 0x3a, 0, 0],
};

/** Sixteen bytes at once, without a sign; a comparison makes each of them 255 or 0. */
export const bytes = {
  /** Sixteen from an address on. */
  load: (address: Code): Code => [...address, 0xfd, 0x00, 0, 0],
  /** Eight from an address on, then zeros. */
  loadEight: (address: Code): Code => [...address, 0xfd, 0x5d, 0, 0],
  /** All of them the same number. */
  fill: vector(0x0f),
  /** 0 where it would be less. */
  subtract: vector(0x73),
  /** 255 where it would be more. */
  add: vector(0x70),
  /** One more where the other has 255, as a comparison makes it. */
  countWhere: vector(0x71),
  atMost: vector(0x2a),
  atLeast: vector(0x2c),
  and: vector(0x4e),
  or: vector(0x50),
};

/** The sum of sixteen bytes; `name` is a vector that it may use. */
export function sumOfBytes(value: Code, name: string, { get, set }: Names): Code {
  const inPairs = vector(0x7d);
  const inFours = vector(0x7f);
  const four = (index: number): Code => [...get(name), 0xfd, 0x1b, index];
  return [
    ...set(name, inFours(inPairs(value))),
    ...number.add(number.add(four(0), four(1)), number.add(four(2), four(3))),
  ];
}

/** As often as the number in a local says, at least once; it is 0 in the end. */
export function repeat(name: string, { get, keep }: Names, ...body: Operands): Code {
  const again = keep(name, number.subtract(get(name), number.of(1)));
  return [0x03, 0x40, ...body.flat(), ...again, 0x0d, 0, 0x0b];
}

/** Where a bit of the vector is set. */
export function ifAny(value: Code, ...body: Operands): Code {
  return [...value, 0xfd, 0x53, 0x04, 0x40, ...body.flat(), 0x0b];
}

/** A module that takes its memory from outside and offers these functions. */
export function wasmModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const indices = functions.map((_, index) => index);
  const signatures = functions.map(({ parameters }) => [
    0x60,
    ...list(parameters.map(() => [types.number])),
    ...list([]),
  ]);
  const memory = [...text("outside"), ...text("memory"), 0x02, 0x00, 1];
  return Uint8Array.from([
    ...header,
    ...section(1, list(signatures)),
    ...section(2, list([memory])),
    ...section(3, list(indices.map((index) => unsigned(index)))),
    ...section(7, list(functions.map(({ name }, index) => [...text(name), 0x00, ...unsigned(index)]))),
    ...section(10, list(functions.map((each) => sized(bodyOf(each))))),
  ]);
}

function bodyOf({ parameters, counters, vectors, body }: WasmFunction): Code {
  const all = [...parameters, ...counters, ...vectors];
  const place = (name: string) => unsigned(all.indexOf(name));
  const names: Names = {
    get: (name) => [0x20, ...place(name)],
    set: (name, value) => [...value, 0x21, ...place(name)],
    keep: (name, value) => [...value, 0x22, ...place(name)],
  };
  const locals = [
    [...unsigned(counters.length), types.number],
    [...unsigned(vectors.length), types.vector],
  ];
  return [...list(locals), ...body(names), 0x0b];
}

function section(kind: number, content: Code): Code {
  return [kind, ...sized(content)];
}

function sized(content: Code): Code {
  return [...unsigned(content.length), ...content];
}

function list(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): Code {
  return sized([...Buffer.from(value)]);
}

/** Seven bits a byte, the lowest first; the highest bit says that another one follows. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
