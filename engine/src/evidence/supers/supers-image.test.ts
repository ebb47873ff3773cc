import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import type { Models } from "../../models/models.ts";
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
