import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import type { Models } from "../../models/models.ts";
import type { Box, ReadLine } from "../../models/read-line.ts";
import { makeScratch } from "../../testing/scratch.ts";
import { probeFile } from "../probe/probe.ts";
import { gatherImageSupers } from "./supers-image.ts";

/** Reads the brightness of the picture. */
const models = {
  readText: (picture: { pixels: Uint8Array }) =>
    Promise.resolve([
      {
        text: `brightness ${picture.pixels[0]}`,
        confidence: 0.99,
        box: [
          { x: 10, y: 10 },
          { x: 60, y: 10 },
          { x: 60, y: 36 },
          { x: 10, y: 36 },
        ],
        letters: [],
      },
    ]),
  readCodes: () => Promise.resolve([]),
} as unknown as Models;

test("every page of a TIFF is read, not only the first", async () => {
  await using scratch = await makeScratch();
  const page = (level: number) =>
    sharp({ create: { width: 80, height: 40, channels: 3, background: { r: level, g: level, b: level } } })
      .png()
      .toBuffer();
  const pages = await Promise.all([50, 100, 150].map(page));
  const tiff = await sharp(pages, { join: { animated: true } })
    .tiff({ compression: "lzw" })
    .toBuffer();
  const mediaType = { contentType: "image/tiff", category: "image" } as const;
  const file = await scratch.write("pages.tif", tiff);

  const found = await gatherImageSupers({
    file,
    mediaType,
    probe: await probeFile({ file, mediaType }),
    models,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });

  assert.deepEqual(
    found?.supers.map(({ text }) => text),
    ["brightness 50", "brightness 100", "brightness 150"],
  );
});

test("a line that runs up beside upright ones is read, at its place", async () => {
  await using scratch = await makeScratch();
  const bars = Array.from(
    { length: 48 },
    (_, index) => `<path d="M1100 ${200 + 8 * index}h${8 + 8 * (index % 2)}v4h-8z"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"><rect width="1200" height="800" fill="white"/>${bars.join("")}</svg>`;
  const mediaType = { contentType: "image/png", category: "image" } as const;
  const file = await scratch.write("side.png", await sharp(Buffer.from(svg)).png().toBuffer());
  const at = (left: number, right: number, top: number, bottom: number) => [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
  const line = (text: string, box: unknown) => [{ text, confidence: 0.99, box, letters: [] }];
  // The reader finds what is level.
  const reader = {
    readText: ({ width }: { width: number }) =>
      Promise.resolve(
        width === 1200
          ? line("Our herbal tea is lovely", at(100, 800, 60, 130))
          : line("Minimum spend applies", at(200, 600, 1095, 1125)),
      ),
    readCodes: () => Promise.resolve([]),
  } as unknown as Models;

  const found = await gatherImageSupers({
    file,
    mediaType,
    probe: await probeFile({ file, mediaType }),
    models: reader,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });

  assert.deepEqual(
    found?.supers.map(({ text, region }) => [text, region.x]),
    [
      ["Our herbal tea is lovely", 0.0833],
      ["Minimum spend applies", 0.9125],
    ],
  );
});

const png = { contentType: "image/png", category: "image" } as const;

async function read(file: string, reader: Partial<Models>) {
  const found = await gatherImageSupers({
    file,
    mediaType: png,
    probe: await probeFile({ file, mediaType: png }),
    models: {
      readText: () => Promise.resolve([]),
      readCodes: () => Promise.resolve([]),
      ...reader,
    } as unknown as Models,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  assert.ok(found !== null);
  return found;
}

function boxAt(left: number, right: number, top: number, bottom: number): ReadLine["box"] {
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
}

test("the lines of a page that lies on its side follow each other as on the upright page", async () => {
  await using scratch = await makeScratch();
  const blank = sharp({ create: { width: 600, height: 900, channels: 3, background: "#ffffff" } });
  const file = await scratch.write("scan.png", await blank.png().toBuffer());
  // The page was turned clockwise: its first line runs down at the right.
  const line = (text: string, left: number) => ({
    text,
    confidence: 0.99,
    box: boxAt(left, left + 40, 100, 800),
    letters: [],
    isTurnedOver: true,
  });
  const lines = [
    line("Third line of the page", 340),
    line("First line of the page", 460),
    line("Second line of it", 400),
  ];

  const { supers } = await read(file, { readText: () => Promise.resolve(lines) });

  assert.deepEqual(
    supers.map(({ text }) => text),
    ["First line of the page\nSecond line of it\nThird line of the page"],
  );
  assert.deepEqual(
    supers.map(({ region }) => [region.x, region.y]),
    [[0.5667, 0.1111]],
  );
});

for (const [width, height] of [
  [640, 360],
  [2400, 1800],
] as const) {
  test(`print that is too small for the reader is named with its place, in ${width} × ${height}`, async () => {
    await using scratch = await makeScratch();
    // Strokes of one pixel, as letters of six have them.
    const strokes = Array.from(
      { length: 120 },
      (_, index) => `<path d="M${100 + 3 * index} ${height - 60 + (index % 3)}h1v${3 + (index % 4)}h-1z"/>`,
    );
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="white"/>${strokes.join("")}</svg>`;
    const file = await scratch.write("tiny.png", await sharp(Buffer.from(svg)).png().toBuffer());

    const { supers, omissions } = await read(file, {});

    assert.deepEqual(supers, []);
    assert.deepEqual(
      omissions?.map(({ what, region }) => [what, (region?.y ?? 0) > 0.8]),
      [["A line of print is too small to be read.", true]],
    );
  });
}

test("a line of tiny print of which half is read is named: the rest of it is lost", async () => {
  await using scratch = await makeScratch();
  const strokes = Array.from(
    { length: 120 },
    (_, index) => `<path d="M${100 + 3 * index} ${300 + (index % 3)}h1v${3 + (index % 4)}h-1z"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360" fill="white"/>${strokes.join("")}</svg>`;
  const file = await scratch.write("half.png", await sharp(Buffer.from(svg)).png().toBuffer());
  const half = { text: "Representative 1,299% APR", confidence: 0.99, box: boxAt(96, 260, 296, 312), letters: [] };

  const { omissions } = await read(file, { readText: ({ width }) => Promise.resolve(width === 640 ? [half] : []) });

  assert.deepEqual(
    omissions?.map(({ what }) => what),
    ["A line of print is too small to be read."],
  );
});

test("letters along a curve are named, and a badge that is tilted is not", async () => {
  await using scratch = await makeScratch();
  const blank = sharp({ create: { width: 900, height: 600, channels: 3, background: "#ffffff" } });
  const file = await scratch.write("curve.png", await blank.png().toBuffer());
  const tilted = (text: string, confidence: number, rise: number): ReadLine => ({
    text,
    confidence,
    box: [
      { x: 300, y: 300 },
      { x: 450, y: 300 - rise },
      { x: 460, y: 350 - rise },
      { x: 310, y: 350 },
    ],
    letters: [],
  });
  const move = (line: ReadLine, by: number) => ({
    ...line,
    box: line.box.map(({ x, y }) => ({ x: x + by, y })) as Box,
  });
  const namedOf = async (...lines: ReadLine[]) => {
    // Enlarged, they would be elsewhere.
    const readText: Models["readText"] = ({ width }) => Promise.resolve(width === 900 ? lines : []);
    return (await read(file, { readText })).omissions?.map(({ what }) => what);
  };

  const curve = await namedOf(tilted("DOCTOPS", 0.72, 60), move(tilted("HATE", 0.84, -40), 200));
  const badge = await namedOf(tilted("New flavour", 0.97, 60), move(tilted("Try it today", 0.99, 0), 200));

  assert.deepEqual(curve, ["Letters along a curve were not read for certain."]);
  assert.deepEqual(badge, []);
});

test("a QR code in a picture is text at its place, and what its squares are read as is not", async () => {
  await using scratch = await makeScratch();
  const blank = sharp({ create: { width: 640, height: 360, channels: 3, background: "#ffffff" } });
  const file = await scratch.write("code.png", await blank.png().toBuffer());
  const codes = [
    { text: "https://example.com/win", box: boxAt(400, 500, 100, 200) },
    { text: null, box: boxAt(20, 120, 100, 200) },
  ];
  const squares = { text: "UTTEL", confidence: 0.9, box: boxAt(410, 480, 140, 160), letters: [] };

  const { supers, omissions } = await read(file, {
    // Enlarged, they would be elsewhere.
    readText: ({ width }) => Promise.resolve(width === 640 ? [squares] : []),
    readCodes: () => Promise.resolve(codes),
  });

  assert.deepEqual(
    supers.map(({ text, isCode, region }) => [text, isCode, region.x]),
    [["https://example.com/win", true, 0.625]],
  );
  assert.deepEqual(omissions?.map(({ what }) => what).toSorted(), [
    "A QR code could not be read.",
    "A QR code leads to https://example.com/win, which was not opened.",
  ]);
});
