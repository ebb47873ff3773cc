import assert from "node:assert/strict";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import { createTestDatabase } from "../testing/test-database.ts";
import { openQueue } from "./queue.ts";

const deaf = { on: () => ({ [Symbol.dispose]() {} }), async [Symbol.asyncDispose]() {} };

test("a start that PostgreSQL is killed in leaves nothing behind that would keep the process", async () => {
  await using database = await createTestDatabase();
  const open = (url: string) => openQueue({ url, listener: deaf, onError: () => {} });
  // Its tables are there, as in every start but the first.
  await (await open(database.url))[Symbol.asyncDispose]();
  const left: string[] = [];
  let failures = 0;
  for (let messages = 1; ; messages += 1) {
    const before = countTimers();
    const cut = await openCutAfter(database.url, messages);
    const queue = await open(cut.url).catch(() => undefined);
    await queue?.[Symbol.asyncDispose]();
    await cut.close();
    if (queue) break;
    failures += 1;
    if (countTimers() > before) left.push(`${countTimers() - before} timers after ${messages} messages`);
  }
  assert.deepEqual(left, []);
  assert.ok(failures > 10, `only ${failures} starts failed`);
});

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}

/** A way to a database that breaks for good when so many messages have gone there. */
async function openCutAfter(target: string, messages: number): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname: host, port } = new URL(target);
  const sockets = new Set<Socket>();
  let left = messages;
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    far.pipe(near);
    near.on("data", (bytes) => {
      left -= 1;
      if (left > 0) far.write(bytes);
      else for (const socket of sockets) socket.destroy();
    });
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
