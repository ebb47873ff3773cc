import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { PagePrint, PicturePrint, Print, Shot, SoundPrint } from "./print.ts";

export const printFormatVersion = 1;

/** Four letters, the version of the format, three bytes of zero; then the length of the head, the head, and the parts. */
const magic = "GLPR";
const headerBytes = 12;
const maxUnpackedBytes = 512 * 2 ** 20;

/** Numbers and texts as JSON; `parts`: how long each of the packed parts is that follow, in the order of `partsOf`. */
type Head = Omit<Print, "picture" | "sound" | "pages"> & {
  picture: (Omit<PicturePrint, "grid" | "times" | "blocks" | "shots"> & { shots: Omit<Shot, "pixels">[] }) | null;
  sound: Omit<SoundPrint, "bands"> | null;
  pages: { text: string; picture: Omit<NonNullable<PagePrint["picture"]>, "pixels"> | null }[] | null;
  parts: number[];
};

export function packPrint(print: Print): Buffer {
  const { picture, sound, pages } = print;
  const parts = partsOf(print).map((part) => zstdCompressSync(part));
  const head: Head = {
    ...print,
    picture: picture && { ...without(picture, "grid", "times", "blocks"), shots: picture.shots.map(sizeOf) },
    sound: sound && without(sound, "bands"),
    pages: pages && pages.map(({ text, picture: drawn }) => ({ text, picture: drawn && without(drawn, "pixels") })),
    parts: parts.map(({ length }) => length),
  };
  const packedHead = zstdCompressSync(JSON.stringify(head));
  const header = Buffer.alloc(headerBytes);
  header.write(magic, "latin1");
  header.writeUInt8(printFormatVersion, magic.length);
  header.writeUInt32LE(packedHead.length, 8);
  return Buffer.concat([header, packedHead, ...parts]);
}

/** Throws a PrintError for bytes that no version of this format explains. */
export function unpackPrint(bytes: Uint8Array): Print {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < headerBytes || buffer.toString("latin1", 0, magic.length) !== magic)
    throw new PrintError("These bytes are no print of a file.");
  const version = buffer.readUInt8(magic.length);
  if (version !== printFormatVersion)
    throw new PrintError(
      `The print has format ${version}, and this release reads up to ${printFormatVersion}. Use a newer release.`,
    );
  try {
    return read(buffer);
  } catch (error) {
    throw new PrintError("The print is damaged.", { cause: error });
  }
}

export class PrintError extends Error {
  override name = "PrintError";
}

function read(buffer: Buffer): Print {
  const unpack = (from: number, length: number) =>
    zstdDecompressSync(buffer.subarray(from, from + length), { maxOutputLength: maxUnpackedBytes });
  const headLength = buffer.readUInt32LE(8);
  const { parts, ...head } = JSON.parse(unpack(headerBytes, headLength).toString("utf8")) as Head;
  let at = headerBytes + headLength;
  const next = () => {
    const length = parts.shift();
    if (length === undefined) throw new Error("a part is missing");
    at += length;
    return Uint8Array.from(unpack(at - length, length));
  };
  const { picture, sound, pages } = head;
  return {
    ...head,
    picture: picture && {
      ...picture,
      grid: overTime(next(), picture.columns * picture.rows, 1),
      times: timesOf(next()),
      blocks: blocksOf(next()),
      shots: picture.shots.map((shot) => ({ ...shot, pixels: next() })),
    },
    sound: sound && { ...sound, bands: next() },
    pages: pages && pages.map(({ text, picture: drawn }) => ({ text, picture: drawn && { ...drawn, pixels: next() } })),
  };
}

function partsOf({ picture, sound, pages }: Print): Uint8Array[] {
  return [
    ...(picture
      ? [
          overTime(picture.grid, picture.columns * picture.rows, -1),
          bytesOf(
            Int32Array.from(picture.times, (seconds, index) => ticks(seconds) - ticks(picture.times[index - 1] ?? 0)),
          ),
          bytesOf(
            Uint16Array.from(picture.blocks, (value, index) => value - (picture.blocks[index - blockStride] ?? 0)),
          ),
          ...picture.shots.map(({ pixels }) => pixels),
        ]
      : []),
    ...(sound ? [sound.bands] : []),
    ...(pages ?? []).flatMap(({ picture: drawn }) => (drawn ? [drawn.pixels] : [])),
  ];
}

const blockStride = 48;
const ticksPerSecond = 10_000;

function ticks(seconds: number): number {
  return Math.round(seconds * ticksPerSecond);
}

function timesOf(bytes: Uint8Array): Float64Array {
  let sum = 0;
  return Float64Array.from(new Int32Array(aligned(bytes)), (step) => (sum += step) / ticksPerSecond);
}

function blocksOf(bytes: Uint8Array): Uint16Array {
  const values = new Uint16Array(aligned(bytes));
  for (let index = blockStride; index < values.length; index++)
    values[index] = (values[index] as number) + (values[index - blockStride] as number);
  return values;
}

/** What differs from the sample before, or the other way round: what stands still costs nothing. */
function overTime(values: Uint8Array, stride: number, sign: 1 | -1): Uint8Array {
  const changed = Uint8Array.from(values);
  for (let index = stride; index < values.length; index++)
    changed[index] = (values[index] as number) + sign * ((sign === 1 ? changed : values)[index - stride] as number);
  return changed;
}

function bytesOf(list: Int32Array | Uint16Array): Uint8Array {
  return new Uint8Array(list.buffer, list.byteOffset, list.byteLength);
}

function aligned(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

function sizeOf({ seconds, width, height }: Shot): Omit<Shot, "pixels"> {
  return { seconds, width, height };
}

function without<Whole extends object, Key extends keyof Whole>(whole: Whole, ...keys: Key[]): Omit<Whole, Key> {
  return Object.fromEntries(Object.entries(whole).filter(([key]) => !(keys as string[]).includes(key))) as Omit<
    Whole,
    Key
  >;
}
