import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { Readable } from "node:stream";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import {
  certificateKey,
  expiredCertificate,
  selfSignedCertificate,
  testAuthority,
  validCertificate,
} from "../../testing/certificates.ts";
import { startDnsServer } from "../../testing/dns-server.ts";
import { startReceiver } from "../../testing/receiver.ts";
import { createNetworkPolicy, type NetworkPolicy } from "./network-policy.ts";
import { createHostResolver } from "./resolve-host.ts";
import { createSender } from "./sender.ts";
import { newWebhookSecret } from "./signature.ts";

const eventId = "019a8c40-11a1-7e05-9a44-0c2d4e6f8a10";
const body = JSON.stringify({ type: "asset.processing.completed", data: { filename: "Überraschung 🎬.mp4" } });
const secret = newWebhookSecret();

test("standardwebhooks and svix verify what arrives, with either secret of a rotation", async () => {
  await using receiver = await startReceiver();
  await using sender = localSender();
  const previous = newWebhookSecret();

  const attempt = await sender.send({ ...messageTo(receiver.url), secrets: [secret, previous] });

  assert.equal(attempt.isSuccess, true);
  const [got] = receiver.received;
  const headers = got?.headers as Record<string, string>;
  for (const key of [secret, previous]) {
    assert.deepEqual(new StandardWebhook(key).verify(got?.body ?? "", headers), JSON.parse(body));
    assert.doesNotThrow(() => new SvixWebhook(key).verify(got?.body ?? "", headers));
  }
  assert.throws(() => new StandardWebhook(newWebhookSecret()).verify(got?.body ?? "", headers));
  assert.throws(() => new SvixWebhook(secret).verify(`${got?.body} `, headers));
});

test("what is posted is JSON with our headers, and the customer's beside them", async () => {
  await using receiver = await startReceiver();
  await using sender = localSender();

  await sender.send({ ...messageTo(`${receiver.url}/a?b=c`), headers: { "X-Environment": "test" } });

  const [got] = receiver.received;
  assert.equal(got?.path, "/a?b=c");
  assert.equal(got?.body, body);
  assert.equal(got?.headers["content-type"], "application/json");
  assert.equal(got?.headers["user-agent"], "Greenlit-Webhooks/1");
  assert.equal(got?.headers["webhook-id"], eventId);
  assert.equal(got?.headers["x-environment"], "test");
});

test("connections are kept alive and used again", async () => {
  await using receiver = await startReceiver();
  await using sender = localSender();

  for (let i = 0; i < 5; i++) await sender.send(messageTo(receiver.url));

  assert.equal(receiver.received.length, 5);
  // The end of an answer may be seen a moment after the next request began.
  assert.ok(new Set(receiver.received.map(({ port }) => port)).size <= 2);
});

for (const status of [200, 201, 204, 299])
  test(`${status} is success`, async () => {
    await using receiver = await startReceiver((response) => {
      response.writeHead(status).end();
    });
    await using sender = localSender();

    const attempt = await sender.send(messageTo(receiver.url));

    assert.deepEqual([attempt.isSuccess, attempt.statusCode, attempt.error], [true, status, null]);
  });

for (const status of [300, 302, 304, 400, 401, 404, 410, 429, 500, 503])
  test(`${status} is failure`, async () => {
    await using receiver = await startReceiver((response) => {
      response.writeHead(status, { "retry-after": "120" }).end();
    });
    await using sender = localSender();

    const attempt = await sender.send(messageTo(receiver.url));

    assert.deepEqual([attempt.isSuccess, attempt.statusCode], [false, status]);
    assert.match(attempt.error ?? "", new RegExp(`^answered ${status} in \\d+ ms`));
    assert.equal(attempt.retryAfterSeconds, status === 429 || status === 503 ? 120 : undefined);
  });

test("a receiver that hangs is given up when the time is over", async () => {
  await using receiver = await startReceiver(() => {});
  await using sender = localSender({ timeoutMs: 200 });

  const attempt = await sender.send(messageTo(receiver.url));

  assert.equal(attempt.error, "no answer within 0.2 s");
});

test("a receiver that drips its answer is given up when the time is over, not when it falls silent", async (context) => {
  await using receiver = await startReceiver((response) => {
    const timer = setInterval(() => response.write("."), 20);
    response.on("close", () => clearInterval(timer));
  });
  await using sender = localSender({ timeoutMs: 300 });
  // On a busy machine the time would be over before the headers are there.
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const headersCame = Promise.withResolvers<void>();
  const onHeaders = () => headersCame.resolve();
  subscribe("undici:request:headers", onHeaders);
  context.after(() => unsubscribe("undici:request:headers", onHeaders));

  const sending = sender.send(messageTo(receiver.url));
  await headersCame.promise;
  await setImmediate();
  context.mock.timers.tick(300);
  const attempt = await sending;

  assert.equal(attempt.error, "answered 200, but not completely within 0.3 s");
  assert.equal(attempt.isSuccess, false);
});

test("a receiver that drips its headers is given up when the time is over", async () => {
  await using receiver = await startTcp((socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write("X-Drip: 1\r\n"), 20);
    socket.on("close", () => clearInterval(timer));
  });
  await using sender = localSender({ timeoutMs: 300 });

  assert.equal((await sender.send(messageTo(receiver.url))).error, "no answer within 0.3 s");
});

test("a name server that never answers is given up when the time is over, and holds up no other name", async (context) => {
  await using receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  await using dns = await startDnsServer((name) => (name.startsWith("silent") ? undefined : ["127.0.0.1"]));
  await using sender = localSender({
    timeoutMs: 500,
    resolveHost: createHostResolver({ servers: [dns.address], hostsFile: "none" }),
  });

  // No time passes for the sender until the healthy name was served.
  context.mock.timers.enable({ apis: ["setTimeout"] });

  const silent = Array.from({ length: 50 }, (_, i) => sender.send(messageTo(`http://silent${i}.test:${port}/`)));
  const healthy = await sender.send(messageTo(`http://healthy.test:${port}/`));
  context.mock.timers.tick(500);

  assert.ok(healthy.isSuccess, healthy.error ?? "");
  for (const { error } of await Promise.all(silent)) assert.equal(error, "no answer within 0.5 s");
});

test("a receiver that resets the connection is told apart from one that refuses it", async () => {
  await using resetting = await startTcp((socket) => socket.resetAndDestroy());
  await using closing = await startTcp((socket) => socket.end());
  await using sender = localSender();
  const refusing = await startTcp(() => {});
  await refusing[Symbol.asyncDispose]();

  const attempts = await Promise.all([resetting, closing, refusing].map(({ url }) => sender.send(messageTo(url))));

  assert.match(attempts[0]?.error ?? "", /connection reset|connection was closed/);
  assert.equal(attempts[1]?.error, "the connection was closed before the answer was complete");
  assert.equal(attempts[2]?.error, "connection refused");
});

test("an answer that is not HTTP is said to be so", async () => {
  await using receiver = await startTcp((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
  await using sender = localSender();

  assert.equal((await sender.send(messageTo(receiver.url))).error, "the answer is not valid HTTP");
});

test("of a gigabyte only the beginning is read", async () => {
  let sent = 0;
  await using receiver = await startReceiver((response) => {
    const chunk = Buffer.alloc(65_536, "a");
    const source = new Readable({
      read() {
        this.push((sent += chunk.length) > 2 ** 30 ? null : chunk);
      },
    });
    source.pipe(response.writeHead(500));
  });
  await using sender = localSender({ policy: everywhere });

  const attempt = await sender.send(messageTo(receiver.url));

  assert.equal(attempt.responseBody, "a".repeat(4096));
  assert.match(attempt.error ?? "", /^answered 500 in/);
  assert.ok(sent < 32 * 2 ** 20, `${sent} bytes were sent`);
});

test("a compressed answer is kept as it is", async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));
  await using receiver = await startReceiver((response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  });
  await using sender = localSender({ policy: everywhere });

  const attempt = await sender.send(messageTo(receiver.url));

  assert.equal(attempt.isSuccess, true);
  assert.ok((attempt.responseBody?.length ?? 0) <= 4096);
  assert.doesNotMatch(attempt.responseBody ?? "\0", /\0/);
});

test("an answer that is not UTF-8 is kept as text that can be stored", async () => {
  await using receiver = await startReceiver((response) => {
    response.end(Buffer.concat([Buffer.from([0xff, 0, 0x61]), Buffer.from("é".repeat(4096))]));
  });
  await using sender = localSender({ policy: everywhere });

  const { responseBody } = await sender.send(messageTo(receiver.url));

  assert.match(responseBody ?? "", /^\ufffdaé+$/);
});

test("what a receiver in an opened private network answers is withheld", async () => {
  await using receiver = await startReceiver((response) => {
    response.end("inner secret");
  });
  await using sender = localSender();

  const attempts = [await sender.send(messageTo(receiver.url)), await sender.send(messageTo(receiver.url))];

  assert.deepEqual(
    attempts.map(({ statusCode, responseBody }) => [statusCode, responseBody]),
    [
      [200, null],
      [200, null],
    ],
  );
});

test("http is refused unless it is allowed", async () => {
  await using receiver = await startReceiver();
  await using sender = localSender({ allowHttp: false });

  const attempt = await sender.send(messageTo(receiver.url));

  assert.match(attempt.error ?? "", /GREENLIT_WEBHOOK_HTTP/);
  assert.equal(receiver.received.length, 0);
});

for (const [cert, host, error] of [
  [validCertificate, "hooks.test", null],
  [validCertificate, "127.0.0.1", null],
  [validCertificate, "other.test", "certificate made for another name"],
  [expiredCertificate, "hooks.test", "certificate expired"],
  [selfSignedCertificate, "hooks.test", "certificate self-signed"],
] as const)
  test(`https to ${host}: ${error ?? "the certificate is right"}`, async () => {
    const names: unknown[] = [];
    const server = createHttpsServer({ key: certificateKey, cert }, (request, response) => {
      names.push((request.socket as unknown as { servername: unknown }).servername);
      response.end();
    });
    await using receiver = await listening(server);
    await using sender = localSender({ allowHttp: false, ca: testAuthority, resolveHost: async () => ["127.0.0.1"] });

    const attempt = await sender.send(messageTo(receiver.url.replace("http://127.0.0.1", `https://${host}`)));

    assert.equal(attempt.error, error);
    assert.deepEqual(names, error ? [] : [host === "127.0.0.1" ? false : host]);
  });

test("https to a receiver that speaks plain HTTP fails in words", async () => {
  await using receiver = await startReceiver();
  await using sender = localSender();

  const attempt = await sender.send(messageTo(receiver.url.replace("http:", "https:")));

  assert.equal(attempt.error, "the TLS handshake failed");
});

test("a name without an address is said to have none", async () => {
  await using dns = await startDnsServer(() => []);
  await using sender = localSender({ resolveHost: createHostResolver({ servers: [dns.address], hostsFile: "none" }) });

  assert.equal((await sender.send(messageTo("https://nobody.test/"))).error, "no address found for nobody.test");
});

test("an attempt is cut off by its signal as if it had not been made", async () => {
  await using receiver = await startReceiver(() => {});
  await using sender = localSender();
  const stopping = new AbortController();

  const attempt = sender.send(messageTo(receiver.url), stopping.signal);
  stopping.abort();

  await assert.rejects(attempt, { name: "AbortError" });
});

const opened = createNetworkPolicy(["127.0.0.0/8"]);
/** Takes loopback for a public network. */
const everywhere: NetworkPolicy = { judge: () => ({ isAllowed: true, isInside: false }) };

function localSender(options: Partial<Parameters<typeof createSender>[0]> = {}) {
  return createSender({ policy: opened, allowHttp: true, now: () => new Date(), ...options });
}

function messageTo(url: string) {
  return { url, eventId, body, headers: {}, secrets: [secret] };
}

async function startTcp(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => onConnection(socket));
  });
  return listening(server, () => {
    for (const socket of sockets) socket.destroy();
  });
}

async function listening(server: ReturnType<typeof createTcpServer>, close: () => void = () => {}) {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
