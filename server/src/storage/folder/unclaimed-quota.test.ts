import assert from "node:assert/strict";
import type { Readable } from "node:stream";
import { test } from "node:test";
import { newKey, newWorkspace } from "../conformance/test-objects.ts";
import { openTestGateway } from "../conformance/test-gateway.ts";
import { endless, type Reply, send } from "../conformance/test-http.ts";

const KiB = 1024;

test("507 beyond it, before and while a body streams, blocks included, for that workspace only", async () => {
  await using gateway = await openTestGateway({ unclaimedQuotaBytes: 1000 * KiB });
  const workspace = newWorkspace();
  const put = async (name: string, body: Buffer | Readable, query = ""): Promise<Reply> =>
    send((await gateway.signPut(`${workspace}/${name}`)) + query, { body });

  const { headers } = await put("a", Buffer.alloc(600 * KiB));
  const refused = await put("b", Buffer.alloc(600 * KiB));
  assert.deepEqual([refused.status, refused.code], [507, "InsufficientStorage"]);
  assert.equal((await put("b", endless())).status, 507);
  assert.equal((await put("b", Buffer.alloc(300 * KiB), "&comp=block&blockid=AA==")).status, 201);
  assert.equal((await put("c", Buffer.alloc(300 * KiB), "&comp=block&blockid=AA==")).status, 507);
  assert.equal(
    (await send(await gateway.signPut(`${newWorkspace()}/a`), { body: Buffer.alloc(600 * KiB) })).status,
    201,
  );

  await gateway.store.freeze(`${workspace}/a`, headers.etag ?? "");
  assert.equal((await put("c", Buffer.alloc(600 * KiB))).status, 201);
  await gateway.store.remove(`${workspace}/c`);
  assert.equal((await put("d", Buffer.alloc(600 * KiB))).status, 201);
  assert.deepEqual(gateway.errors, []);
});

test("a block list needs no room of its own, unless it repeats blocks", async () => {
  await using gateway = await openTestGateway({ unclaimedQuotaBytes: 1000 * KiB });
  const url = await gateway.signPut(newKey());
  const commit = (entries: string) => send(`${url}&comp=blocklist`, { body: `<BlockList>${entries}</BlockList>` });
  await send(`${url}&comp=block&blockid=AA==`, { body: Buffer.alloc(900 * KiB) });

  assert.equal((await commit("<Latest>AA==</Latest><Latest>AA==</Latest>")).status, 507);
  assert.equal((await commit("<Latest>AA==</Latest>")).status, 201);
});
