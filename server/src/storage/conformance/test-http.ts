import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { until } from "@greenlit/engine/testing/until.ts";

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string; code: string | undefined };

/** One request as raw as it gets: nothing is added to the path, and the reply is taken even while the body is still being sent. */
export async function send(
  url: string,
  options: {
    method?: string;
    headers?: Record<string, string | number>;
    body?: string | Buffer | Readable;
    path?: string;
  } = {},
): Promise<Reply> {
  const { hostname, port } = new URL(url);
  const { method = "PUT", body, path = url.slice(url.indexOf("/", 8)) } = options;
  const blobType: Record<string, string> =
    method === "PUT" && !/[?&]comp=/.test(path) ? { "x-ms-blob-type": "BlockBlob" } : {};
  const sent = request({ hostname, port, method, path, headers: { ...blobType, ...options.headers }, agent: false });
  const replied = once(sent, "response");
  // A refusal may close the connection under the body's feet.
  sent.on("error", () => {});
  if (typeof body === "object" && "pipe" in body) body.pipe(sent);
  else sent.end(body);
  const [reply] = await replied;
  const code = reply.headers["x-ms-error-code"];
  const result = { status: reply.statusCode, headers: reply.headers, text: await text(reply), code };
  if (typeof body === "object" && "pipe" in body) body.destroy();
  sent.destroy();
  return result;
}

/** A connection that has sent the head of a PUT, and waits for what the test sends next. */
export async function beginPut(
  url: string,
  headers: Record<string, string | number>,
): Promise<AsyncDisposable & { socket: Socket; reply: () => Promise<string> }> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.on("error", () => {});
  let received = "";
  socket.setEncoding("utf8").on("data", (part: string) => (received += part));
  const lines = Object.entries({ host, "x-ms-blob-type": "BlockBlob", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`PUT ${url.slice(url.indexOf("/", 8))} HTTP/1.1\r\n${lines.join("")}\r\n`);
  return {
    socket,
    async reply() {
      await until(() => received.includes("\r\n\r\n") || socket.closed);
      return received;
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
    },
  };
}

/** A body that ends only when somebody stops it. */
export function endless(): Readable {
  return new Readable({
    read() {
      this.push(Buffer.alloc(64 * 1024));
    },
  });
}
