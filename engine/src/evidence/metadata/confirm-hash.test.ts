import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { matchesDataHash } from "./confirm-hash.ts";

const bytes = Buffer.from("header and store, then the picture itself");
const options = {
  activeLabel: "urn:a",
  sizeBytes: bytes.length,
  read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
};

function report(exclusions: { start: number; length: number }[], signed: Buffer) {
  const hash = `b64'${createHash("sha256").update(signed).digest("base64")}'`;
  return { manifests: [{ label: "urn:a", assertions: { "c2pa.hash.data": { exclusions, alg: "sha256", hash } } }] };
}

test("a range that begins at the first byte and is longer than the store is taken as it is declared", () => {
  assert.equal(matchesDataHash(report([{ start: 0, length: 18 }], bytes.subarray(18)), options), true);
});

test("ranges in any order, overlapping or beyond the end leave the rest of the file", () => {
  const ranges = [
    { start: 30, length: 500 },
    { start: 4, length: 6 },
    { start: 0, length: 8 },
  ];

  assert.equal(matchesDataHash(report(ranges, bytes.subarray(10, 30)), options), true);
});

test("a changed file does not match, and without a hash there is nothing to compare", () => {
  assert.equal(matchesDataHash(report([{ start: 0, length: 18 }], Buffer.from("another picture")), options), false);
  assert.equal(matchesDataHash({ manifests: [{ label: "urn:a", assertions: {} }] }, options), null);
});
