import { connect, type Socket } from "node:net";

export type RawConnection = AsyncDisposable & {
  socket: Socket;
  /** What the server has sent so far. */
  received(): string;
  /** All that the server sent until it ended the connection. */
  ended: Promise<string>;
};

/** A connection that sends the given bytes as they are; the test may write more to its socket. */
export function openRaw(url: string, text: string): RawConnection {
  const { hostname, port } = new URL(url);
  let received = "";
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => socket.write(text));
  const ended = new Promise<string>((resolve) => {
    socket.on("end", () => resolve(received)).on("close", () => resolve(received));
  });
  socket.on("error", () => {}).on("data", (chunk) => (received += chunk.toString()));
  return {
    socket,
    received: () => received,
    ended,
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}
