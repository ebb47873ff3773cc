import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { test } from "node:test";
import { startTestService } from "../testing/test-service.ts";
import { createServer } from "./server.ts";

test("a stop waits neither for a silent connection nor for one that idles after its request", async () => {
  await using service = await startTestService({ role: "api" });
  const server = createServer(service.app);
  // Nothing but the stop ends them.
  Object.assign(server.server, { headersTimeout: 0, keepAliveTimeout: 0, requestTimeout: 0 });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const silent = connect(port, "127.0.0.1");
  const idle = connect(port, "127.0.0.1");
  await Promise.all([once(silent, "connect"), once(idle, "connect")]);
  idle.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
  await once(idle, "data");
  silent.resume();
  idle.resume();

  await Promise.all([server.close(), once(silent, "close"), once(idle, "close")]);

  assert.equal(server.server.listening, false);
});
