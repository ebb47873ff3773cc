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
  whileReceiving(request, options.windowSeconds * 1000, () => {
    const received = socket.bytesRead - before;
    before = socket.bytesRead;
    if (request.readableLength === 0 && received < options.minBytesPerSecond * options.windowSeconds) socket.destroy();
  });
}

/**
 * Reads on for a moment after an early refusal. A client still sending when the connection is closed on it gets a
 * reset, and may lose the answer that says why.
 */
export function discardRest(request: IncomingMessage): void {
  const { socket } = request;
  const startBytes = socket.bytesRead;
  const startMs = performance.now();
  whileReceiving(request, 100, () => {
    const isEnough = socket.bytesRead - startBytes > lingerBytes || performance.now() - startMs > lingerMs;
    if (isEnough) socket.destroy();
  });
  request.resume();
}

function whileReceiving(request: IncomingMessage, everyMs: number, look: () => void): void {
  // One that is already over has no more events to stop the timer.
  if (request.complete || request.destroyed) return;
  const { socket } = request;
  const timer = setInterval(look, everyMs);
  const stop = () => {
    clearInterval(timer);
    socket.off("close", stop);
  };
  request.once("end", stop).once("close", stop);
  // Once it was answered, a request is no longer told that its connection broke.
  socket.once("close", stop);
}
