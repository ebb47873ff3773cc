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
          { x: 60, y: 20 },
          { x: 10, y: 20 },
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
