import { imageLimits } from "./image-limits.ts";

export type DecodedPicture = {
  width: number;
  height: number;
  channels: 3 | 4;
  hasAlpha: boolean;
  pixels: Uint8Array;
  /** Pictures side by side in the file; left out: one. */
  frameCount?: number;
};

type Header = {
  width: number;
  height: number;
  /** Rows from the top; a bitmap usually starts at the bottom. */
  isTopDown: boolean;
  bits: number;
  compression: number;
  dataOffset: number;
  palette: Buffer;
  paletteEntryBytes: number;
  masks: [number, number, number];
};

/** BMP, which libvips cannot read: 1 to 32 bits a pixel, plain, with bit fields, or run-length coded. */
export async function readBmp(
  bytes: Buffer,
  refuseLarge: (pixels: number, limit: number) => void,
): Promise<DecodedPicture> {
  const header = readHeader(bytes);
  const { width, height } = header;
  refuseLarge(width * height, imageLimits.pixels);
  const pixels = new Uint8Array(width * height * 3);
  const isRunLength = header.compression === 1 || header.compression === 2;
  if (isRunLength) fillFromRuns(bytes, header, pixels);
  else fillFromRows(bytes, header, pixels);
  return { width, height, channels: 3, hasAlpha: false, pixels };
}

function readHeader(bytes: Buffer): Header {
  const size = bytes.readUInt32LE(14);
  const isOld = size === 12;
  const width = isOld ? bytes.readUInt16LE(18) : bytes.readInt32LE(18);
  const signedHeight = isOld ? bytes.readUInt16LE(20) : bytes.readInt32LE(22);
  const bits = bytes.readUInt16LE(isOld ? 24 : 28);
  const compression = isOld ? 0 : bytes.readUInt32LE(30);
  const height = Math.abs(signedHeight);
  if (width <= 0 || height === 0) throw new Error("no size");
  if (![1, 2, 4, 8, 16, 24, 32].includes(bits) || ![0, 1, 2, 3, 6].includes(compression)) {
    throw new Error(`bitmap of ${bits} bits, compression ${compression}`);
  }
  const hasMasks = compression === 3 || compression === 6;
  const masks: [number, number, number] = hasMasks
    ? [bytes.readUInt32LE(54), bytes.readUInt32LE(58), bytes.readUInt32LE(62)]
    : bits === 16
      ? [0x7c00, 0x3e0, 0x1f]
      : [0xff0000, 0xff00, 0xff];
  const paletteStart = 14 + size + (hasMasks && size === 40 ? 12 : 0);
  const dataOffset = bytes.readUInt32LE(10);
  return {
    width,
    height,
    isTopDown: signedHeight < 0,
    bits,
    compression,
    dataOffset,
    palette: bytes.subarray(paletteStart, Math.max(paletteStart, dataOffset)),
    paletteEntryBytes: isOld ? 3 : 4,
    masks,
  };
}

function fillFromRows(bytes: Buffer, header: Header, pixels: Uint8Array): void {
  const { width, height, bits } = header;
  const stride = Math.floor((bits * width + 31) / 32) * 4;
  if (header.dataOffset + stride * height > bytes.length) throw new Error("cut off");
  const scales = header.masks.map(shiftAndScale);
  for (let row = 0; row < height; row += 1) {
    const from = header.dataOffset + row * stride;
    const target = (header.isTopDown ? row : height - 1 - row) * width * 3;
    for (let column = 0; column < width; column += 1) {
      const to = target + column * 3;
      if (bits <= 8) {
        const perByte = 8 / bits;
        const shift = 8 - bits * ((column % perByte) + 1);
        const index = ((bytes[from + Math.floor(column / perByte)] ?? 0) >> shift) & ((1 << bits) - 1);
        paint(header, index, pixels, to);
      } else if (bits === 24) {
        const at = from + column * 3;
        pixels[to] = bytes[at + 2] ?? 0;
        pixels[to + 1] = bytes[at + 1] ?? 0;
        pixels[to + 2] = bytes[at] ?? 0;
      } else {
        const value = bits === 16 ? bytes.readUInt16LE(from + column * 2) : bytes.readUInt32LE(from + column * 4);
        for (const [part, scale] of scales.entries()) pixels[to + part] = scale(value);
      }
    }
  }
}

function shiftAndScale(mask: number): (value: number) => number {
  if (mask === 0) return () => 0;
  const shift = Math.clz32(mask & -mask) ^ 31;
  const largest = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) * 255) / largest);
}

/** Pairs of count and value; a count of 0 ends a line, ends the picture, moves on or copies. */
function fillFromRuns(bytes: Buffer, header: Header, pixels: Uint8Array): void {
  const { width, height } = header;
  const isHalf = header.compression === 2;
  let [x, y] = [0, 0];
  let at = header.dataOffset;
  const put = (index: number) => {
    if (x < width && y < height) paint(header, index, pixels, ((height - 1 - y) * width + x) * 3);
    x += 1;
  };
  const nibble = (value: number, step: number) => (isHalf ? (step % 2 === 0 ? value >> 4 : value & 15) : value);
  while (y < height) {
    if (at + 1 >= bytes.length) throw new Error("cut off");
    const [count = 0, value = 0] = [bytes[at], bytes[at + 1]];
    at += 2;
    if (count > 0) for (let step = 0; step < count; step += 1) put(nibble(value, step));
    else if (value === 0) [x, y] = [0, y + 1];
    else if (value === 1) return;
    else if (value === 2) {
      x += bytes[at] ?? 0;
      y += bytes[at + 1] ?? 0;
      at += 2;
    } else {
      for (let step = 0; step < value; step += 1) put(nibble(bytes[at + (isHalf ? step >> 1 : step)] ?? 0, step));
      const used = isHalf ? Math.ceil(value / 2) : value;
      at += used + (used % 2);
    }
  }
}

function paint({ palette, paletteEntryBytes }: Header, index: number, pixels: Uint8Array, to: number): void {
  const at = index * paletteEntryBytes;
  pixels[to] = palette[at + 2] ?? 0;
  pixels[to + 1] = palette[at + 1] ?? 0;
  pixels[to + 2] = palette[at] ?? 0;
}
