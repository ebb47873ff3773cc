import type { IncomingMessage } from "node:http";

export type Pace = { minBytesPerSecond: number; windowSeconds: number };

/** The message for an upload that was slower. */
export function tooSlow({ minBytesPerSecond, windowSeconds }: Pace): string {
  return `The upload sent less than ${minBytesPerSecond} bytes a second for ${windowSeconds} s, the least that is allowed (GREENLIT_UPLOAD_MIN_RATE). Send it again on a faster connection, or in smaller parts.`;
}

/** Rejects when the client sends less than that for a whole window. Waiting for our own disk is not held against it. */
export function untilTooSlow(
  request: IncomingMessage,
  pace: Pace,
  failure: (message: string) => Error,
): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // It loses the race when the upload is over first.
  promise.catch(() => {});
  // One that is already over has no more events to stop the timer.
  if (pace.minBytesPerSecond === 0 || request.complete || request.destroyed) return promise;
  const { socket } = request;
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    const received = socket.bytesRead - before;
    before = socket.bytesRead;
    if (request.readableLength > 0 || received >= pace.minBytesPerSecond * pace.windowSeconds) return;
    stop();
    reject(failure(tooSlow(pace)));
  }, pace.windowSeconds * 1000);
  const stop = () => {
    clearInterval(timer);
    socket.off("close", stop);
  };
  request.once("end", stop).once("close", stop);
  // Once it was answered, a request no longer hears that its connection broke.
  socket.once("close", stop);
  return promise;
}
