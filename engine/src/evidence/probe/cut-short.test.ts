import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { golden } from "../../testing/golden.ts";
import { findCut } from "./cut-short.ts";

const folder = await mkdtemp(join(tmpdir(), "greenlit-cut-"));
after(() => rm(folder, { recursive: true }));

for (const [name, contentType] of [
  ["moving.gif", "image/gif"],
  ["moving.png", "image/png"],
] as const) {
  test(`${name} that is cut in half lacks its end; whole it lacks nothing`, async () => {
    const bytes = await readFile(golden(name));
    const half = join(folder, name);
    await writeFile(half, bytes.subarray(0, Math.floor(bytes.length / 2)));

    assert.equal(await findCut(golden(name), contentType), null);
    assert.deepEqual(await findCut(half, contentType), { announcedSeconds: null, playableSeconds: null });
  });
}

/** Sound of 8 kHz, 16 bits, mono; `length` is what the header says. */
function wav(seconds: number, length = seconds * 16_000): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(length, 40);
  return Buffer.concat([header, Buffer.alloc(seconds * 16_000)]);
}

test("a WAV tells how much of it is missing; one that was streamed lacks nothing", async () => {
  const file = join(folder, "cut.wav");
  await writeFile(file, wav(2, 4 * 16_000));
  const streamed = join(folder, "streamed.wav");
  await writeFile(streamed, wav(2, 0xff_ff_ff_ff - 36));

  assert.deepEqual(await findCut(file, "audio/wav"), { announcedSeconds: 4, playableSeconds: 2 });
  assert.equal(await findCut(streamed, "audio/wav"), null);
  await writeFile(file, wav(2));
  assert.equal(await findCut(file, "audio/wav"), null);
});
