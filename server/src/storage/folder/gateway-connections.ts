import type { IncomingMessage } from "node:http";

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
