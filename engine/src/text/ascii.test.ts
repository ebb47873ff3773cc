import assert from "node:assert/strict";
import { test } from "node:test";
import { hasPlainLetters } from "./ascii.ts";

test("what has plain letters has no letter and no figure beyond A to Z and 0 to 9", () => {
  const signs = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code));

  const plain = signs.filter(hasPlainLetters);

  assert.equal(
    plain.filter((sign) => /[\p{L}\p{N}]/u.test(sign)).join(""),
    plain.filter((sign) => /[A-Za-z0-9]/.test(sign)).join(""),
  );
  assert.ok(hasPlainLetters("Save £5 – it’s “free”…"));
  assert.ok(!hasPlainLetters("café"));
});
