import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "@greenlit/engine/testing/until.ts";

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** By the monotonic clock. */
  at: number;
  /** Of the sender: one for each connection. */
  port: number | undefined;
};

/** A program of an integrator's: keeps what is posted to it and answers as told. */
export type Receiver = {
  url: string;
  received: Received[];
  /** Waits until that many requests have arrived. */
  until(count: number): Promise<void>;
} & AsyncDisposable;

export async function startReceiver(
  answer: (response: ServerResponse, request: Received, count: number) => void = (response) => void response.end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const one = {
        path: request.url ?? "",
        headers: request.headers,
        body,
        at: performance.now(),
        port: request.socket.remotePort,
      };
      received.push(one);
      answer(response, one, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    until: (count) => until(() => received.length >= count),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
