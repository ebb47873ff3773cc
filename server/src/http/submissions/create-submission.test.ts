import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { startTestService, type TestService, type TestWorkspace } from "../../testing/test-service.ts";

let service: TestService;
let workspace: TestWorkspace;
before(async () => {
  service = await startTestService();
  workspace = await service.newWorkspace();
});
after(() => service[Symbol.asyncDispose]());

async function blob(filename = `${randomUUID()}.txt`): Promise<{ blobPath: string }> {
  return { blobPath: await workspace.upload({ filename }) };
}

const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

for (const [name, body, path] of [
  ["no body", undefined, ""],
  ["an array", [], ""],
  ["no assets", {}, "assets"],
  ["an empty list of assets", { assets: [] }, "assets"],
  ["51 assets", { assets: Array.from({ length: 51 }, (_, i) => ({ blobPath: `ws_a/${i}` })) }, "assets"],
  ["an asset without blobPath", { assets: [{}] }, "assets.0.blobPath"],
  ["a number as blobPath", { assets: [{ blobPath: 1 }] }, "assets.0.blobPath"],
  ["a filename beside blobPath", { assets: [{ blobPath: "a/b", filename: "b" }] }, "assets.0.filename"],
  [
    "a malformed previousSubmissionId",
    { assets: [{ blobPath: "a/b", previousSubmissionId: "x" }] },
    "assets.0.previousSubmissionId",
  ],
  ["a malformed sidekick id", { assets: [{ blobPath: "a/b" }], sidekickIds: ["x"] }, "sidekickIds.0"],
  ["an unknown sidekick", { assets: [{ blobPath: "a/b" }], sidekickIds: [randomUUID()] }, "sidekickIds.0"],
  ["metadata that is no object", { assets: [{ blobPath: "a/b" }], metadata: "x" }, "metadata"],
  ["metadata over 16 KiB", { assets: [{ blobPath: "a/b" }], metadata: { a: "x".repeat(17_000) } }, "metadata"],
  ["metadata 21 deep", { assets: [{ blobPath: "a/b" }], metadata: deep(21) }, "metadata"],
  ["an unknown property", { assets: [{ blobPath: "a/b" }], priority: 1 }, "priority"],
] as [string, unknown, string][])
  test(`422 for ${name}, and details say where`, async () => {
    const answer = await workspace.call("POST", "/submissions", { body });

    assert.equal(answer.status, 422, answer.text);
    assert.equal(answer.json["error_code"], "invalid_request");
    assert.ok(
      (answer.json["details"] as { path: string }[]).some((detail) => detail.path === path),
      answer.text,
    );
  });

for (const [name, body, headers] of [
  ["malformed JSON", "{", {}],
  ["a NUL in a string", '{"assets":[{"blobPath":"a/b"}],"metadata":{"assets":[{"blobPath":"a\\u0000b"}]}}', {}],
  ["a NUL under a name that looks like a path", '{"assets":[{"blobPath":"a/b"}],"assets/*/blobPath":"a\\u0000b"}', {}],
  ["a NUL in a name", '{"assets":[{"blobPath":"a/b"}],"metadata":{"a\\u0000b":1}}', {}],
  ["half a surrogate pair", '{"assets":[{"blobPath":"a\\ud800"}]}', {}],
  [
    "JSON nested 100,000 deep",
    `{"assets":[{"blobPath":"a/b"}],"metadata":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
    {},
  ],
  ["__proto__", '{"assets":[{"blobPath":"a/b"}],"metadata":{"__proto__":{"a":1}}}', {}],
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]).toString("latin1"), {}],
  ["another content type", '{"assets":[{"blobPath":"a/b"}]}', { "content-type": "text/plain" }],
  ["a form", "a=1", { "content-type": "application/x-www-form-urlencoded" }],
] as [string, string, Record<string, string>][])
  test(`422 for a body of ${name}`, async () => {
    const answer = await workspace.call("POST", "/submissions", { body, headers });

    assert.equal(answer.status, 422, answer.text);
    assert.ok(Array.isArray(answer.json["details"]));
  });

test("null for an optional property is the same as leaving it out", async () => {
  const asset = { ...(await blob()), previousSubmissionId: null };

  const created = await workspace.submit({ assets: [asset], sidekickIds: null, metadata: null });

  assert.equal(created.assets[0]?.versionNumber, 1);
});

for (const [name, path] of [
  ["of another workspace", (ws: string) => `ws_aaaaaaaaaaaaaaaa/${ws}.txt`],
  ["without a slash", () => "note.txt"],
  ["with a folder", (ws: string) => `${ws}/a/b.txt`],
  ["with a traversal", (ws: string) => `${ws}/../secret`],
  ["with a NUL", (ws: string) => `${ws}/note\0.txt`],
  ["of over 1,000 characters", (ws: string) => `${ws}/${"a".repeat(1100)}.txt`],
  ["of a million characters", () => "a".repeat(1_000_000)],
  ["of nothing that was uploaded", (ws: string) => `${ws}/never.txt`],
] as [string, (workspaceId: string) => string][])
  test(`403 for a blob path ${name}`, async () => {
    const answer = await workspace.call("POST", "/submissions", {
      body: { assets: [{ blobPath: path(workspace.workspaceId) }] },
    });

    assert.equal(answer.status, 403, answer.text);
    assert.equal(answer.json["error_code"], "invalid_blob_path");
  });

test("403 for a blob path whose URL was issued but never used", async () => {
  const { json } = await workspace.call("POST", "/uploads/url", {
    body: { filename: "unused.mp4", contentType: "video/mp4" },
  });

  const answer = await workspace.call("POST", "/submissions", { body: { assets: [{ blobPath: json["blobPath"] }] } });

  assert.equal(answer.status, 403);
});

test("422 for the same blob path twice, also when it is written in another Unicode form", async () => {
  const { blobPath } = await blob("né.txt");

  const answer = await workspace.call("POST", "/submissions", {
    body: { assets: [{ blobPath }, { blobPath: blobPath.normalize("NFD") }] },
  });

  assert.equal(answer.status, 422);
});

test("a refusal says which asset it is about", async () => {
  const good = await blob();
  const { json } = await workspace.call("POST", "/uploads/url", {
    body: { filename: `${randomUUID()}.png`, contentType: "image/png" },
  });
  const body = "no picture";
  await fetch(String(json["uploadUrl"]), { method: "PUT", headers: { "x-ms-blob-type": "BlockBlob" }, body });

  const refusals = await Promise.all(
    [
      { blobPath: `${workspace.workspaceId}/never.txt` },
      { ...(await blob()), previousSubmissionId: randomUUID() },
      { blobPath: json["blobPath"] },
    ].map((bad) => workspace.call("POST", "/submissions", { body: { assets: [good, bad] } })),
  );

  assert.deepEqual(
    refusals.map(({ status, json: answer }) => [status, String(answer["message"]).slice(0, 10)]),
    [
      [403, "assets.1: "],
      [404, "assets.1: "],
      [415, "assets.1: "],
    ],
  );
});

test("404 for a previous submission that is not in the workspace, whoever's it is", async () => {
  const stranger = await service.newWorkspace();
  const theirs = await stranger.submit({ assets: [{ blobPath: await stranger.upload() }] });
  const asset = await blob();

  const [unknown, foreign] = await Promise.all(
    [randomUUID(), theirs.submissionId].map((previousSubmissionId) =>
      workspace.call("POST", "/submissions", { body: { assets: [{ ...asset, previousSubmissionId }] } }),
    ),
  );

  assert.equal(unknown?.status, 404);
  assert.equal(foreign?.text, unknown?.text);
});

test("415 when the bytes are not of the declared type, and nothing is created", async () => {
  const { json } = await workspace.call("POST", "/uploads/url", {
    body: { filename: "fake.png", contentType: "image/png" },
  });
  await fetch(json["uploadUrl"] as string, {
    method: "PUT",
    headers: { "x-ms-blob-type": "BlockBlob" },
    body: "%PDF-1.7 not a picture",
  });
  const good = await blob();

  const answer = await workspace.call("POST", "/submissions", {
    body: { assets: [good, { blobPath: json["blobPath"] }] },
  });

  assert.equal(answer.status, 415, answer.text);
  assert.match(String(answer.json["message"]), /image\/png.*PDF/);
  const list = await workspace.call("GET", "/submissions?limit=100");
  assert.ok(!list.text.includes("fake.png"));
});

test("what was submitted is what is analysed, although the URL still lives: a later PUT is refused", async () => {
  const { json } = await workspace.call("POST", "/uploads/url", {
    body: { filename: "frozen.txt", contentType: "text/plain" },
  });
  const put = (body: string) =>
    fetch(json["uploadUrl"] as string, { method: "PUT", headers: { "x-ms-blob-type": "BlockBlob" }, body });
  assert.equal((await put("first")).status, 201);
  assert.equal((await put("second")).status, 201);

  const created = await workspace.submit({ assets: [{ blobPath: json["blobPath"] as string }] });
  const late = await put("third");
  const done = await workspace.finish(created.submissionId);

  assert.equal(late.status, 409);
  assert.equal(done.assets[0]?.["sizeBytes"], "second".length);
});

test("a filename uploaded again is another file: the newest counts for new submissions, the old ones keep theirs", async () => {
  const first = await workspace.submit({
    assets: [{ blobPath: await workspace.upload({ filename: "same.txt", bytes: "one" }) }],
  });
  const second = await workspace.submit({
    assets: [{ blobPath: await workspace.upload({ filename: "same.txt", bytes: "three" }) }],
  });

  const [before, after] = [await workspace.finish(first.submissionId), await workspace.finish(second.submissionId)];

  assert.deepEqual([before.assets[0]?.["sizeBytes"], after.assets[0]?.["sizeBytes"]], [3, 5]);
});

test("an issued URL without bytes does not hide an earlier upload of that name", async () => {
  const blobPath = await workspace.upload({ filename: "keep.txt" });
  await workspace.call("POST", "/uploads/url", { body: { filename: "keep.txt", contentType: "text/plain" } });

  const answer = await workspace.call("POST", "/submissions", { body: { assets: [{ blobPath }] } });

  assert.equal(answer.status, 201);
});

for (const value of ["0", "5", "31", "-1", "x", "", "1.5"])
  test(`400 for simulationDelaySeconds=${value} with a live key, before anything else is looked at`, async () => {
    const answer = await workspace.call("POST", `/submissions?simulationDelaySeconds=${value}`, {
      body: { nonsense: true },
    });

    assert.equal(answer.status, 400);
    assert.equal(answer.json["error_code"], "simulation_delay_needs_sandbox_key");
  });

for (const value of ["31", "-1", "x", "1.5", "1e1", "%205"])
  test(`422 for simulationDelaySeconds=${value} with a sandbox key`, async () => {
    const answer = await workspace.call("POST", `/submissions?simulationDelaySeconds=${value}`, {
      mode: "sandbox",
      body: { assets: [await blob()] },
    });

    assert.equal(answer.status, 422, answer.text);
  });

test("the first gate that refuses speaks: schema, then sidekick, then path, then previous submission", async () => {
  const asset = await blob();
  const previousSubmissionId = randomUUID();
  const send = async (body: unknown) => (await workspace.call("POST", "/submissions", { body })).status;

  assert.equal(
    await send({ assets: [{ blobPath: "nowhere/x", previousSubmissionId }], sidekickIds: [randomUUID()] }),
    422,
  );
  assert.equal(await send({ assets: [{ blobPath: "nowhere/x", previousSubmissionId }] }), 403);
  assert.equal(await send({ assets: [{ ...asset, previousSubmissionId }, { blobPath: "nowhere/x" }] }), 403);
  assert.equal(await send({ assets: [{ ...asset, previousSubmissionId }] }), 404);
});

test("the same request under one Idempotency-Key is carried out once", async () => {
  const body = { assets: [await blob()] };
  const headers = { "idempotency-key": randomUUID() };

  const first = await workspace.call("POST", "/submissions", { body, headers });
  const again = await workspace.call("POST", "/submissions", { body, headers });
  const other = await workspace.call("POST", "/submissions", { body: { ...body, metadata: { a: 1 } }, headers });
  const otherKey = await workspace.call("POST", "/submissions", { body, headers, mode: "sandbox" });

  assert.equal(first.status, 201);
  assert.equal(first.headers.get("idempotent-replayed"), null);
  assert.deepEqual([again.status, again.text, again.headers.get("idempotent-replayed")], [201, first.text, "true"]);
  assert.deepEqual([other.status, other.json["error_code"]], [422, "idempotency_key_reused"]);
  assert.deepEqual(other.json["details"], [{ path: "Idempotency-Key", message: "was used for another request" }]);
  assert.notEqual(otherKey.json["submissionId"], first.json["submissionId"]);
});

test("of twenty at once under one Idempotency-Key one is carried out, the others replay it or are told to wait", async () => {
  const body = { assets: [await blob()] };
  const headers = { "idempotency-key": randomUUID() };

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => workspace.call("POST", "/submissions", { body, headers })),
  );

  const ids = new Set(answers.filter(({ status }) => status === 201).map(({ json }) => json["submissionId"]));
  assert.equal(ids.size, 1);
  const others = answers.filter(({ status }) => status !== 201);
  assert.deepEqual(
    new Set(others.map(({ json }) => json["error_code"])).difference(new Set(["idempotency_in_progress"])),
    new Set(),
  );
});

test("a refused request is not kept: the key may be used again once it is mended", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const refused = await workspace.call("POST", "/submissions", {
    body: { assets: [{ blobPath: "nowhere/x" }] },
    headers,
  });

  const mended = await workspace.call("POST", "/submissions", { body: { assets: [await blob()] }, headers });

  assert.deepEqual([refused.status, mended.status], [403, 201]);
});

for (const key of ["", "x".repeat(256), "tab\tinside"])
  test(`422 for the Idempotency-Key ${JSON.stringify(key).slice(0, 20)}`, async () => {
    const answer = await workspace.call("POST", "/submissions", {
      body: { assets: [await blob()] },
      headers: { "idempotency-key": key },
    });

    assert.equal(answer.status, 422);
  });

test("numbers of the metadata come back as they were sent", async () => {
  const numbers =
    "[9007199254740991,-9007199254740991,1e300,1.5e-300,0.1,0.30000000000000004,0.10000000000000001,1E5,-0.0,1e22,123456789012345680000,2.50]";
  const body = `{"assets":[{"blobPath":${JSON.stringify((await blob()).blobPath)}}],"metadata":{"numbers":${numbers},"text":"12345678901234567890 1e400"}}`;

  const { status, json, text } = await workspace.call("POST", "/submissions", { body });

  assert.equal(status, 201, text);
  const read = await workspace.call("GET", `/submissions/${String(json["submissionId"])}`);
  assert.deepEqual(
    read.json["metadata"],
    JSON.parse(`{"numbers":${numbers.replace("-0.0", "0")},"text":"12345678901234567890 1e400"}`),
  );
});

for (const number of [
  "12345678901234567890",
  "-9007199254740993",
  "1e400",
  "-1e999",
  "1e-400",
  "1.000000000000000000001",
  "9007199254740992.5",
])
  test(`422 for the number ${number}, which would not come back`, async () => {
    const body = `{"assets":[{"blobPath":"a"}],"metadata":{"order":{"ids":[1,${number}]}}}`;

    const { status, json } = await workspace.call("POST", "/submissions", { body });

    assert.equal(status, 422);
    assert.equal((json["details"] as { path: string }[])[0]?.path, "metadata.order.ids.1");
  });

test("413 for a file over the cap of its category names both sizes exactly", async () => {
  const { json } = await workspace.call("POST", "/uploads/url", {
    body: { filename: "big.png", contentType: "image/png" },
  });
  const path = String(json["blobPath"]);
  const { objectKey } = await service.app.db
    .selectFrom("uploads")
    .select("objectKey")
    .where("workspaceId", "=", workspace.workspaceId)
    .where("filename", "=", "big.png")
    .executeTakeFirstOrThrow();
  // Past the store's own check, as a store elsewhere takes it.
  const body = Readable.from([Buffer.alloc(50 * 1024 * 1024 + 1)]);
  await service.app.store.put(objectKey, body, { maxBytes: 100 * 1024 * 1024, contentType: "image/png" });

  const answer = await workspace.call("POST", "/submissions", { body: { assets: [{ blobPath: path }] } });

  assert.equal(answer.status, 413);
  assert.match(String(answer.json["message"]), /big\.png has 52,428,801 bytes; .+ 52,428,800 bytes \(50 MB\)/);
});
