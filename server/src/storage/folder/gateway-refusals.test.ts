import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import { newKey } from "../conformance/test-objects.ts";
import { openTestGateway, type TestGateway } from "../conformance/test-gateway.ts";
import { beginPut, endless, send } from "../conformance/test-http.ts";

const KiB = 1024;

describe("what the gateway refuses", () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await openTestGateway();
  });
  after(async () => {
    await gateway[Symbol.asyncDispose]();
    assert.deepEqual(gateway.errors, []);
  });

  test("403 in Azure's XML for every signature that is not exactly the one issued", async () => {
    const key = newKey();
    const url = await gateway.signPut(key, { maxBytes: 100 });
    const other = await gateway.signPut(newKey(), { maxBytes: 100 });
    const expired = await gateway.signPut(key, { expiresAt: new Date(Date.now() - 1000) });
    const signature = new URL(url).searchParams.get("sig") ?? "";
    const last = signature.at(-1) ?? "";
    const forged = createHmac("sha256", "guess").update(url).digest("base64url");
    const altered: Record<string, string> = {
      expired,
      "no signature": url.replace(/&sig=.*/, ""),
      "an empty one": url.replace(signature, ""),
      "a guessed one": url.replace(signature, forged),
      "another last character, the same bytes": url.replace(
        signature,
        signature.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1),
      ),
      "one character more": `${url}A`,
      "a longer life": url.replace(/se=[^&]*/, "se=2099-01-01T00%3A00%3A00Z"),
      "no expiry": url.replace(/&se=[^&]*/, ""),
      "a larger cap": url.replace("si=100", "si=1000"),
      "another type": url.replace("rsct=video", "rsct=audio"),
      "other permissions": url.replace("sp=cw", "sp=r"),
      "more permissions": url.replace("sp=cw", "sp=rcwd"),
      "an older version": url.replace(/sv=[^&]*/, "sv=2019-01-01"),
      "a second cap": `${url}&si=1000`,
      "a second cap in front": url.replace("?", "?si=1000&"),
      "another path": Object.assign(new URL(other), { pathname: new URL(url).pathname }).href,
      "a path below": url.replace("?", "/below?"),
      "a path around": url.replace("/media/", "/media/x/../"),
      "another container": url.replace("/media/", "/secret/"),
      "a doubled slash": url.replace("/media/", "/media//"),
    };
    for (const [what, address] of Object.entries(altered)) {
      const reply = await send(address, { body: "x" });

      assert.deepEqual([reply.status, reply.code], [403, "AuthenticationFailed"], what);
      assert.equal(reply.headers["content-type"], "application/xml");
      assert.match(
        reply.text,
        /^<\?xml version="1.0" encoding="utf-8"\?><Error><Code>AuthenticationFailed<\/Code><Message>.+<\/Message><\/Error>$/,
      );
    }
    assert.equal((await send(url.replace(/greenlit/, "green%lit"), { body: "x" })).status, 400);
    assert.equal(await gateway.store.head(key), null);
    assert.equal((await send(url, { body: "x" })).status, 201);
  });

  test("the same signature fits whatever way the path is escaped", async () => {
    const key = `${newKey()}/(1) ~it's+100%!*.mp4`;
    const url = await gateway.signPut(key);
    const [path = "", query] = url.slice(gateway.gateway.url.length).split("?");
    const everything = Buffer.from(decodeURIComponent(path))
      .toString("hex")
      .replaceAll(/../g, "%$&")
      .replaceAll("%2f", "/");

    assert.equal((await send(url, { path: `${everything}?${query}`, body: "x" })).status, 201);
    assert.ok(await gateway.store.head(key));
  });

  test("403 for what the address was not signed for", async () => {
    const url = await gateway.signPut(newKey());

    for (const method of ["GET", "HEAD", "DELETE", "POST", "PATCH"])
      assert.equal((await send(url, { method })).code, "AuthorizationPermissionMismatch", method);
  });

  test("400 and 411 for a PUT that is not one of those supported", async () => {
    const url = await gateway.signPut(newKey());
    const codes: [string, Parameters<typeof send>[1], number, string][] = [
      ["", { headers: { "x-ms-blob-type": "PageBlob" }, body: "x" }, 400, "MissingRequiredHeader"],
      ["", { headers: { "x-ms-blob-type": "" }, body: "x" }, 400, "MissingRequiredHeader"],
      ["", { headers: { "x-ms-copy-source": "http://x/", "content-length": 0 } }, 400, "UnsupportedHeader"],
      ["", { headers: { "x-ms-structured-body": "XSM/1.0; properties=crc64" }, body: "x" }, 400, "UnsupportedHeader"],
      ["", { headers: { "content-range": "bytes 0-0/2" }, body: "x" }, 400, "UnsupportedHeader"],
      ["", { headers: { "if-none-match": '"0x1"' }, body: "x" }, 400, "InvalidHeaderValue"],
      ["", { headers: { "content-md5": "nonsense" }, body: "x" }, 400, "InvalidMd5"],
      ["&comp=metadata", { body: "x" }, 400, "InvalidQueryParameterValue"],
      ["&comp=block", { body: "x" }, 400, "InvalidQueryParameterValue"],
      ["&comp=block&blockid=AA==", { headers: { "content-length": 0 } }, 400, "InvalidHeaderValue"],
      [`&comp=block&blockid=${"A".repeat(88)}`, { body: "x" }, 400, "InvalidQueryParameterValue"],
    ];
    for (const [query, options, status, code] of codes) {
      const reply = await send(url + query, options);

      assert.deepEqual([reply.status, reply.code], [status, code], query + JSON.stringify(options));
    }
    await using bare = await beginPut(url, {});
    assert.match(await bare.reply(), /^HTTP\/1.1 411 /);
    assert.equal((await send(`${url}&comp=blocklist`, { method: "GET" })).code, "BlobNotFound");
  });

  test("413 before the first byte when the length is announced, with or without Expect", async () => {
    const key = newKey();
    const url = await gateway.signPut(key, { maxBytes: 10 });
    for (const expect of [{}, { expect: "100-continue" }]) {
      await using put = await beginPut(url, { "content-length": 11, ...expect });

      assert.match(await put.reply(), /^HTTP\/1.1 413 [^]*RequestBodyTooLarge/);
    }
    await using put = await beginPut(url, { "content-length": 10, expect: "100-continue" });
    assert.match(await put.reply(), /^HTTP\/1.1 100 Continue/);
    assert.equal(await gateway.store.head(key), null);
  });

  test("413 while it streams when the length is not announced, and nothing is left", async () => {
    const key = newKey();
    const url = await gateway.signPut(key, { maxBytes: 1000 * KiB });

    const reply = await send(url, { body: endless() });

    assert.deepEqual([reply.status, reply.code], [413, "RequestBodyTooLarge"]);
    await nothingIsLeftOf(key);
  });

  test("413 for the sum of blocks, those arriving included, and for a list that repeats one", async () => {
    const url = await gateway.signPut(newKey(), { maxBytes: 10 });
    const putBlock = (id: string, body: string | Readable) =>
      send(`${url}&comp=block&blockid=${encodeURIComponent(btoa(id))}`, { body });
    const commit = (ids: string[]) =>
      send(`${url}&comp=blocklist`, {
        body: `<BlockList>${ids.map((id) => `<Latest>${btoa(id)}</Latest>`).join("")}</BlockList>`,
      });

    assert.equal((await putBlock("a", "123456")).status, 201);
    assert.equal((await putBlock("b", "12345")).status, 413);
    assert.equal((await putBlock("b", Readable.from(["123", "45"]))).status, 413);
    assert.equal((await putBlock("a", "1234567")).status, 201);
    assert.equal((await putBlock("b", "123")).status, 201);
    assert.equal((await commit(["a", "b", "a"])).status, 413);
    assert.equal((await commit(["a", "b"])).status, 201);

    const racing = await gateway.signPut(newKey(), { maxBytes: 10 });
    await using first = await beginPut(`${racing}&comp=block&blockid=AA==`, {
      "content-length": 8,
      expect: "100-continue",
    });
    assert.match(await first.reply(), /100 Continue/);
    assert.equal((await send(`${racing}&comp=block&blockid=BB==`, { body: "123" })).code, "InvalidQueryParameterValue");
    assert.equal((await send(`${racing}&comp=block&blockid=AQ==`, { body: "123" })).status, 413);
  });

  test("a body shorter than announced leaves nothing", async () => {
    const key = newKey();
    const url = await gateway.signPut(key);
    for (const query of ["", "&comp=block&blockid=AA=="]) {
      await using put = await beginPut(url + query, { "content-length": 1000 });
      put.socket.end(Buffer.alloc(999));

      await put.reply();

      await nothingIsLeftOf(key);
    }
  });

  test("a wrong MD5 is 400 and leaves nothing, a right one is echoed", async () => {
    const key = newKey();
    const url = await gateway.signPut(key);
    const [right, wrong] = ["x", "y"].map((content) => createHash("md5").update(content).digest("base64"));
    for (const header of ["content-md5", "x-ms-blob-content-md5"]) {
      const reply = await send(url, { headers: { [header]: wrong ?? "" }, body: "x" });
      assert.deepEqual([reply.status, reply.code], [400, "Md5Mismatch"]);
    }
    const block = `${url}&comp=block&blockid=AA==`;
    assert.equal((await send(block, { headers: { "content-md5": wrong ?? "" }, body: "x" })).code, "Md5Mismatch");
    await nothingIsLeftOf(key);

    assert.equal(
      (await send(block, { headers: { "content-md5": right ?? "" }, body: "x" })).headers["content-md5"],
      right,
    );
    const list = {
      headers: { "x-ms-blob-content-md5": wrong ?? "" },
      body: "<BlockList><Latest>AA==</Latest></BlockList>",
    };
    assert.equal((await send(`${url}&comp=blocklist`, list)).code, "Md5Mismatch");
    assert.equal(
      (await send(url, { headers: { "content-md5": right ?? "" }, body: "x" })).headers["content-md5"],
      right,
    );
  });

  test("conditions on a PUT are kept", async () => {
    const url = await gateway.signPut(newKey());
    const put = (headers: Record<string, string>) => send(url, { headers, body: "x" });

    assert.equal((await put({ "if-match": "*" })).status, 412);
    const replies = await Promise.all(Array.from({ length: 5 }, () => put({ "if-none-match": "*" })));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    assert.equal(replies.find(({ status }) => status === 409)?.code, "BlobAlreadyExists");
    const { etag = "" } = (await put({})).headers;
    assert.equal((await put({ "if-match": '"0x0"' })).status, 412);
    assert.equal((await put({ "if-match": etag })).status, 201);
  });

  test("409 for everything that would write to what a submission took", async () => {
    const key = newKey();
    const url = await gateway.signPut(key);
    const { etag = "" } = (await send(url, { body: "checked" })).headers;
    await using late = await beginPut(url, { "content-length": 7 });
    const frozen = await gateway.store.freeze(key, etag);

    late.socket.write("sneaked");
    assert.match(await late.reply(), /^HTTP\/1.1 409 [^]*BlobImmutableDueToPolicy/);
    for (const query of ["", "&comp=block&blockid=AA==", "&comp=blocklist"])
      assert.equal((await send(url + query, { body: "<BlockList/>" })).code, "BlobImmutableDueToPolicy", query);
    assert.equal(await text(await gateway.store.open(frozen.reference, frozen)), "checked");
    assert.equal(await text(await gateway.store.open(key, { etag })), "checked");
  });

  async function nothingIsLeftOf(key: string): Promise<void> {
    const [workspace = ""] = key.split("/");
    const isLeft = (file: string) => file.startsWith("tmp/") || file.includes(workspace);
    await until(async () => !(await gateway.files()).some(isLeft));
  }
});
