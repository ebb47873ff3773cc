import assert from "node:assert/strict";
import { test } from "node:test";
import type { Raster } from "../pixels/raster.ts";
import type { ReadCode } from "../../models/read-code.ts";
import { addCodes, createFilmCodes } from "./film-codes.ts";

const format = {
  width: 320,
  height: 240,
  displayWidth: 320,
  displayHeight: 240,
  transfer: "sdr",
  framesPerSecond: 25,
  matrix: "bt709",
} as const;

/** A gray frame, with the three marks of a code where `hasCode`. */
function frameAt(index: number, hasCode: boolean) {
  const yuv = new Uint8Array(format.width * format.height * 1.5).fill(128);
  yuv.fill(200, 0, format.width * format.height);
  const square = (x: number, y: number, side: number, value: number) => {
    for (let row = y; row < y + side; row += 1) yuv.fill(value, row * format.width + x, row * format.width + x + side);
  };
  for (const [x, y] of hasCode
    ? ([
        [100, 60],
        [160, 60],
        [100, 120],
      ] as const)
    : []) {
    square(x, y, 28, 20);
    square(x + 4, y + 4, 20, 230);
    square(x + 8, y + 8, 12, 20);
  }
  return { index, seconds: index / 25, yuv };
}

/** What the reader is given is a part of the frame: it has a code where it has anything dark. */
function readerOf(text: string | null): { calls: number; readCodes: (picture: Raster) => Promise<ReadCode[]> } {
  const reader = {
    calls: 0,
    readCodes({ width, height, pixels }: Raster) {
      reader.calls += 1;
      const corners = [
        { x: 0, y: 0 },
        { x: width, y: 0 },
        { x: width, y: height },
        { x: 0, y: height },
      ] as ReadCode["box"];
      return Promise.resolve(pixels.some((value) => value < 60) ? [{ text, box: corners }] : []);
    },
  };
  return reader;
}

async function watch(text: string | null) {
  const reader = readerOf(text);
  const codes = createFilmCodes(format, reader);
  const frames = Array.from({ length: 100 }, (_, index) => frameAt(index, index >= 26 && index < 77));
  for (const [index, frame] of frames.entries()) await codes.take(frame, frames.slice(0, index).toReversed());
  return {
    reader,
    found: addCodes({ supers: [], readerCalls: 0 }, codes.seen, { durationSeconds: 4, displayHeight: 240 }),
  };
}

test("a QR code of a film has its text, its place and its times, and its address is named as not opened", async () => {
  const { found, reader } = await watch("https://example.com/win");

  const [super_] = found.supers;
  assert.equal(found.supers.length, 1);
  assert.deepEqual([super_?.text, super_?.isCode, super_?.startSeconds], ["https://example.com/win", true, 1.04]);
  assert.ok(Math.abs((super_?.endSeconds ?? 0) - 3.08) <= 0.2, String(super_?.endSeconds));
  assert.ok((super_?.region.x ?? 0) > 0.1 && (super_?.region.x ?? 1) < 0.4);
  assert.deepEqual(
    found.omissions?.map(({ what }) => what),
    ["A QR code leads to https://example.com/win, which was not opened."],
  );
  assert.ok(reader.calls < 30, "the reader is asked only while there are marks of a code");
});

test("a QR code of a film that cannot be read is named with its time", async () => {
  const { found } = await watch(null);

  assert.deepEqual(found.supers, []);
  assert.deepEqual(
    found.omissions?.map(({ what }) => what),
    ["A QR code could not be read."],
  );
});
