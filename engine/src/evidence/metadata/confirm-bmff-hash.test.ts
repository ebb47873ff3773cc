import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { golden } from "../../testing/golden.ts";
import { matchesBmffHash } from "./confirm-bmff-hash.ts";

const storeUuid = Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex");
const usual = [
  { xpath: "/uuid", data: [{ offset: 8, value: [...storeUuid] }] },
  { xpath: "/ftyp" },
  { xpath: "/free" },
];

function box(type: string, content: Buffer | string): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, Buffer.from(content)]);
}

function placed(offset: number, bytes: Buffer): Buffer {
  const place = Buffer.alloc(8);
  place.writeUInt32BE(offset, 4);
  return Buffer.concat([place, bytes]);
}

type Signed = { exclusions: unknown[]; hash: string; merkle?: unknown[] };

function matches(file: Buffer, signed: Signed, label = "c2pa.hash.bmff.v3"): boolean | null {
  const assertions = { [label]: { alg: "sha256", ...signed } };
  return matchesBmffHash(
    { manifests: [{ label: "urn:a", assertions }] },
    {
      activeLabel: "urn:a",
      sizeBytes: file.length,
      read: (offset, length) => file.subarray(offset, offset + length),
    },
  );
}

function hashOf(...parts: Buffer[]): string {
  return `b64'${createHash("sha256").update(Buffer.concat(parts)).digest("base64")}'`;
}

const [start, gap, film] = [box("ftyp", "isom"), box("free", "pad"), box("mdat", "pictures and sound")];
const track = box("trak", "first");
const notes = box("udta", "a note that may change");
const index = box("moov", Buffer.concat([track, notes]));
const store = box("uuid", Buffer.concat([storeUuid, Buffer.from("the credentials")]));
const other = box("uuid", "sixteen letters.and more");
const whole = Buffer.concat([start, store, gap, index, other, film]);
const indexAt = start.length + store.length + gap.length;
const otherAt = indexAt + index.length;
const filmAt = otherAt + other.length;

test("each box that stays is hashed with its place; those that are named, and no other of the name, are left out", () => {
  const hash = hashOf(placed(indexAt, index), placed(otherAt, other), placed(filmAt, film));

  assert.equal(matches(whole, { exclusions: usual, hash }), true);
  assert.equal(matches(Buffer.concat([whole.subarray(0, -1), Buffer.from("!")]), { exclusions: usual, hash }), false);
});

test("a box inside another, or a part of it, is left out by its path", () => {
  const inner = [...usual, { xpath: "/moov[1]/udta", subset: [{ offset: 8, length: 0 }] }];
  const head = index.subarray(0, index.length - notes.length + 8);
  const hash = hashOf(placed(indexAt, head), placed(otherAt, other), placed(filmAt, film));

  assert.equal(matches(whole, { exclusions: inner, hash }), true);
});

test("the first version of the standard hashes no places", () => {
  const hash = hashOf(index, other, film);

  assert.equal(matches(whole, { exclusions: usual, hash }, "c2pa.hash.bmff"), true);
});

test("a tree of hashes, and what is no row of boxes, are not judged", () => {
  assert.equal(matches(whole, { exclusions: usual, hash: hashOf(film), merkle: [{ uniqueId: 0 }] }), null);
  assert.equal(matches(Buffer.from("not boxes at all"), { exclusions: usual, hash: hashOf(film) }), null);
});

test("a film that another program signed has the hash that it declares", () => {
  const film = readFileSync(golden("signed.mp4"));
  const exclusions = [...usual, { xpath: "/mfra" }, { xpath: "/skip" }];

  assert.equal(matches(film, { exclusions, hash: "b64'IMJiSVomhrwmH8/zw8T17fHf99rcCp/NUsvaSbWrkBE='" }), true);
});
