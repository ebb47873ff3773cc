/** Bytes as protobuf writes them, in pieces: each level of messages would otherwise copy all weights once more. */
export type Pieces = Uint8Array[];

/** Where a field stands in a file, and what stands there is not copied: there are thousands, and some are large. */
export type ReadField = {
  file: Buffer;
  number: number;
  /** Where its key is. */
  start: number;
  /** Where its value is. */
  from: number;
  end: number;
};

const [wholeNumber, eightBytes, lengthFirst, fourBytes] = [0, 1, 2, 5];
const encoder = new TextEncoder();

export function join(pieces: Pieces): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(lengthOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export function integer(number: number, value: number): Pieces {
  return [header(number * 8 + wholeNumber, value)];
}

export function float(number: number, value: number): Pieces {
  return [header(number * 8 + fourBytes), new Uint8Array(Float32Array.of(value).buffer)];
}

/** A message within the message, or plain bytes. */
export function bytes(number: number, value: Pieces): Pieces {
  return [header(number * 8 + lengthFirst, lengthOf(value)), ...value];
}

export function text(number: number, value: string): Pieces {
  return bytes(number, [encoder.encode(value)]);
}

/** A file that is one message. */
export function openMessage(bytesOfFile: Uint8Array): ReadField {
  const file = Buffer.from(bytesOfFile.buffer, bytesOfFile.byteOffset, bytesOfFile.length);
  return { file, number: 0, start: 0, from: 0, end: file.length };
}

/** Most keys and lengths are one byte. To call nothing for these takes half the time of a model that is read once. */
export function readFields({ file, from: first, end: last }: ReadField): ReadField[] {
  const fields: ReadField[] = [];
  for (let start = first; start < last;) {
    const keyByte = file[start] as number;
    const key = keyByte < 128 ? keyByte : readVarint(file, start);
    let from = keyByte < 128 ? start + 1 : afterVarint(file, start);
    let end = from + ((key & 7) === eightBytes ? 8 : 4);
    if ((key & 7) === wholeNumber) end = afterVarint(file, from);
    else if ((key & 7) === lengthFirst) {
      const byte = file[from] as number;
      const length = byte < 128 ? byte : readVarint(file, from);
      from = byte < 128 ? from + 1 : afterVarint(file, from);
      end = from + length;
    }
    if (!(end <= last && end > start)) throw new Error("This is no protobuf message, or a part of one.");
    fields.push({ file, number: key >> 3, start, from, end });
    start = end;
  }
  return fields;
}

/** With its key, to be written again as it is. */
export function wholeOf({ file, start, end }: ReadField): Uint8Array {
  return new Uint8Array(file.buffer, file.byteOffset + start, end - start);
}

export function contentOf({ file, from, end }: ReadField): Uint8Array {
  return new Uint8Array(file.buffer, file.byteOffset + from, end - from);
}

export function textOf({ file, from, end }: ReadField): string {
  return file.toString("utf8", from, end);
}

export function floatOf({ file, from }: ReadField): number {
  return file.readFloatLE(from);
}

/** Of a field that holds one whole number, or many in a row. */
export function integersOf({ file, from, end }: ReadField): number[] {
  const values: number[] = [];
  for (let at = from; at < end; at = afterVarint(file, at)) values.push(readVarint(file, at));
  return values;
}

function readVarint(file: Buffer, start: number): number {
  let value = 0;
  for (let at = start, shift = 0; at < file.length; at += 1, shift += 7) {
    const byte = file[at] as number;
    value |= (byte & 127) << shift;
    if (byte < 128) break;
  }
  return value;
}

function afterVarint(file: Buffer, start: number): number {
  let at = start;
  while (at < file.length && (file[at] as number) > 127) at += 1;
  return at + 1;
}

function header(...values: number[]): Uint8Array {
  const groups: number[] = [];
  for (const value of values) {
    let rest = value;
    for (; rest > 127; rest >>>= 7) groups.push((rest & 127) | 128);
    groups.push(rest);
  }
  return new Uint8Array(groups);
}

function lengthOf(pieces: Pieces): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}
