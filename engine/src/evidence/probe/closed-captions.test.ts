import assert from "node:assert/strict";
import { test } from "node:test";
import { makeScratch } from "../../testing/scratch.ts";
import { hasClosedCaptions } from "./closed-captions.ts";

/** User data of a picture with one pair of letters. */
function pictureWith(kind: number, letters: string): Buffer {
  return Buffer.concat([
    Buffer.alloc(1000, 7),
    Buffer.from("\u00b5\u00001GA94\u0003\u0041\u00ff", "latin1"),
    Buffer.from([kind]),
    Buffer.from(letters, "latin1"),
    Buffer.alloc(100, 7),
  ]);
}

test("captions in the picture are found by their letters; empty ones, which encoders send all the time, are none", async () => {
  await using scratch = await makeScratch();
  const isFound = async (bytes: Buffer) => hasClosedCaptions(await scratch.write("film.mp4", bytes));

  assert.equal(await isFound(pictureWith(0xfc, "HI")), true);
  assert.equal(await isFound(pictureWith(0xfc, "\u0080\u0080")), false);
  assert.equal(await isFound(pictureWith(0xf8, "HI")), false);
  assert.equal(await isFound(Buffer.alloc(1000, 7)), false);
});
