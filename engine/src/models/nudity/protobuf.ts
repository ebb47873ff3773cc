/** One field of a message as protobuf writes it. */
export type Field = Uint8Array;

export function message(...fields: Field[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(fields.reduce((sum, field) => sum + field.length, 0));
  let at = 0;
  for (const field of fields) {
    whole.set(field, at);
    at += field.length;
  }
  return whole;
}

export function integer(number: number, value: number): Field {
  return message(key(number, 0), varint(value));
}

export function float(number: number, value: number): Field {
  return message(key(number, 5), new Uint8Array(Float32Array.of(value).buffer));
}

/** A message within the message, or plain bytes. */
export function bytes(number: number, value: Uint8Array): Field {
  return message(key(number, 2), varint(value.length), value);
}

export function text(number: number, value: string): Field {
  return bytes(number, new TextEncoder().encode(value));
}

function key(number: number, wireType: number): Uint8Array {
  return varint(number * 8 + wireType);
}

function varint(value: number): Uint8Array {
  const groups: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) + 128);
  return Uint8Array.from([...groups, rest]);
}
