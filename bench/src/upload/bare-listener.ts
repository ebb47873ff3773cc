import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { servePart } from "../part.ts";

export type BareListener = {
  argument: { folder: string };
  ready: { url: string };
  commands: Record<string, never>;
};

/** The limit of receiving a file: a Node listener that writes the body, syncs it, and does nothing else. */
servePart<BareListener>(async ({ folder }, stack) => {
  const server = createServer((request, response) => {
    const path = join(folder, basename(request.url ?? ""));
    pipeline(request, createWriteStream(path, { flush: true, highWaterMark: 1024 * 1024 })).then(
      () => response.writeHead(201).end(),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ready: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, commands: {} };
});
