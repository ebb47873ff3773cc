import assert from "node:assert/strict";
import { test } from "node:test";
import { distanceToMask } from "./mask-distance.ts";

test("distances count to the nearest pixel in any direction, never around the edge, and no further than asked", () => {
  const rows = ["1........", ".........", ".........", "......1.."];
  const mask = Uint8Array.from(rows.join(""), (character) => (character === "1" ? 1 : 0));

  const distance = distanceToMask({ width: 9, height: 4, mask }, 4);

  const lines = rows.map((_, row) => distance.subarray(row * 9, row * 9 + 9).join(""));
  assert.deepEqual(lines, ["012333333", "112322222", "222321112", "333321012"]);
});
