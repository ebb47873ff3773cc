import { readFile } from "node:fs/promises";
import { prepareZXingModule, type ReadResult, readBarcodes } from "zxing-wasm/reader";
import type { Raster } from "../../evidence/pixels/raster.ts";
import { packageFile } from "../find-models.ts";
import type { Box } from "../read-line.ts";
import type { ReadCode } from "../read-code.ts";

export type CodeReader = { read: (picture: Raster) => Promise<ReadCode[]> };

/** Codes in one picture; a sheet of coupons has more, and then one that is not read is not missed. */
const maxCodes = 16;
/** Pixels: three marks so near each other are texture. */
const leastSide = 28;
/** Of the longer side: marks that make no square belong to no code, or to several. */
const leastSquare = 0.6;

/** QR codes, also small, turned or light on dark. One whose marks are found but whose content is not has no text. */
export async function createCodeReader(): Promise<CodeReader> {
  // Left to itself the package would fetch its code from the network.
  const wasmBinary = await readFile(packageFile("zxing-wasm", "dist/reader/zxing_reader.wasm"));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasmBinary).buffer }, fireImmediately: true });
  return {
    async read(picture) {
      const image = { ...picture, data: withAlpha(picture) } as unknown as Parameters<typeof readBarcodes>[0];
      const found = await readBarcodes(image, {
        formats: ["QRCode"],
        tryHarder: true,
        returnErrors: true,
        maxNumberOfSymbols: maxCodes,
        textMode: "Plain",
      });
      const read = found.filter(({ isValid, text }) => isValid && text.trim() !== "").map(toCode);
      const unread = found.filter((each) => !each.isValid && isWholeCode(each)).map(toCode);
      const isApart = ({ box }: ReadCode) => read.every((other) => !isInside(centreOf(box), other.box));
      return [...read, ...unread.filter(isApart).slice(0, 1)];
    },
  };
}

function toCode({ isValid, text, position }: ReadResult): ReadCode {
  const { topLeft, topRight, bottomRight, bottomLeft } = position;
  return { text: isValid ? text.trim() : null, box: [topLeft, topRight, bottomRight, bottomLeft] };
}

/** Micro codes have one mark, which any square with a dot in it looks like. */
function isWholeCode({ format, position }: ReadResult): boolean {
  const { topLeft, topRight, bottomLeft } = position;
  const [across, down] = [distance(topLeft, topRight), distance(topLeft, bottomLeft)];
  const [short, long] = across < down ? [across, down] : [down, across];
  return !format.includes("Micro") && short >= leastSide && short >= leastSquare * long;
}

function distance(one: { x: number; y: number }, other: { x: number; y: number }): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function centreOf(box: Box): { x: number; y: number } {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { x: mean(box.map(({ x }) => x)), y: mean(box.map(({ y }) => y)) };
}

function isInside({ x, y }: { x: number; y: number }, box: Box): boolean {
  const [xs, ys] = [box.map((point) => point.x), box.map((point) => point.y)];
  return x >= Math.min(...xs) && x <= Math.max(...xs) && y >= Math.min(...ys) && y <= Math.max(...ys);
}

function withAlpha({ pixels, width, height }: Raster): Uint8ClampedArray {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let from = 0, to = 0; from < pixels.length; from += 3, to += 4) {
    data[to] = pixels[from] as number;
    data[to + 1] = pixels[from + 1] as number;
    data[to + 2] = pixels[from + 2] as number;
  }
  return data;
}
