import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";

const lingerMs = 10_000;
const lingerBytes = 64 * 1024 * 1024;

/**
 * To be called before the headers of an answer are sent. When the request's body has not arrived by then, the
 * connection ends with the answer: a client that drips its body would hold it for minutes. What the client still sends
 * is read for a moment; closed on it at once, it gets a reset and may lose the answer that says why.
 */
export async function closeIfUnread(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!hasBody(request) || request.complete) return;
  // A body that came in one packet with the headers is parsed after them.
  await nextTurn();
  if (request.complete || response.headersSent) return;
  const { socket } = request;
  response.setHeader("connection", "close");
  // Node calls this when the answer is written.
  socket.destroySoon = () => {
    const startBytes = socket.bytesRead;
    const startMs = performance.now();
    const close = () => {
      clearInterval(timer);
      socket.destroy();
    };
    const timer = setInterval(() => {
      if (socket.bytesRead - startBytes > lingerBytes || performance.now() - startMs > lingerMs) close();
    }, 100);
    socket.once("close", close);
    socket.end(() => {
      if (request.complete) close();
      else request.once("end", close).once("close", close).resume();
    });
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
