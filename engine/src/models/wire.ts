import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

/** A few words as JSON and the bytes they are about. */
export type WireMessage = { header: unknown; payload: Uint8Array<ArrayBuffer> };

const prefixBytes = 8;
const maxHeaderBytes = 16 * 2 ** 20;
/** The largest picture that is read has 12 MB. */
const maxPayloadBytes = 64 * 2 ** 20;

/**
 * Resolves when the stream has room for more, so that a sender that waits for it never piles up messages. The
 * payload must not change before the answer has come.
 */
export async function writeMessage(
  stream: Writable,
  { header, payload }: { header: unknown; payload?: Uint8Array | undefined },
): Promise<void> {
  const words = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(words.length, 0);
  prefix.writeUInt32LE(payload?.length ?? 0, 4);
  stream.cork();
  stream.write(prefix);
  stream.write(words);
  if (payload !== undefined && payload.length > 0) stream.write(payload);
  stream.uncork();
  if (stream.writableNeedDrain && !stream.destroyed) {
    const settled = new AbortController();
    const gone = once(stream, "close", { signal: settled.signal });
    await Promise.race([once(stream, "drain", { signal: settled.signal }), gone]).finally(() => settled.abort());
  }
}

/** The messages of a stream, one at a time. Throws when one is larger than any that we send, or the stream breaks off. */
export async function* readMessages(stream: Readable): AsyncGenerator<WireMessage> {
  const take = createTaker(stream);
  for (;;) {
    const prefix = await take(prefixBytes);
    if (prefix === null) return;
    const view = new DataView(prefix.buffer);
    const [headerBytes, payloadBytes] = [view.getUint32(0, true), view.getUint32(4, true)];
    if (headerBytes > maxHeaderBytes || payloadBytes > maxPayloadBytes) {
      throw new Error(`A message of ${headerBytes} + ${payloadBytes} bytes is larger than any that is sent.`);
    }
    const words = await take(headerBytes);
    const payload = await take(payloadBytes);
    if (words === null || payload === null) throw new Error(brokenOff);
    yield { header: JSON.parse(new TextDecoder().decode(words)), payload };
  }
}

const brokenOff = "The stream ended within a message.";

/** Takes so many bytes of the stream; null when it is over. */
function createTaker(stream: Readable): (count: number) => Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let piece: Uint8Array = new Uint8Array(0);
  return async (count) => {
    const bytes = new Uint8Array(count);
    for (let filled = 0; filled < count;) {
      if (piece.length === 0) {
        const next = await pieces.next();
        if (next.done === true && filled > 0) throw new Error(brokenOff);
        if (next.done === true) return null;
        piece = next.value;
      }
      const taken = piece.subarray(0, count - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      piece = piece.subarray(taken.length);
    }
    return bytes;
  };
}
