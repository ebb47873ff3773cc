import assert from "node:assert/strict";
import { test } from "node:test";
import type { Models } from "../../models/models.ts";
import type { ReadLine } from "../../models/read-line.ts";
import type { Probe } from "../probe/probe-shape.ts";
import type { Raster } from "../pixels/raster.ts";
import { createSuperConsumer } from "./supers.ts";

const format = {
  width: 640,
  height: 360,
  displayWidth: 640,
  displayHeight: 360,
  transfer: "sdr",
  framesPerSecond: 25,
  matrix: "bt709",
} as const;
const seconds = 4;

/** What is read of a film of rectangles on black, and what it leaves unread. */
async function readFilm(
  rectanglesAt: (seconds: number) => { x: number; y: number; width: number; height: number }[],
  readText: (picture: Raster) => ReadLine[],
) {
  const probe = {
    kind: "video",
    durationSeconds: seconds,
    video: { durationSeconds: seconds },
    truncatedAtSeconds: null,
  };
  const consumer = createSuperConsumer({
    models: {
      readText: (picture: Raster) => Promise.resolve(readText(picture)),
      readCodes: () => Promise.resolve([]),
    } as unknown as Models,
    probe: probe as unknown as Probe,
  });
  const count = seconds * 12.5;
  for (let index = 0; index < count; index += 1) {
    const yuv = new Uint8Array(format.width * format.height * 1.5).fill(128);
    yuv.fill(20, 0, format.width * format.height);
    for (const { x, y, width, height } of rectanglesAt(index / 12.5)) {
      for (let row = y; row < y + height; row += 1) {
        yuv.fill(220, row * format.width + x, row * format.width + x + width);
      }
    }
    await consumer.acceptText?.({ index, seconds: index / 12.5, yuv }, format);
  }
  const end = { durationSeconds: seconds, count };
  const { supers, omissions = [] } = await consumer.finish({ small: end, text: end });
  return { supers, omissions };
}

test("print of a film that is too small for the reader is named while it stands", async () => {
  // Strokes of one pixel, as letters of six have them.
  const print = Array.from({ length: 120 }, (_, index) => ({
    x: 100 + 3 * index + (index % 2),
    y: 300 + (index % 3),
    width: 1,
    height: 3 + (index % 4),
  }));

  const { omissions } = await readFilm(
    (at) => (at >= 1 && at < 3 ? print : []),
    () => [],
  );

  assert.deepEqual(
    omissions.map(({ what }) => what),
    ["A line of print is too small to be read."],
  );
  const [{ startSeconds = 0, endSeconds = 0 } = {}] = omissions;
  assert.ok(Math.abs(startSeconds - 1) < 0.4 && Math.abs(endSeconds - 3) < 0.2, `${startSeconds} to ${endSeconds}`);
});

/** Two bars that cross where the letter says: each frame has another one. */
function crossAt(at: number) {
  const place = 24 * (Math.round(at * 12.5) % 5);
  return [
    { x: 260 + place, y: 80, width: 16, height: 120 },
    { x: 260, y: 80 + place, width: 120, height: 16 },
  ];
}

function readCross({ width, height, pixels }: Raster): ReadLine[] {
  const brightIn = (x: number) => {
    let bright = 0;
    for (let y = 0; y < height; y += 1) bright += (pixels[(y * width + x) * 3] ?? 0) > 150 ? 1 : 0;
    return bright;
  };
  const columns = Array.from({ length: width }, (_, x) => brightIn(x));
  const left = columns.findIndex((bright) => bright > 0);
  const text = "ABCDE"[Math.round((columns.findIndex((bright) => bright > 100) - left) / 24)] ?? "";
  const box = [0, 1, 2, 3].map((corner) => ({
    x: corner === 1 || corner === 2 ? width : 0,
    y: corner > 1 ? height : 0,
  })) as ReadLine["box"];
  return left < 0 || text === "" ? [] : [{ text, confidence: 0.95, box, letters: [] }];
}

test("letters that change with every frame are named with their time", async () => {
  const { omissions } = await readFilm((at) => (at >= 1 && at < 3 ? crossAt(at) : []), readCross);

  const fast = omissions.filter(({ what }) => what === "Letters that change too fast to be read were not checked.");
  assert.equal(fast.length, 1, JSON.stringify(omissions));
  const [{ startSeconds = 0, endSeconds = 0 } = {}] = fast;
  assert.ok(Math.abs(startSeconds - 1) < 0.2 && Math.abs(endSeconds - 3) < 0.2, `${startSeconds} to ${endSeconds}`);
});

test("what flickers and is no letters is not named", async () => {
  const { omissions } = await readFilm(
    (at) => (at >= 1 && at < 3 ? crossAt(at) : []),
    () => [],
  );

  assert.deepEqual(omissions, []);
});

test("a line whose box reaches beyond the rows in which something came is read with more around it", async () => {
  const bars = Array.from({ length: 20 }, (_, index) => ({
    x: 120 + 16 * index + (index % 3),
    y: 150 + (index % 2),
    width: 7,
    height: 33,
  }));
  const margin = 60;
  const readWide = ({ width, height, pixels }: Raster): ReadLine[] => {
    const rows = Array.from({ length: height }, (_, y) => y).filter((y) =>
      pixels.subarray(y * width * 3, (y + 1) * width * 3).some((value) => value > 150),
    );
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return [];
    const [top, bottom] = [Math.max(0, first - margin), Math.min(height, last + 1 + margin)];
    const corners = [
      [100, top],
      [450, top],
      [450, bottom],
      [100, bottom],
    ] as const;
    const box = corners.map(([x, y]) => ({
      x: width === format.width ? x : Math.max(0, x - 100),
      y,
    })) as ReadLine["box"];
    return [{ text: "You cannot lose", confidence: 0.97, box, letters: [] }];
  };

  const { supers } = await readFilm((at) => (at >= 1 && at < 3 ? bars : []), readWide);

  assert.deepEqual(
    supers.map(({ text, startSeconds }) => [text, startSeconds]),
    [["You cannot lose", 1.02]],
  );
});
