import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { BlockBlobClient } from "@azure/storage-blob";
import { until } from "@greenlit/engine/testing/until.ts";
import { removeUnclaimed } from "../../uploads/remove-unclaimed.ts";
import { startTestService, type TestService, type TestWorkspace } from "../../testing/test-service.ts";

let service: TestService;
let workspace: TestWorkspace;
let offsetMs = 0;
before(async () => {
  service = await startTestService({ now: () => new Date(Date.now() + offsetMs) });
  workspace = await service.newWorkspace();
});
after(() => service[Symbol.asyncDispose]());

const askUrl = (filename: unknown, contentType: unknown = "video/mp4") =>
  workspace.call("POST", "/uploads/url", { body: { filename, contentType } });

async function put(url: string, body: string): Promise<number> {
  return (await fetch(url, { method: "PUT", headers: { "x-ms-blob-type": "BlockBlob" }, body })).status;
}

test("an upload URL answers exactly the contract's fields and expires in one hour", async () => {
  const answer = await askUrl("Spring ad (1) ~it's+100%!*.mp4");

  assert.equal(answer.status, 200);
  assert.deepEqual(Object.keys(answer.json), ["uploadUrl", "blobPath", "expiresAt"]);
  assert.equal(answer.json["blobPath"], `${workspace.workspaceId}/Spring ad (1) ~it's+100%!*.mp4`);
  const lifetimeMs = Date.parse(String(answer.json["expiresAt"])) - Date.now();
  assert.ok(Math.abs(lifetimeMs - 3_600_000) < 120_000, `${lifetimeMs}`);
  assert.equal(new URL(String(answer.json["uploadUrl"])).host, new URL(service.storeUrl ?? "").host);
});

for (const [name, filename, contentType, status] of [
  ["an empty filename", "", "video/mp4", 422],
  ["no filename", undefined, "video/mp4", 422],
  ["no content type", "a.mp4", undefined, 422],
  ["an unknown type with a hostile name", "../a", "application/x-evil", 403],
  ["a hostile name", "../a.mp4", "video/mp4", 403],
  ["a name with a NUL", "a\0.mp4", "video/mp4", 403],
  ["a type with a NUL", "a.mp4", "video/mp4\0", 422],
  ["an unknown type", "a.exe", "application/x-msdownload", 415],
  ["SVG", "a.svg", "image/svg+xml", 415],
  ["HTML", "a.html", "text/html", 415],
  ["an extension of another type", "a.mp4", "image/png", 403],
  ["an unknown type before an extension that does not fit", "a.mp4", "image/x-unknown", 415],
] as [string, unknown, unknown, number][])
  test(`${status} for ${name}`, async () => {
    const answer = await askUrl(filename, contentType ?? null);

    assert.equal(answer.status, status, answer.text);
  });

test("types are lower-cased and their parameters dropped; names are kept in NFC", async () => {
  const answer = await askUrl("Cafe\u0301.MP4", "Video/MP4; codecs=avc1");

  assert.equal(answer.json["blobPath"], `${workspace.workspaceId}/Caf\u00e9.MP4`);
});

test("the SDK of Azure uploads to the URL, and the submission takes what it uploaded", async () => {
  const { json } = await askUrl("long.txt", "text/plain");
  const bytes = Buffer.from("All work and no play.\n".repeat(20_000));

  await new BlockBlobClient(String(json["uploadUrl"])).uploadData(bytes, {
    blockSize: 64 * 1024,
    maxSingleShotSize: 64 * 1024,
  });
  const { submissionId } = await workspace.submit({ assets: [{ blobPath: json["blobPath"] }] });

  assert.equal((await workspace.finish(submissionId)).assets[0]?.["sizeBytes"], bytes.length);
});

async function direct(
  filename: string,
  options: { type?: string; bytes?: Uint8Array<ArrayBuffer> | string; part?: string; more?: boolean } = {},
) {
  const { type = "text/plain", bytes = "hello\n", part = "file", more = false } = options;
  const form = new FormData();
  form.set(part, new File([bytes], filename, { type }));
  if (more) form.set("note", "x");
  return service.fetch("/api/integrations/uploads/direct", {
    method: "POST",
    headers: { "x-api-key": workspace.keys.live },
    body: form,
  });
}

test("a direct upload answers the contract's fields", async () => {
  const answer = await direct("direct.txt");

  assert.deepEqual(
    [answer.status, answer.json],
    [201, { blobPath: `${workspace.workspaceId}/direct.txt`, sizeBytes: 6, contentType: "text/plain" }],
  );
});

test("bytes of a direct upload are to be removed until their row is there: a process that dies in between leaves nothing", async () => {
  const other = await service.newWorkspace();
  const stored = () => Array.fromAsync(service.app.store.list(`${other.workspaceId}/`));
  const plannedFor = (objectKey: string) =>
    service.app.db.selectFrom("removals").select("createdAt").where("objectKey", "=", objectKey).execute();
  const client = await service.app.pool.connect();
  await client.query("begin; lock table uploads in share row exclusive mode");

  const uploading = other.upload({ filename: "between.txt" });
  await until(async () => (await stored()).length === 1);
  const [object] = await stored();
  const [planned] = await plannedFor(object?.key ?? "");
  await client.query("rollback");
  client.release();
  await uploading;

  assert.ok(planned && planned.createdAt > new Date());
  assert.deepEqual(await plannedFor(object?.key ?? ""), []);
});

test("10 MB exactly are taken directly; one byte more is 413 and names the other way", async () => {
  const most = 10 * 1024 * 1024;

  const [fits, over] = [
    await direct("fits.txt", { bytes: "a".repeat(most) }),
    await direct("over.txt", { bytes: "a".repeat(most + 1) }),
  ];

  assert.deepEqual([fits.status, fits.json["sizeBytes"]], [201, most]);
  assert.deepEqual([over.status, over.json["error_code"]], [413, "file_too_large"]);
  assert.match(String(over.json["message"]), /10,485,760 bytes \(10 MB\).+\/api\/integrations\/uploads\/url/);
  const submit = await workspace.call("POST", "/submissions", {
    body: { assets: [{ blobPath: `${workspace.workspaceId}/over.txt` }] },
  });
  assert.equal(submit.status, 403);
});

/** A form with one part of these headers, as other clients than fetch send it. */
async function sendPart(headers: string, bytes: Uint8Array | string) {
  const body = Buffer.concat([
    Buffer.from(`--b\r\n${headers}\r\n\r\n`),
    Buffer.from(bytes),
    Buffer.from("\r\n--b--\r\n"),
  ]);
  return service.fetch("/api/integrations/uploads/direct", {
    method: "POST",
    headers: { "x-api-key": workspace.keys.live, "content-type": "multipart/form-data; boundary=b" },
    body,
  });
}

const clip = readFileSync(new URL("../../../../engine/src/media-types/samples/video.mp4", import.meta.url));

for (const [name, type] of [
  ["without a Content-Type, as Python sends it", ""],
  ["of application/octet-stream, as curl sends it", "\r\nContent-Type: application/octet-stream"],
  ["of binary/octet-stream", "\r\ncontent-type:binary/octet-stream"],
] as const) {
  const disposition = (filename: string) =>
    `Content-Disposition: form-data; name="file"; filename="${filename}"${type}`;

  test(`a part ${name} has the type of its extension`, async () => {
    const answer = await sendPart(disposition("AD.MP4"), clip);

    assert.deepEqual([answer.status, answer.json["contentType"]], [201, "video/mp4"], answer.text);
  });

  test(`a part ${name} is checked all the same`, async () => {
    const answers = [
      await sendPart(disposition("ad.png"), clip),
      await sendPart(disposition("ad.exe"), clip),
      await sendPart(disposition("ad"), clip),
      await sendPart(disposition("a/b.mp4"), clip),
    ];

    assert.deepEqual(
      answers.map(({ status, json }) => [status, json["error_code"]]),
      [
        [415, "content_does_not_match_type"],
        [415, "content_type_not_allowed"],
        [415, "content_type_not_allowed"],
        [403, "invalid_filename"],
      ],
    );
  });
}

test("a type that was declared counts, whatever the extension", async () => {
  const answer = await sendPart(
    'Content-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: text/plain',
    clip,
  );

  assert.deepEqual([answer.status, answer.json["error_code"]], [403, "invalid_filename"]);
});

test("415 for a video that is declared as audio, directly and in a submission", async () => {
  const headers = 'Content-Disposition: form-data; name="file"; filename="a.mp4"\r\nContent-Type: audio/mp4';
  const { json } = await workspace.call("POST", "/uploads/url", {
    body: { filename: "b.mp4", contentType: "audio/mp4" },
  });
  await fetch(String(json["uploadUrl"]), { method: "PUT", headers: { "x-ms-blob-type": "BlockBlob" }, body: clip });

  const direct = await sendPart(headers, clip);
  const submitted = await workspace.call("POST", "/submissions", {
    body: { assets: [{ blobPath: json["blobPath"] }] },
  });

  for (const answer of [direct, submitted]) {
    assert.deepEqual([answer.status, answer.json["error_code"]], [415, "content_does_not_match_type"]);
    assert.match(String(answer.json["message"]), /audio\/mp4.+video track/);
  }
});

test("bytes that are not of their type are 415, which names both, and nothing is kept", async () => {
  const answer = await direct("fake.png", { type: "image/png", bytes: "%PDF-1.7\n%âãÏÓ\n" });

  assert.deepEqual([answer.status, answer.json["error_code"]], [415, "content_does_not_match_type"]);
  assert.match(String(answer.json["message"]), /image\/png.*PDF/);
  const objects = await Array.fromAsync(service.app.store.list(`${workspace.workspaceId}/`));
  const rows = await service.app.db
    .selectFrom("uploads")
    .select("objectKey")
    .where("workspaceId", "=", workspace.workspaceId)
    .execute();
  assert.deepEqual(
    new Set(objects.map(({ key }) => key)).difference(new Set(rows.map(({ objectKey }) => objectKey))),
    new Set(),
  );
});

for (const [name, send, status] of [
  ["another part name", () => direct("a.txt", { part: "upload" }), 422],
  ["a second part", () => direct("a.txt", { more: true }), 422],
  ["an empty file", () => direct("a.txt", { bytes: "" }), 415],
  ["a hostile name", () => direct("..", {}), 403],
  ["a type that is not allowed", () => direct("a.svg", { type: "image/svg+xml" }), 415],
  ["JSON", () => workspace.call("POST", "/uploads/direct", { body: { file: "x" } }), 422],
  ["no body", () => workspace.call("POST", "/uploads/direct"), 422],
] as [string, () => Promise<{ status: number; text: string }>, number][])
  test(`a direct upload of ${name} is ${status}`, async () => {
    const answer = await send();

    assert.equal(answer.status, status, answer.text);
  });

test("a multipart body that is cut off does not hang the server, and nothing is kept", async () => {
  // A plan with limits: only then a request is counted, which shows that it has arrived.
  const cutOff = await service.newWorkspace({ plan: "growth" });
  const { port, hostname } = new URL(service.url);
  const head = `POST /api/integrations/uploads/direct HTTP/1.1\r\nHost: x\r\nX-API-Key: ${cutOff.keys.live}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  socket.write(
    `${head}--b\r\nContent-Disposition: form-data; name="file"; filename="cut.txt"\r\nContent-Type: text/plain\r\n\r\nhalf`,
  );
  await until(async () => (await countedRequests(cutOff)) > 0);
  socket.destroy();
  await until(() => logLines(cutOff).some((line) => line.includes('"isAborted":true')));

  const submit = await cutOff.call("POST", "/submissions", {
    body: { assets: [{ blobPath: `${cutOff.workspaceId}/cut.txt` }] },
  });

  assert.equal(submit.status, 403);
});

/** Requests that have passed the gates. */
async function countedRequests({ workspaceId }: TestWorkspace): Promise<number> {
  const rows = await service.app.db
    .selectFrom("rateSlots")
    .innerJoin("apiKeys", "apiKeys.keyId", "rateSlots.keyId")
    .select("hits")
    .where("workspaceId", "=", workspaceId)
    .execute();
  return rows.length;
}

function logLines({ workspaceId }: TestWorkspace): string[] {
  const lines = readFileSync(service.logTarget, "utf8").split("\n");
  return lines.filter((line) => line.includes(workspaceId));
}

test("uploads that no submission took go 24 hours after their bytes came, unused URLs when they expire, taken ones never", async () => {
  const taken = await workspace.upload({ filename: "taken.txt" });
  await workspace.finish((await workspace.submit({ assets: [{ blobPath: taken }] })).submissionId);
  const left = await workspace.upload({ filename: "left.txt" });
  const { json: used } = await askUrl("used.txt", "text/plain");
  await put(String(used["uploadUrl"]), "bytes");
  await askUrl("unused.txt", "text/plain");
  const known = async () => {
    const rows = await service.app.db
      .selectFrom("uploads")
      .select("filename")
      .where("workspaceId", "=", workspace.workspaceId)
      .execute();
    return ["taken.txt", "left.txt", "used.txt", "unused.txt"].filter((filename) =>
      rows.some((row) => row.filename === filename),
    );
  };
  try {
    offsetMs = 61 * 60_000;
    await removeUnclaimed(service.app);
    assert.deepEqual(await known(), ["taken.txt", "left.txt", "used.txt"]);

    offsetMs = 25 * 3_600_000;
    await removeUnclaimed(service.app);
    assert.deepEqual(await known(), ["taken.txt"]);
    const submit = (blobPath: unknown) => workspace.call("POST", "/submissions", { body: { assets: [{ blobPath }] } });
    assert.deepEqual(
      [(await submit(taken)).status, (await submit(left)).status, (await submit(used["blobPath"])).status],
      [201, 403, 403],
    );
  } finally {
    offsetMs = 0;
  }
});

test("housekeeping and a submission that race for an upload leave either both or neither", async () => {
  for (let round = 0; round < 10; round++) {
    const blobPath = await workspace.upload({ filename: `race-${round}.txt` });
    offsetMs = 25 * 3_600_000;

    const [answer] = await Promise.all([
      workspace.call("POST", "/submissions", { body: { assets: [{ blobPath }] } }),
      removeUnclaimed(service.app),
    ]);

    offsetMs = 0;
    assert.ok(answer.status === 201 || answer.status === 403, answer.text);
    if (answer.status === 201)
      assert.equal((await workspace.finish(String(answer.json["submissionId"])))["status"], "complete");
  }
});
