import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { readMessages, type WireMessage, writeMessage } from "./wire.ts";

async function encoded(...messages: { header: unknown; payload?: Uint8Array }[]): Promise<Buffer> {
  const stream = new PassThrough({ highWaterMark: 2 ** 30 });
  for (const message of messages) await writeMessage(stream, message);
  return stream.read() as Buffer;
}

async function decoded(pieces: Iterable<Buffer>): Promise<WireMessage[]> {
  return Array.fromAsync(readMessages(Readable.from(pieces)));
}

test("messages come out as they went in, however the stream is cut", async () => {
  const payload = Uint8Array.from({ length: 1000 }, (_, index) => index);
  const bytes = await encoded({ header: { id: 1, text: "£ é" }, payload }, { header: "only words" });

  for (const size of [1, 7, 8, 100, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    const messages = await decoded(pieces);

    assert.deepEqual(messages, [
      { header: { id: 1, text: "£ é" }, payload },
      { header: "only words", payload: new Uint8Array(0) },
    ]);
  }
});

test("a stream that ends within a message is an error, one that ends after it is not", async () => {
  const bytes = await encoded({ header: {}, payload: new Uint8Array(10) });

  assert.equal((await decoded([bytes])).length, 1);
  for (const end of [3, 9, bytes.length - 1])
    await assert.rejects(decoded([bytes.subarray(0, end)]), /within a message/);
});

test("a message that claims to be huge is refused before memory is taken for it", async () => {
  const prefix = Buffer.alloc(8, 0xff);

  await assert.rejects(decoded([prefix]), /larger than any/);
});

test("a writer waits for a slow reader, and no longer for one that is gone", async () => {
  const stream = new PassThrough({ highWaterMark: 1024 });
  let isWritten = false;
  const writing = writeMessage(stream, { header: {}, payload: new Uint8Array(4096) }).then(() => (isWritten = true));
  await new Promise(setImmediate);

  assert.equal(isWritten, false);
  stream.destroy();
  await writing;
});
