import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import { removeOldMedia } from "../../uploads/remove-old-media.ts";
import { givenPerson } from "../../testing/test-person.ts";
import { startTestService, type TestService, type TestWorkspace } from "../../testing/test-service.ts";

let service: TestService;
before(async () => {
  service = await startTestService({ env: { GREENLIT_RENDITIONS: "true" } });
});
after(() => service[Symbol.asyncDispose]());

type Shown = Record<string, unknown> & {
  status: string;
  media: { source: string; contentType: string; sizeBytes: number; width: number } | null;
  pages: { count: number; ready: { page: number }[] } | null;
};

/** An asset whose analysis is over. */
async function givenAsset(file: string, contentType: string) {
  const workspace = await service.newWorkspace();
  const bytes = Uint8Array.from(await readFile(new URL(`../../../../engine/golden/files/${file}`, import.meta.url)));
  const blobPath = await workspace.upload({ filename: file, contentType, bytes });
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath }] });
  await workspace.finish(submissionId);
  const assetId = assets[0]?.assetId ?? "";
  return { workspace, submissionId, assetId, bytes, path: `/submissions/${submissionId}/assets/${assetId}` };
}

async function ready({ workspace, path }: { workspace: TestWorkspace; path: string }): Promise<Shown> {
  let shown: Shown | undefined;
  await until(async () => {
    shown = (await workspace.call("GET", `${path}/renditions`)).json as Shown;
    return shown.status === "ready" || shown.status === "failed";
  });
  assert.equal(shown?.status, "ready", JSON.stringify(shown));
  return shown;
}

async function bytesOf(workspace: TestWorkspace, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}/api/integrations${path}`, {
    headers: { "x-api-key": workspace.keys.live, ...headers },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

test("a film that browsers cannot play is played as H.264, with poster, filmstrip and waveform", async () => {
  const asset = await givenAsset("languages.mkv", "video/x-matroska");
  const { workspace, path } = asset;

  const shown = await ready(asset);

  assert.deepEqual([shown.media?.source, shown.media?.contentType], ["rendition", "video/mp4"]);
  const { response, bytes } = await bytesOf(workspace, `${path}/media`);
  assert.equal(response.headers.get("content-type"), "video/mp4");
  assert.equal(bytes.toString("latin1", 4, 8), "ftyp");
  // The index comes first, or a player would have to read the whole file before it begins.
  assert.ok(bytes.indexOf("moov") < bytes.indexOf("mdat"));
  for (const part of ["poster", "filmstrip"]) {
    const picture = await bytesOf(workspace, `${path}/${part}`);
    assert.equal(picture.response.headers.get("content-type"), "image/jpeg", part);
    assert.deepEqual([...picture.bytes.subarray(0, 3)], [0xff, 0xd8, 0xff], part);
  }
  const thumbnail = await bytesOf(workspace, `${path}/thumbnail`);
  assert.equal(thumbnail.response.headers.get("content-type"), "image/webp");
  assert.ok(thumbnail.bytes.length < 20_000, `${thumbnail.bytes.length} bytes`);
  assert.equal(shown["framesPerSecond"], 25);
  const { data } = (await workspace.call("GET", "/reviews")).json as { data: { hasThumbnail: boolean }[] };
  assert.deepEqual(
    data.map(({ hasThumbnail }) => hasThumbnail),
    [true],
  );
  const waveform = await workspace.call("GET", `${path}/waveform`);
  const peaks = waveform.json["peaks"] as number[];
  assert.ok(peaks.length > 0 && peaks.length <= 2000 && peaks.every((peak) => peak >= 0 && peak <= 1));
});

test("a web-safe file is served as it is, whole or in the part that Range asks for", async () => {
  const asset = await givenAsset("chord.mp3", "audio/mpeg");
  const { workspace, path, bytes } = asset;
  const size = bytes.length;

  const shown = await ready(asset);
  const whole = await bytesOf(workspace, `${path}/media`);
  const etag = whole.response.headers.get("etag") ?? "";
  const part = await bytesOf(workspace, `${path}/media`, { range: "bytes=10-19" });
  const last = await bytesOf(workspace, `${path}/media`, { range: "bytes=-5" });
  const open = await bytesOf(workspace, `${path}/media`, { range: `bytes=${size - 3}-`, "if-range": etag });
  const changed = await bytesOf(workspace, `${path}/media`, { range: "bytes=0-1", "if-range": '"other"' });
  const beyond = await bytesOf(workspace, `${path}/media`, { range: `bytes=${size}-` });
  const known = await bytesOf(workspace, `${path}/media`, { "if-none-match": etag });

  assert.equal(shown.media?.source, "original");
  assert.ok(whole.bytes.equals(bytes));
  assert.deepEqual([part.response.status, part.response.headers.get("content-range")], [206, `bytes 10-19/${size}`]);
  assert.ok(part.bytes.equals(bytes.subarray(10, 20)));
  assert.ok(last.bytes.equals(bytes.subarray(-5)));
  assert.ok(open.bytes.equals(bytes.subarray(-3)));
  assert.deepEqual([changed.response.status, changed.bytes.length], [200, size]);
  assert.deepEqual([beyond.response.status, beyond.response.headers.get("content-range")], [416, `bytes */${size}`]);
  assert.deepEqual([known.response.status, known.bytes.length], [304, 0]);
});

test("a browser is told to run nothing of it, and keeps nothing when the session is over", async () => {
  const asset = await givenAsset("gps.heic", "image/heic");
  const { workspace, path } = asset;
  const { media } = await ready(asset);
  const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "viewer" }] });

  const { status, headers } = await person.call("GET", `${path}/media`);
  await service.app.db.deleteFrom("sessions").where("personId", "=", person.personId).execute();
  service.app.sessions.forget();
  const after = await person.call("GET", `${path}/media`);

  assert.equal(media?.contentType, "image/webp");
  assert.deepEqual([status, after.status], [200, 401]);
  assert.equal(headers.get("content-type"), "image/webp");
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("content-disposition"), "inline");
  assert.equal(headers.get("cache-control"), "private, no-cache");
  assert.match(headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none'/);
});

test("a document is read page by page, and has nothing to play", async () => {
  const asset = await givenAsset("claims.pdf", "application/pdf");
  const { workspace, path } = asset;

  const { pages, media } = await ready(asset);
  const second = await bytesOf(workspace, `${path}/pages/2`);
  const third = await workspace.call("GET", `${path}/pages/3`);
  const played = await workspace.call("GET", `${path}/media`);

  assert.equal(media, null);
  assert.deepEqual([pages?.count, pages?.ready.map(({ page }) => page)], [2, [1, 2]]);
  assert.deepEqual([...second.bytes.subarray(0, 3)], [0xff, 0xd8, 0xff]);
  assert.deepEqual([third.status, third.json["error_code"]], [404, "no_rendition"]);
  assert.deepEqual([played.status, played.json["error_code"]], [404, "no_rendition"]);
});

test("a Word document is read as pages of its text, and a file that was asked for too early is not ready yet", async () => {
  const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  const asset = await givenAsset("brief.docx", word);
  const { workspace, path } = asset;

  const early = await workspace.call("GET", `${path}/pages/1`);
  const { pages } = await ready(asset);
  const page = await bytesOf(workspace, `${path}/pages/1`);

  if (early.status !== 200) assert.equal(early.json["error_code"], "rendition_not_ready");
  assert.equal(pages?.count, 2);
  assert.deepEqual([...page.bytes.subarray(0, 3)], [0xff, 0xd8, 0xff]);
});

test("what a worker that died had begun is taken over and finished by another", async () => {
  const asset = await givenAsset("gps.heic", "image/heic");
  await ready(asset);
  const { assetId } = asset;
  await service.app.db.deleteFrom("renditions").where("assetId", "=", assetId).execute();
  // As it leaves it behind: at work, and silent for longer than its lease.
  await service.app.db
    .updateTable("rendering")
    .set({ state: "working", progressPercent: 40, dueAt: new Date(Date.now() - 60_000) })
    .where("assetId", "=", assetId)
    .execute();

  const { media } = await ready(asset);

  assert.equal(media?.contentType, "image/webp");
});

test("renditions go with their submission, and with their file when retention removes it", async () => {
  const [deleted, old] = [await givenAsset("gps.heic", "image/heic"), await givenAsset("gps.heic", "image/heic")];
  for (const asset of [deleted, old]) await ready(asset);
  const stored = async ({ workspace }: { workspace: TestWorkspace }) =>
    (await Array.fromAsync(service.app.store.list(`renditions/${workspace.workspaceId}/`))).length;
  assert.deepEqual([await stored(deleted), await stored(old)], [3, 3]);

  await deleted.workspace.call("DELETE", `/submissions/${deleted.submissionId}`);
  await removeOldMedia(service.app, { endedBefore: new Date(Date.now() + 60_000) });

  assert.deepEqual([await stored(deleted), await stored(old)], [0, 0]);
  assert.equal((await old.workspace.call("GET", `${old.path}/media`)).status, 404);
  assert.equal((await old.workspace.call("GET", old.path)).status, 200);
  assert.deepEqual(await service.app.db.selectFrom("removals").selectAll().execute(), []);
});
