import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { servePart } from "../part.ts";

export type ReceiverPart = {
  argument: null;
  ready: { fastUrl: string; timedUrl: string; hangingUrl: string; refusingUrl: string };
  commands: {
    /** How long each event took from its own timestamp to its first byte here, since the last time this was asked. */
    takeDelaysMs(): Promise<number[]>;
  };
};

/** An integrator's programs: one that answers at once, one that also looks at the clock, one that never answers, and one that is gone. */
servePart<ReceiverPart>(async (_argument, stack) => {
  let delaysMs: number[] = [];
  async function keepDelay(request: IncomingMessage, receivedAt: number): Promise<void> {
    const { timestamp } = JSON.parse(await text(request)) as { timestamp: string };
    delaysMs.push(receivedAt - Date.parse(timestamp));
  }

  const server = createServer((request, response) => {
    const receivedAt = performance.timeOrigin + performance.now();
    if (request.url === "/hanging") return;
    if (request.url === "/timed") void keepDelay(request, receivedAt).then(() => response.end());
    else {
      request.resume();
      request.once("end", () => response.end());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ready: {
      fastUrl: `${url}/fast`,
      timedUrl: `${url}/timed`,
      hangingUrl: `${url}/hanging`,
      refusingUrl: await findRefusingUrl(),
    },
    commands: {
      async takeDelaysMs() {
        const taken = delaysMs;
        delaysMs = [];
        return taken;
      },
    },
  };
});

/** Somebody listened there a moment ago, and nobody does now. */
async function findRefusingUrl(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}/`;
}
