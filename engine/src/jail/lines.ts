import type { Readable } from "node:stream";

/** The lines of a stream, one at a time. Throws when a line grows past the limit: the writer is not to be trusted. */
export async function* readLines(stream: Readable, maxLineBytes: number): AsyncGenerator<string> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = piece.indexOf(10, start); end !== -1; end = piece.indexOf(10, start)) {
      yield Buffer.concat([...pending, piece.subarray(start, end)]).toString("utf8");
      pending = [];
      pendingBytes = 0;
      start = end + 1;
    }
    if (start === piece.length) continue;
    pending.push(piece.subarray(start));
    pendingBytes += piece.length - start;
    if (pendingBytes > maxLineBytes) throw new Error(`A line is longer than ${maxLineBytes} bytes.`);
  }
  if (pendingBytes > 0) yield Buffer.concat(pending).toString("utf8");
}
