import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import type { Models } from "../../models/models.ts";
import type { ReadLine } from "../../models/read-line.ts";
import { makeScratch } from "../../testing/scratch.ts";
import { gatherEvidence } from "../gather.ts";
import type { Raster } from "../pixels/raster.ts";
import { probeFile } from "../probe/probe.ts";

test("the text of the last whole picture of a GIF that is cut in half stands until the cut", async () => {
  await using scratch = await makeScratch();
  const bars = (shift: number) =>
    Array.from(
      { length: 20 },
      (_, index) => `<path d="M${100 + 12 * index + shift} ${150 + 4 * (index % 3)}h6v30h-6z"/>`,
    );
  const cards = [0, 4, 8].map((shift) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360" fill="white"/>${bars(shift).join("")}</svg>`,
      ),
    )
      .png()
      .toBuffer(),
  );
  const delay = [2000, 2000, 2000];
  const whole = await sharp(await Promise.all(cards), { join: { animated: true } })
    .gif({ delay })
    .toBuffer();
  // Behind the first picture.
  const second = whole.indexOf(Buffer.from([0x21, 0xf9, 0x04]), whole.indexOf(Buffer.from([0x21, 0xf9, 0x04])) + 1);
  const file = await scratch.write("half.gif", whole.subarray(0, second + 40));
  const mediaType = { contentType: "image/gif", category: "image" } as const;
  const models = {
    readText: (picture: Raster) => Promise.resolve(readDark(picture)),
    readCodes: () => Promise.resolve([]),
  } as unknown as Models;
  const limits = { maxDurationSeconds: 60, signal: undefined, onProgress: () => undefined };

  const probe = await probeFile({ file, mediaType, ...limits });
  const { supers } = await gatherEvidence({ file, mediaType, probe, needs: new Set(["supers"]), models, ...limits });

  const [line, ...others] = supers?.supers ?? [];
  assert.deepEqual([line?.text, line?.startSeconds, others], ["You cannot lose", 0, []]);
  // node-av shows the piece of the second picture too, for the two seconds of that picture.
  assert.ok([2, 4].includes(line?.endSeconds ?? 0), String(line?.endSeconds));
});

/** A line where the picture is dark. */
function readDark({ width, height, pixels }: Raster): ReadLine[] {
  const rows = Array.from({ length: height }, (_, y) => y).filter((y) =>
    pixels.subarray(y * width * 3, (y + 1) * width * 3).some((value) => value < 60),
  );
  const [top, bottom] = [rows[0] ?? 0, (rows.at(-1) ?? 0) + 1];
  const box: ReadLine["box"] = [
    { x: 96, y: top },
    { x: 344, y: top },
    { x: 344, y: bottom },
    { x: 96, y: bottom },
  ];
  return rows.length === 0 ? [] : [{ text: "You cannot lose", confidence: 0.99, box, letters: [] }];
}
