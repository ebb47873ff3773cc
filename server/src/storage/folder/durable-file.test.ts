import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { type Received, receiveFile } from "./durable-file.ts";

const KiB = 1024;
const MiB = 1024 * KiB;

describe("receiveFile", () => {
  let folder = "";
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "greenlit-file-"));
  });
  after(() => rm(folder, { recursive: true }));

  const newPath = () => join(folder, String(files++));

  test("writes every byte in order with its digests and the tail, whatever the chunks' sizes", async () => {
    const bytes = randomBytes(40 * MiB);
    const sizes = [1, 64 * KiB, 3, 5 * MiB, 100 * KiB, 17];
    const path = newPath();

    const received = await receive(path, Readable.from(slices(bytes, sizes), { objectMode: false }), { tail: "tail" });

    const stored = await readFile(path);
    assert.ok(stored.equals(Buffer.concat([bytes, Buffer.from("tail")])));
    assert.equal(received.sizeBytes, bytes.length);
    assert.equal(received.sha256, createHash("sha256").update(bytes).digest("hex"));
    assert.equal(received.md5, createHash("md5").update(bytes).digest("base64"));
  });

  test("an empty body makes a file of its tail alone", async () => {
    const path = newPath();

    await receive(path, Readable.from([]), { tail: "tail" });

    assert.equal(await readFile(path, "utf8"), "tail");
  });

  test("the memory of owned chunks is gone once they are written, that of others and of shared memory is not", async () => {
    for (const ownsChunks of [true, false]) {
      const chunks = Array.from({ length: 100 }, () => randomBytes(64 * KiB));
      const shared = Buffer.alloc(64 * KiB, "shared");
      const bytes = Buffer.concat([...chunks, shared.subarray(0, 1000)]);
      const path = newPath();

      await receive(path, Readable.from([...chunks, shared.subarray(0, 1000)]), { ownsChunks });

      assert.ok((await readFile(path)).equals(bytes));
      assert.equal(sumOf(chunks), ownsChunks ? 0 : 100 * 64 * KiB);
      assert.equal(shared.toString("utf8", 0, 6), "shared");
    }
  });

  test("a body that is stopped at its cap is neither destroyed nor read on, so that it can be answered", async () => {
    const body = endless();

    const receiving = receive(newPath(), body, {
      onBytes(total) {
        if (total > MiB) throw new Error("too large");
      },
    });

    await assert.rejects(receiving, /too large/);
    assert.equal(body.destroyed, false);
    assert.equal(body.isPaused(), true);
    assert.equal(body.listenerCount("data"), 0);
    body.destroy();
  });

  test("a body that breaks off is an error, also between two chunks and before the first", async () => {
    for (const breakAfterBytes of [0, MiB]) {
      const body = endless();

      const receiving = receive(newPath(), body, {
        onBytes(total) {
          if (total >= breakAfterBytes) body.destroy();
        },
      });
      if (breakAfterBytes === 0) body.destroy();

      await assert.rejects(receiving, { code: "ERR_STREAM_PREMATURE_CLOSE" });
    }
  });

  test("a source faster than the disk is held back: at most three MiB of it are in memory", async () => {
    const chunks: Buffer[] = [];
    let maxBytes = 0;
    const body = new Readable({
      read() {
        maxBytes = Math.max(maxBytes, sumOf(chunks));
        if (chunks.length === 1000) this.push(null);
        else this.push(chunks[chunks.push(Buffer.alloc(64 * KiB)) - 1]);
      },
    });

    await receive(newPath(), body, { ownsChunks: true });

    assert.ok(maxBytes <= 3 * MiB, `${maxBytes} bytes were in memory`);
    assert.equal(sumOf(chunks), 0);
  });
});

async function receive(
  path: string,
  body: Readable,
  options: { tail?: string; ownsChunks?: boolean; onBytes?: (total: number) => void } = {},
): Promise<Received> {
  const { tail = "", ownsChunks = false, onBytes = () => {} } = options;
  return await receiveFile(path, {
    body,
    ownsChunks,
    onBytes,
    hashes: { sha256: true, md5: true },
    finish: (received) => ({ ...received, tail: Buffer.from(tail) }),
  });
}

function* slices(bytes: Buffer, sizes: number[]): Generator<Buffer> {
  for (let start = 0, index = 0; start < bytes.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

function sumOf(chunks: Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

function endless(): Readable {
  return new Readable({
    read() {
      this.push(Buffer.alloc(64 * KiB));
    },
  });
}
