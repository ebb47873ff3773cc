import type { Random } from "../fuzz/random.ts";

const extremes = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0, 0x00ffffff] as const;

/** A copy with a few wounds of the kinds that transfers, disks and attackers make. */
export function mutateFile(random: Random, original: Buffer, other: Buffer): Buffer {
  let bytes: Buffer = Buffer.from(original);
  for (let left = random.pick([1, 1, 2, 3, 8]); left > 0; left -= 1) bytes = wound(random, bytes, other);
  return bytes;
}

function wound(random: Random, bytes: Buffer, other: Buffer): Buffer {
  if (bytes.length < 16) return Buffer.concat([bytes, Buffer.alloc(16, random.below(256))]);
  // Where the structure is, more than where the content is.
  const place = random.percent(50) ? random.below(Math.min(bytes.length, 512)) : random.below(bytes.length);
  const length = Math.min(bytes.length - place, random.pick([1, 4, 16, 200, 4096]));
  return random.pick<() => Buffer>([
    () => {
      for (let index = place; index < place + length; index += 1)
        if (length < 8 || random.percent(20)) bytes[index] = random.below(256);
      return bytes;
    },
    () => bytes.fill(random.pick([0, 0xff, 0x20]), place, place + length),
    () => bytes.subarray(0, Math.max(16, random.below(bytes.length))),
    () => Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + length)]),
    () => Buffer.concat([bytes.subarray(0, place + length), bytes.subarray(place)]),
    () => Buffer.concat([bytes.subarray(0, place), other.subarray(0, length * 4), bytes.subarray(place)]),
    () => {
      const at = Math.min(place, bytes.length - 4);
      if (random.percent(50)) bytes.writeUInt32BE(random.pick(extremes), at);
      else bytes.writeUInt32LE(random.pick(extremes), at);
      return bytes;
    },
    // Numbers in text formats: lengths, offsets, coordinates.
    () => changeNumber(random, bytes, place),
  ])();
}

function changeNumber(random: Random, bytes: Buffer, from: number): Buffer {
  const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;
  let start = from;
  while (start < bytes.length && !isDigit(bytes[start])) start += 1;
  let end = start;
  while (isDigit(bytes[end])) end += 1;
  if (start >= bytes.length) return bytes;
  const number = random.pick(["0", "-1", "99999999999", "4294967296", "1e9", "0.0000001"]);
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(number), bytes.subarray(end)]);
}
