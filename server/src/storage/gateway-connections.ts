import type { IncomingMessage } from "node:http";

const lingerMs = 10_000;
const lingerBytes = 64 * 1024 * 1024;

/** Cuts the connection when the client sends less than that for a whole window. Waiting for our own disk is not held against it. */
export function watchPace(
  request: IncomingMessage,
  options: { minBytesPerSecond: number; windowSeconds: number },
): void {
  const { socket } = request;
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    const received = socket.bytesRead - before;
    before = socket.bytesRead;
    const isOurTurn = request.complete || request.readableLength > 0;
    if (!isOurTurn && received < options.minBytesPerSecond * options.windowSeconds) socket.destroy();
  }, options.windowSeconds * 1000);
  request.once("end", () => clearInterval(timer));
  request.once("close", () => clearInterval(timer));
}

/**
 * Reads on for a moment after an early refusal. A client still sending when the connection is closed on it gets a
 * reset, and may lose the answer that says why.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  const { socket } = request;
  const startBytes = socket.bytesRead;
  const startMs = performance.now();
  const timer = setInterval(() => {
    if (socket.bytesRead - startBytes > lingerBytes || performance.now() - startMs > lingerMs) socket.destroy();
  }, 100);
  request.once("end", () => clearInterval(timer));
  request.once("close", () => clearInterval(timer));
  request.resume();
}
