import assert from "node:assert/strict";
import { test } from "node:test";
import type { Models } from "../../models/models.ts";
import type { ReadLine, ReadOptions } from "../../models/read-line.ts";
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

/** A line of bars on a ground: which of its 26 places have one, and how far it stands to the right. */
type Line = { bars: string; shift: number; ground: number };

const bar = { width: 6, step: 12, height: 40, left: 120, top: 150 };
/** Rows: so little of a bar is a weak change of its cell. */
const tip = 2;
const seconds = 4;

/** What is read in a film of such lines, by a reader who knows each of them by its bars. */
async function read(
  times: readonly number[],
  lineAt: (seconds: number) => Line,
  texts: Readonly<Record<string, string>>,
) {
  const probe = {
    kind: "video",
    durationSeconds: seconds,
    video: { durationSeconds: seconds },
    truncatedAtSeconds: null,
  };
  const consumer = createSuperConsumer({
    models: {
      readText: (picture: Raster, options: ReadOptions = {}) => Promise.resolve(readBars(picture, options, texts)),
      readCodes: () => Promise.resolve([]),
    } as unknown as Models,
    probe: probe as unknown as Probe,
  });
  for (const [index, at] of times.entries())
    await consumer.acceptText?.({ index, seconds: at, yuv: drawn(lineAt(at)) }, format);
  const end = { durationSeconds: seconds, count: times.length };
  const { supers } = await consumer.finish({ small: end, text: end });
  return supers.map(({ text, startSeconds, endSeconds }) => ({ text, startSeconds, endSeconds }));
}

function drawn({ bars, shift, ground }: Line): Uint8Array {
  const yuv = new Uint8Array(format.width * format.height * 1.5).fill(128);
  yuv.fill(ground, 0, format.width * format.height);
  for (const [index, each] of Array.from(bars).entries()) {
    if (each === " ") continue;
    const x = bar.left + shift + index * bar.step;
    // Half a bar is a letter without one of its strokes, one without its tip a letter that looks like another.
    const top = bar.top + (each === "i" ? bar.height / 2 : each === "l" ? tip : 0);
    const gap = each === "j" ? bar.top + bar.height / 2 : Infinity;
    for (let row = top; row < bar.top + bar.height; row += 1) {
      if (row >= gap && row < gap + 4) continue;
      yuv.fill(225, row * format.width + x, row * format.width + x + bar.width);
    }
  }
  return yuv;
}

function readBars(
  { width, height, pixels }: Raster,
  { boxes, skip = [] }: ReadOptions,
  texts: Readonly<Record<string, string>>,
): ReadLine[] {
  const isBright = (x: number, y: number) => (pixels[(y * width + x) * 3] ?? 0) > 190;
  const rows = Array.from({ length: height }, (_, y) => y).filter((y) =>
    Array.from({ length: width }, (_, x) => x).some((x) => isBright(x, y)),
  );
  const [top = 0] = rows;
  const bottom = (rows.at(-1) ?? 0) + 1;
  const left = Array.from({ length: width }, (_, x) => x).findIndex((x) => isBright(x, bottom - 2));
  if (left < 0) return [];
  const bars = Array.from({ length: 26 }, (_, index) => {
    const x = left + index * bar.step + 2;
    if (!isBright(x, bottom - 2)) return " ";
    if (!isBright(x, top + tip + 1)) return "i";
    return isBright(x, top + 1) ? "I" : "l";
  }).join("");
  const text = texts[bars.trimEnd()] ?? "";
  const right = left + bars.trimEnd().length * bar.step;
  const corners = [left - 4, right].flatMap((x) => [top - 4, bottom + 4].map((y) => ({ x, y })));
  const [topLeft, bottomLeft, topRight, bottomRight] = corners as [Point, Point, Point, Point];
  const isKnown = skip.some(([one, , other]) => one.x <= left && other.x >= right - bar.step && one.y <= top);
  if (isKnown && boxes === undefined) return [];
  const letters = Array.from(text, (_, index) => (index + 0.5) / text.length);
  return [{ text, confidence: 0.97, box: [topLeft, topRight, bottomRight, bottomLeft], letters }];
}

type Point = ReadLine["box"][number];

const everyFrame = Array.from({ length: seconds * 12.5 }, (_, index) => index / 12.5);
const nine = "IIIIIIIIIIIIIIIIIIIIIIIIII";
const six = "IIIIIIIIIIIIiIIIIIIIIIIIII";

test("a figure that changes is noticed where the ground has dimmed the letters for good", async () => {
  const found = await read(
    everyFrame,
    (at) => ({ bars: at < 2.4 ? nine : six, shift: 0, ground: at < 1.2 ? 20 : 66 }),
    { [nine]: "From £9 a day", [six]: "From £6 a day" },
  );

  assert.deepEqual(
    found.map(({ text }) => text),
    ["From £9 a day", "From £6 a day"],
  );
  assert.ok(Math.abs((found[1]?.startSeconds ?? 0) - 2.4) < 0.12, JSON.stringify(found));
});

test("a card that takes the place of another is read, though some of its letters lie beside those before", async () => {
  const before = "II I III I I II III I I II";
  const after = "II III I I III I I III I I";

  const found = await read(
    [0, 1.5],
    (at) => ({ bars: at < 1.5 ? before : after, shift: at < 1.5 ? 0 : 2, ground: 50 }),
    {
      [before]: "You cannot lose",
      [after]: "Tap Borrow now",
    },
  );

  assert.deepEqual(
    found.map(({ text }) => text),
    ["You cannot lose", "Tap Borrow now"],
  );
});

/** In each frame another bar is broken, as what moves behind letters breaks them. */
function shivering(bars: string, at: number): string {
  const place = [3, 20, 6, 23, 8, 17][Math.round(at * 12.5) % 6] ?? 0;
  return `${bars.slice(0, place)}j${bars.slice(place + 1)}`;
}

const closed = "IIIIIIIIIIIIlIIIIIIIIIIIII";

for (const [before, after, isSplit] of [
  ["Fresh cat food", "Fresh oat food", true],
  // A reader who slips.
  ["Helps cancer too", "Helps oancer too", false],
] as const)
  test(`a weak stroke that stays makes a word another, but not one that nobody knows: ${after}`, async () => {
    const found = await read(
      everyFrame,
      (at) => ({ bars: shivering(at < 1.6 ? nine : closed, at), shift: 0, ground: 40 }),
      { [nine]: before, [closed]: after },
    );

    assert.equal(found.length, isSplit ? 2 : 1, JSON.stringify(found));
    if (!isSplit) return;
    assert.deepEqual(
      found.map(({ text }) => text),
      [before, after],
    );
    assert.ok(Math.abs((found[1]?.startSeconds ?? 0) - 1.6) < 0.12, JSON.stringify(found));
  });
