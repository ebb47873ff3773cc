import { deflateSync, crc32 } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { xmpPacket } from "./xmp.ts";

/** 64 × 48, three colours, so that orientation shows: red top left, green top right, blue below. */
export function picture(): Sharp {
  const [width, height] = [64, 48];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const part = y >= height / 2 ? 2 : x < width / 2 ? 0 : 1;
      pixels[(y * width + x) * 3 + part] = 220;
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** A banner of a web page, with print of 9 pixels under its headline. Needs the font DejaVu. */
export function banner(): Sharp {
  const line = (y: number, size: number, text: string) =>
    `<text x="40" y="${y}" font-family="DejaVu Sans" font-size="${size}">${text}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="300"><rect width="1000" height="300" fill="white"/>${line(150, 40, "Our herbal tea is lovely")}${line(250, 9, "Guaranteed weight loss in seven days or your money back")}</svg>`;
  return sharp(Buffer.from(svg));
}

export const cameraExif = {
  IFD0: {
    Make: "Golden",
    Model: "Camera One",
    Artist: "Ada Example",
    Copyright: "2026 Ada Example",
    Software: "Developer 4",
  },
  IFD2: { BodySerialNumber: "SN-0042", DateTimeOriginal: "2026:08:01 10:11:12", CameraOwnerName: "Ada Owner" },
  // Sydney: the southern and eastern hemisphere.
  IFD3: {
    GPSLatitudeRef: "S",
    GPSLatitude: "33/1 51/1 3540/100",
    GPSLongitudeRef: "E",
    GPSLongitude: "151/1 12/1 4000/100",
  },
};

export function aiXmp(): string {
  return xmpPacket({
    creatorTool: "Image Maker 9",
    creator: "Ada Example",
    digitalSourceType: "trainedAlgorithmicMedia",
  });
}

/** A PNG of these chunks; `IHDR` and the first `IDAT` are those of the picture. */
export async function pngWith(chunks: { type: string; data: Buffer }[]): Promise<Buffer> {
  const png = await picture().png().toBuffer();
  const afterHeader = 8 + 25;
  return Buffer.concat([png.subarray(0, afterHeader), ...chunks.map(pngChunk), png.subarray(afterHeader)]);
}

export function pngChunk({ type, data }: { type: string; data: Buffer }): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** Three frames of 8 × 8, 200 ms each. */
export function apng(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(8, 0);
  header.writeUInt32BE(8, 4);
  header.set([8, 2], 8);
  const control = Buffer.alloc(8);
  control.writeUInt32BE(3, 0);
  const frame = (sequence: number) => {
    const data = Buffer.alloc(26);
    data.writeUInt32BE(sequence, 0);
    data.writeUInt32BE(8, 4);
    data.writeUInt32BE(8, 8);
    data.writeUInt16BE(1, 20);
    data.writeUInt16BE(5, 22);
    return pngChunk({ type: "fcTL", data });
  };
  const pixels = (value: number) =>
    deflateSync(
      Buffer.concat(Array.from({ length: 8 }, () => Buffer.concat([Buffer.alloc(1), Buffer.alloc(24, value)]))),
    );
  const later = (sequence: number, value: number) => {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence, 0);
    return pngChunk({ type: "fdAT", data: Buffer.concat([number, pixels(value)]) });
  };
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    pngChunk({ type: "IHDR", data: header }),
    pngChunk({ type: "acTL", data: control }),
    frame(0),
    pngChunk({ type: "IDAT", data: pixels(0) }),
    frame(1),
    later(2, 120),
    frame(3),
    later(4, 240),
    pngChunk({ type: "IEND", data: Buffer.alloc(0) }),
  ]);
}

/** Three frames of 16 × 16, from black to nearly white. */
export async function animation(): Promise<Sharp> {
  const frames = [0, 120, 240].map((value) =>
    sharp({ create: { width: 16, height: 16, channels: 3, background: { r: value, g: value, b: value } } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } });
}

/** Two pages of 4 × 4 grey pixels, black and white. */
export function twoPageTiff(): Buffer {
  const entries = (offset: number, next: number) => {
    const tags = [
      [256, 4],
      [257, 4],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, offset],
      [277, 1],
      [278, 4],
      [279, 16],
    ];
    const directory = Buffer.alloc(2 + tags.length * 12 + 4);
    directory.writeUInt16LE(tags.length, 0);
    for (const [index, [tag = 0, value = 0]] of tags.entries()) {
      directory.writeUInt16LE(tag, 2 + index * 12);
      directory.writeUInt16LE(4, 4 + index * 12);
      directory.writeUInt32LE(1, 6 + index * 12);
      directory.writeUInt32LE(value, 10 + index * 12);
    }
    directory.writeUInt32LE(next, 2 + tags.length * 12);
    return directory;
  };
  const size = 2 + 9 * 12 + 4;
  const [first, second] = [8 + 32, 8 + 32 + size];
  const header = Buffer.from("49492a0000000000", "hex");
  header.writeUInt32LE(first, 4);
  return Buffer.concat([header, Buffer.alloc(16, 0), Buffer.alloc(16, 255), entries(8, second), entries(24, 0)]);
}

/** 24 bits, from the bottom: the same picture. */
export async function bmp(): Promise<Buffer> {
  const { data, info } = await picture().raw().toBuffer({ resolveWithObject: true });
  const header = Buffer.alloc(54);
  header.write("BM");
  header.writeUInt32LE(54 + data.length, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(info.width, 18);
  header.writeInt32LE(info.height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  const rows = Array.from({ length: info.height }, (_, row) => {
    const start = (info.height - 1 - row) * info.width * 3;
    const line = Buffer.from(data.subarray(start, start + info.width * 3));
    for (let at = 0; at < line.length; at += 3) [line[at], line[at + 2]] = [line[at + 2] ?? 0, line[at] ?? 0];
    return line;
  });
  return Buffer.concat([header, ...rows]);
}
