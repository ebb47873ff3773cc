import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { startTestService } from "../testing/test-service.ts";

test("a stop waits neither for a silent connection nor for one that idles after its request", async () => {
  const service = await startTestService();
  const port = Number(new URL(service.url).port);
  const silent = connect(port, "127.0.0.1");
  const idle = connect(port, "127.0.0.1");
  await Promise.all([once(silent, "connect"), once(idle, "connect")]);
  idle.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
  await once(idle, "data");
  silent.resume();
  idle.resume();

  const begun = Date.now();
  await Promise.all([service[Symbol.asyncDispose](), once(silent, "close"), once(idle, "close")]);

  assert.ok(Date.now() - begun < 3000, `the stop took ${Date.now() - begun} ms`);
});
