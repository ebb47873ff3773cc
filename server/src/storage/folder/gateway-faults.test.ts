import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { link, mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { promisify } from "node:util";
import { until } from "@greenlit/engine/testing/until.ts";
import { newKey, newWorkspace, rejectsWith } from "../conformance/test-objects.ts";
import { filesIn, openTestGateway } from "../conformance/test-gateway.ts";
import { beginPut, send } from "../conformance/test-http.ts";
import { firstMatch } from "../conformance/test-process.ts";

const MiB = 1024 * 1024;
const run = promisify(execFile);

test("a kill in the middle of a PUT leaves only a tmp file, which the next start removes", async () => {
  const root = await mkdtemp(join(tmpdir(), "greenlit-store-"));
  const child = spawn(process.execPath, [join(import.meta.dirname, "../conformance/test-gateway-process.ts"), root], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const url = (await firstMatch(child.stdout, /(http:\S+)\s/)) ?? "";
  const { etag = "" } = (await send(url, { body: "whole" })).headers;
  await using put = await beginPut(url, { "content-length": 100 * MiB });
  put.socket.write(Buffer.alloc(2 * MiB));
  const tmpFiles = async () => (await filesIn(root)).filter((file) => file.startsWith("tmp/"));
  await until(async () => {
    const [file] = await tmpFiles();
    return file !== undefined && (await stat(join(root, file))).size > MiB;
  });

  child.kill("SIGKILL");
  await once(child, "exit");

  assert.equal((await tmpFiles()).length, 1);
  await using gateway = await openTestGateway({ root });
  assert.deepEqual(await tmpFiles(), []);
  const [object] = await Array.fromAsync(gateway.store.list(""));
  assert.ok(object);
  assert.equal(await text(await gateway.store.open(object.key, { etag })), "whole");
  await rm(root, { recursive: true });
});

test("a second process that opens the folder leaves alone what the first is writing", async () => {
  await using gateway = await openTestGateway();
  const key = newKey();
  await using put = await beginPut(await gateway.signPut(key), { "content-length": 2 * MiB });
  put.socket.write(Buffer.alloc(MiB));
  const tmpFiles = async () => (await gateway.files()).filter((file) => file.startsWith("tmp/"));
  await until(async () => (await tmpFiles()).length === 1);

  const script = join(import.meta.dirname, "../conformance/test-gateway-process.ts");
  const other = spawn(process.execPath, [script, gateway.root], { stdio: ["pipe", "pipe", "inherit"] });
  await firstMatch(other.stdout, /(http:\S+)\s/);
  put.socket.write(Buffer.alloc(MiB));

  assert.match(await put.reply(), /^HTTP\/1.1 201 /);
  assert.equal((await gateway.store.head(key))?.sizeBytes, 2 * MiB);
  other.stdin.end();
  await once(other, "exit");
});

test("507 on a full disk, and nothing left behind", async (context) => {
  const root = await mkdtemp(join(tmpdir(), "greenlit-store-"));
  try {
    await run("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", root]);
  } catch {
    await rm(root, { recursive: true });
    context.skip("needs to be root and allowed to mount a small tmpfs");
    return;
  }
  try {
    await using gateway = await openTestGateway({ root });
    const key = newKey();
    const url = await gateway.signPut(key);
    const used = () => gateway.files();
    for (const query of ["", "&comp=block&blockid=AA=="]) {
      const reply = await send(url + query, { body: Buffer.alloc(10 * MiB) });

      assert.deepEqual([reply.status, reply.code], [507, "InsufficientStorage"]);
      assert.deepEqual(await used(), []);
    }
    await rejectsWith(
      "disk_full",
      gateway.store.put(key, Readable.from([Buffer.alloc(10 * MiB)]), { maxBytes: 1e9, contentType: "video/mp4" }),
    );

    // The blocks fit, but not a second time as the object.
    assert.equal((await send(`${url}&comp=block&blockid=AA==`, { body: Buffer.alloc(5 * MiB) })).status, 201);
    const list = await send(`${url}&comp=blocklist`, { body: "<BlockList><Latest>AA==</Latest></BlockList>" });
    assert.equal(list.status, 507);
    assert.equal((await used()).length, 1);

    assert.equal((await send(url, { body: Buffer.alloc(2 * MiB) })).status, 201);
    assert.deepEqual(gateway.errors, []);
  } finally {
    await run("umount", [root]);
    await rm(root, { recursive: true });
  }
});

test("a block list of gigabytes is not copied for a client that has gone", async () => {
  await using gateway = await openTestGateway();
  const key = newKey();
  const url = await gateway.signPut(key, { maxBytes: 5 * 1024 * MiB });
  await send(`${url}&comp=block&blockid=AA==`, { body: Buffer.alloc(MiB) });
  const list = `<BlockList>${"<Latest>AA==</Latest>".repeat(5000)}</BlockList>`;
  const tmpFiles = async () => (await gateway.files()).filter((file) => file.startsWith("tmp/"));
  const put = await beginPut(`${url}&comp=blocklist`, { "content-length": list.length });
  put.socket.write(list);
  await until(async () => (await tmpFiles()).length > 0);

  put.socket.destroy();

  await until(async () => (await tmpFiles()).length === 0);
  assert.equal(await gateway.store.head(key), null);
  assert.deepEqual(gateway.errors, []);
});

test("503 for more uploads of one workspace than may be open, and not for another's", async () => {
  await using gateway = await openTestGateway({ uploadsPerWorkspace: 1 });
  const [workspace, other] = [newWorkspace(), newWorkspace()];
  await using first = await beginPut(await gateway.signPut(`${workspace}/${randomUUID()}`), { "content-length": 10 });
  first.socket.write("12345");
  await until(async () => (await gateway.files()).length > 0);

  const refused = await send(await gateway.signPut(`${workspace}/${randomUUID()}`), { body: "x" });
  const taken = await send(await gateway.signPut(`${other}/${randomUUID()}`), { body: "x" });
  first.socket.write("67890");

  assert.deepEqual([refused.status, refused.code], [503, "ServerBusy"]);
  assert.equal(taken.status, 201);
  assert.match(await first.reply(), /^HTTP\/1.1 201 /);
  assert.equal((await send(await gateway.signPut(`${workspace}/${randomUUID()}`), { body: "x" })).status, 201);
});

test("a client slower than the minimum is cut off, however long a steady one takes", async (context) => {
  // The windows end when the test says so: on a busy machine the steady client could miss one.
  context.mock.timers.enable({ apis: ["setInterval"] });
  await using gateway = await openTestGateway({ minBytesPerSecond: 1000, paceWindowSeconds: 1 });
  const connections: Socket[] = [];
  const onRequest = (message: unknown) => connections.push((message as { socket: Socket }).socket);
  subscribe("http.server.request.start", onRequest);
  context.after(() => unsubscribe("http.server.request.start", onRequest));
  const [slowKey, steadyKey] = [newKey(), newKey()];
  await using slow = await beginPut(await gateway.signPut(slowKey), { "content-length": 100_000 });
  await using steady = await beginPut(await gateway.signPut(steadyKey), { "content-length": 10_000 });

  slow.socket.write("x");
  steady.socket.write("x");
  await until(async () => (await gateway.files()).length === 2);
  for (let sent = 2000; sent < 10_000; sent += 2000) {
    steady.socket.write(Buffer.alloc(2000));
    await until(async () => connections.some(({ bytesRead }) => bytesRead > sent));
    context.mock.timers.tick(1000);
  }
  steady.socket.write(Buffer.alloc(1999));

  assert.match(await slow.reply(), /^HTTP\/1.1 408 .*OperationTimedOut.*GREENLIT_UPLOAD_MIN_RATE/s);
  assert.match(await steady.reply(), /^HTTP\/1.1 201 /);
  assert.equal(await gateway.store.head(slowKey), null);
});

test("a clock that jumps ends addresses, and nothing else", async () => {
  let now = new Date();
  await using gateway = await openTestGateway({ clock: () => now });
  const url = await gateway.signPut(newKey());
  await using put = await beginPut(url, { "content-length": 10, expect: "100-continue" });
  assert.match(await put.reply(), /100 Continue/);

  now = new Date(Date.now() + 400 * 24 * 3_600_000);
  const tooLate = await send(url, { body: "x" });
  await gateway.store.sweep({ olderThan: now });
  put.socket.write("0123456789");
  await until(async () => (await put.reply()).includes(" 201 "));
  now = new Date(0);

  assert.equal(tooLate.status, 403);
  assert.equal((await send(url, { body: "x" })).status, 201);
});

test("a sweep removes old blocks and tmp files, not young ones", async () => {
  await using gateway = await openTestGateway();
  const key = newKey();
  const url = await gateway.signPut(key);
  await send(`${url}&comp=block&blockid=AA==`, { body: "block" });
  await send(`${url}&comp=block&blockid=AQ==`, { body: "block" });
  const foreign = join(gateway.root, "tmp/ffffffffffff.1.left-by-another-machine");
  await writeFile(foreign, "");
  // Ages the file, but not the name that a freeze has just given it.
  await utimes(foreign, 0, 0);
  await link(foreign, `${foreign}-linked`);

  assert.deepEqual(await gateway.store.sweep({ olderThan: new Date(Date.now() - 60_000) }), { removedFiles: 0 });
  assert.deepEqual(await gateway.store.sweep({ olderThan: new Date(Date.now() + 60_000) }), { removedFiles: 4 });
  assert.deepEqual(await gateway.files(), []);
});

test("files are for their owner only", async () => {
  await using gateway = await openTestGateway();
  const key = newKey();
  const url = await gateway.signPut(key);
  const { etag = "" } = (await send(url, { body: "x" })).headers;
  await gateway.store.freeze(key, etag);
  await send(`${await gateway.signPut(newKey())}&comp=block&blockid=AA==`, { body: "x" });

  for (const file of await gateway.files()) {
    assert.equal((await stat(join(gateway.root, file))).mode & 0o777, 0o600, file);
    assert.equal((await stat(join(gateway.root, file, ".."))).mode & 0o777, 0o700, file);
  }
});

test("a page of an allowed origin may upload, and read the answer", async () => {
  for (const [corsOrigins, allowed] of [
    [["*"], "*"],
    [["https://app.example"], "https://app.example"],
    [["https://other.example"], undefined],
  ] as const) {
    await using gateway = await openTestGateway({ corsOrigins: [...corsOrigins] });
    const url = await gateway.signPut(newKey());
    const origin = { origin: "https://app.example" };
    const asks = {
      "access-control-request-method": "PUT",
      "access-control-request-headers": "x-ms-blob-type,content-type",
    };

    const preflight = await send(url, { method: "OPTIONS", headers: { ...origin, ...asks } });
    const put = await send(url, { headers: origin, body: "x" });
    const refused = await send(url.replace("sp=cw", "sp=x"), { headers: origin, body: "x" });

    assert.equal(preflight.status, allowed ? 200 : 403);
    for (const reply of [preflight, put, refused]) assert.equal(reply.headers["access-control-allow-origin"], allowed);
    if (!allowed) continue;
    assert.match(preflight.headers["access-control-allow-methods"] ?? "", /PUT/);
    assert.equal(preflight.headers["access-control-allow-headers"], "x-ms-blob-type,content-type");
    assert.match(put.headers["access-control-expose-headers"] ?? "", /etag.*x-ms-request-id/);
  }
});

test("a running upload is finished before the gateway is gone", async () => {
  const gateway = await openTestGateway({ drainSeconds: 10 });
  await using put = await beginPut(await gateway.signPut(`${newWorkspace()}/a`), {
    "content-length": 10,
    expect: "100-continue",
  });
  assert.match(await put.reply(), /100 Continue/);

  const gone = gateway[Symbol.asyncDispose]();
  await assert.rejects(fetch(gateway.gateway.url));
  put.socket.write("0123456789");

  await until(async () => (await put.reply()).includes(" 201 "));
  await gone;
});

test("behind a proxy the address has the proxy's path, stripped by it or not", async () => {
  const publicUrl = "https://files.example/store";
  await using gateway = await openTestGateway({ publicUrl });
  const url = await gateway.signPut(newKey());
  const path = url.slice("https://files.example".length);

  assert.ok(url.startsWith(`${publicUrl}/greenlit/media/`));
  for (const seen of [path, path.slice("/store".length)]) {
    const reply = await send(`http://127.0.0.1:${gateway.gateway.port}`, { path: seen, body: "x" });
    assert.equal(reply.status, 201);
  }
});
