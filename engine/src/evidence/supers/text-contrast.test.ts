import assert from "node:assert/strict";
import { test } from "node:test";
import { leastContrast } from "./text-contrast.ts";

test("an outline that some frames show is there in all of them", () => {
  assert.equal(leastContrast({ behind: 4, beside: 18, frames: 40, framesWithEdge: 8 }), 18);
});

test("what is right at the letters counts for nothing where hardly a frame shows an outline", () => {
  assert.equal(leastContrast({ behind: 4, beside: 18, frames: 40, framesWithEdge: 2 }), 4);
});
