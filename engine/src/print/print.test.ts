import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { findFfmpeg, findNodeAv } from "../evidence/decode/decoder.ts";
import { probeFile } from "../evidence/probe/probe.ts";
import { openModels } from "../models/open-models.ts";
import { golden, mediaTypeOf } from "../testing/golden.ts";
import { makeScratch } from "../testing/scratch.ts";
import { compareFile } from "./compare-file.ts";
import { packPrint, PrintError, unpackPrint } from "./pack-print.ts";
import type { Print } from "./print.ts";
import { printFile } from "./print-file.ts";
import { hashStreams } from "./stream-hash.ts";

const ffmpeg = await findFfmpeg();
const skip = ffmpeg === null ? "no ffmpeg ≥ 5.1 is installed here" : false;

async function given(file: string) {
  const sha256 = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  return { file, mediaType: mediaTypeOf(file), sha256 };
}

async function printOf(file: string): Promise<Print> {
  await using models = openModels();
  const { print } = await printFile({ ...(await given(file)), models });
  return { ...print, supers: [], words: [], captions: [], findings: [] };
}

async function compare(master: Print, file: string) {
  await using models = openModels();
  return compareFile(master, { ...(await given(file)), models });
}

async function derive(master: string, file: string, ...args: string[]): Promise<string> {
  await promisify(execFile)("ffmpeg", ["-nostdin", "-loglevel", "error", "-y", "-i", master, ...args, file]);
  return file;
}

test("a print survives packing, and damaged bytes are refused", async () => {
  const print = await printOf(golden("talk.mp4"));

  const packed = packPrint(print);

  assert.deepEqual(unpackPrint(packed), print);
  assert.throws(() => unpackPrint(packed.subarray(0, packed.length - 20)), PrintError);
  assert.throws(() => unpackPrint(Buffer.from("%PDF-1.7 and more")), /no print/);
});

test("an Office file with the same words is not called the same: its looks cannot be compared", async () => {
  await using scratch = await makeScratch();
  const master = golden("brief.docx");
  const bytes = await readFile(master);
  // The time of the first entry: another file, with the same words and pictures.
  bytes.writeUInt16LE(bytes.readUInt16LE(10) ^ 0x20, 10);
  const file = await scratch.write("again.docx", bytes);

  const { match, differences } = await compare(await printOf(master), file);

  assert.equal(match, "ALTERED");
  assert.deepEqual(
    differences.map(({ message }) => message),
    ["It is another file, and how it looks cannot be compared. A person must look at both."],
  );
});

test("both decoders give a stream the same hash", { skip }, async () => {
  for (const name of ["talk.mp4", "captioned.mkv", "turned.mp4"]) {
    const source = await given(golden(name));
    const probe = await probeFile({ ...source, maxDurationSeconds: 3600 });
    const options = { file: source.file, contentType: source.mediaType.contentType, probe };

    const [one, other] = [
      await hashStreams({ ...options, decoder: ffmpeg ?? undefined }),
      await hashStreams({ ...options, decoder: findNodeAv() }),
    ];

    assert.ok(one !== null && one.length > 0, name);
    assert.deepEqual(one, other, name);
  }
});

test("copies are the same, and a digit, three white frames or a frame less are not", { skip }, async () => {
  await using scratch = await makeScratch();
  const at = (name: string) => join(scratch.folder, name);
  const coding = "-c:v libx264 -preset ultrafast -crf 22 -pix_fmt yuv420p -c:a aac".split(" ");
  const source = ["-f", "lavfi", "-i", "sine=f=300:d=3", "-shortest"];
  const moving = "testsrc2=s=640x360:r=25:d=3";
  const text = (words: string) =>
    `drawtext=text='${words}':fontsize=30:fontcolor=white:borderw=2:x=40:y=h-60:enable='between(t,0.6,2.6)'`;
  const make = (name: string, words: string) =>
    promisify(execFile)(
      "ffmpeg",
      ["-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", moving].concat(
        source,
        "-vf",
        text(words),
        coding,
        at(name),
      ),
    );
  await make("master.mp4", "29.9 APR");
  await make("digit.mp4", "19.9 APR");
  const master = unpackPrint(packPrint(await printOf(at("master.mp4"))));

  const matchOf = async (name: string, ...args: string[]) =>
    (await compare(master, await derive(at("master.mp4"), at(name), ...args))).match;
  const white = "drawbox=t=fill:color=white:enable='between(n,40,42)'";
  const less = "select='not(eq(n,40))',setpts=N/25/TB";

  assert.equal((await compare(master, at("master.mp4"))).match, "IDENTICAL");
  assert.equal(await matchOf("copy.mkv", "-c", "copy"), "SAME_ESSENCE");
  assert.equal(await matchOf("poorer.mp4", ...coding.with(5, "28")), "SAME_CONTENT");
  assert.equal(
    await matchOf("slate.mp4", "-vf", "tpad=start_duration=1", "-af", "adelay=1000:all=1", ...coding),
    "SAME_CONTENT",
  );
  assert.equal(await matchOf("white.mp4", "-vf", white, ...coding), "ALTERED");
  assert.equal(await matchOf("less.mp4", "-vf", less, ...coding), "ALTERED");
  const digit = await compare(master, at("digit.mp4"));
  assert.equal(digit.match, "ALTERED");
  const [difference] = digit.differences;
  assert.equal(difference?.kind, "picture");
  assert.ok((difference?.region?.y ?? 0) > 0.7, "the digit is at the bottom");
  assert.equal((await compare(master, golden("talk.mp4"))).match, "DIFFERENT");
});

test("other colours show in a pale film too", { skip }, async () => {
  await using scratch = await makeScratch();
  const at = (name: string) => join(scratch.folder, name);
  const coding = "-t 2 -c:v libx264 -preset ultrafast -crf 18 -pix_fmt yuv420p".split(" ");
  const source = ["-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=2"];
  await promisify(execFile)("ffmpeg", [...source, "-vf", "hue=s=0.06", ...coding, at("pale.mp4")]);
  const master = await printOf(at("pale.mp4"));

  const again = await compare(master, await derive(at("pale.mp4"), at("again.mp4"), ...coding));
  const turned = await compare(master, await derive(at("pale.mp4"), at("turned.mp4"), "-vf", "hue=h=40", ...coding));

  assert.equal(again.match, "SAME_CONTENT");
  assert.equal(turned.match, "ALTERED");
});

test("a picture saved again is the same, and one with a mark is not", async () => {
  const { default: sharp } = await import("sharp");
  await using scratch = await makeScratch();
  const at = (name: string) => join(scratch.folder, name);
  const master = await printOf(golden("legible.png"));
  await sharp(golden("legible.png")).jpeg({ quality: 80 }).toFile(at("again.jpg"));
  const mark = {
    input: { create: { width: 40, height: 16, channels: 3, background: "red" } },
    left: 20,
    top: 20,
  } as const;
  await sharp(golden("legible.png")).composite([mark]).png().toFile(at("marked.png"));

  assert.equal((await compare(master, at("again.jpg"))).match, "SAME_CONTENT");
  assert.equal((await compare(master, at("marked.png"))).match, "ALTERED");
});
