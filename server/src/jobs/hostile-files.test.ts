import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import {
  docxOf,
  docxWith,
  hostileXml,
  hugePng,
  inflatesTo,
  manyFramesGif,
  manyPagesPdf,
  twoPagePdf,
  zlibOf,
} from "@greenlit/engine/testing/hostile-files.ts";
import { stream } from "../../../engine/golden/documents/write-pdf.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service[Symbol.asyncDispose]());

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

async function golden(name: string): Promise<Buffer> {
  return readFile(new URL(`../../../engine/golden/files/${name}`, import.meta.url));
}

type Attack = { filename: string; contentType: string; bytes: Buffer; errorType: string | null };

async function attacks(): Promise<Attack[]> {
  const mebibytes600 = 600 * 2 ** 20;
  const packed = inflatesTo(mebibytes600, " ");
  const part = { name: "word/document.xml", packed, crc: 0 };
  const scenes = await golden("scenes.mp4");
  const playlist = "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\nfile:///etc/passwd\n";
  const behindFtyp = Buffer.concat([scenes.subarray(0, 32), Buffer.from(playlist.repeat(50))]);
  const film = { contentType: "video/mp4" };
  const text = { contentType: docx };
  const pdf = { contentType: "application/pdf" };
  const png = { contentType: "image/png" };
  return [
    {
      ...text,
      filename: "zip-bomb.docx",
      bytes: docxOf({ ...part, sizeBytes: mebibytes600 }),
      errorType: "unsupported_media",
    },
    { ...text, filename: "zip-liar.docx", bytes: docxOf({ ...part, sizeBytes: 1000 }), errorType: "corrupt_media" },
    ...Object.values(hostileXml())
      .slice(0, 2)
      .map((xml, index) => ({
        ...text,
        filename: `xml-${index}.docx`,
        bytes: docxWith(xml),
        errorType: "corrupt_media",
      })),
    { ...png, filename: "pixels.png", bytes: hugePng(100_000), errorType: "unsupported_media" },
    { contentType: "image/gif", filename: "frames.gif", bytes: manyFramesGif(40_000), errorType: "unsupported_media" },
    // What can be read of these is read, and what was left out is said.
    {
      ...pdf,
      filename: "inflates.pdf",
      bytes: twoPagePdf(stream(zlibOf(inflatesTo(2 ** 30, " ")), "/Filter /FlateDecode")),
      errorType: null,
    },
    { ...pdf, filename: "pages.pdf", bytes: manyPagesPdf(100_000), errorType: null },
    { ...pdf, filename: "locked.pdf", bytes: await golden("locked.pdf"), errorType: "encrypted_document" },
    { ...film, filename: "ten-hours.mp4", bytes: await golden("ten-hours.mp4"), errorType: "too_long" },
    { ...film, filename: "playlist.mp4", bytes: behindFtyp, errorType: "corrupt_media" },
    { ...film, filename: "start.mp4", bytes: scenes.subarray(0, 200), errorType: "corrupt_media" },
  ];
}

test("every bomb ends in its errorType while good files beside them complete and the service answers", async () => {
  const workspace = await service.newWorkspace();
  const sidekicks = (await workspace.call("GET", "/sidekicks")).json["data"] as { sidekickId: string }[];
  const sent = await attacks();
  const good = [
    { filename: "good.pdf", contentType: "application/pdf", bytes: await golden("claims.pdf"), errorType: null },
    { filename: "good.docx", contentType: docx, bytes: await golden("brief.docx"), errorType: null },
    { filename: "good.txt", contentType: "text/plain", bytes: Buffer.from("A plain note.\n"), errorType: null },
  ];
  const submit = async (files: Attack[]) => {
    const assets = [];
    for (const { bytes, ...file } of files)
      assets.push({ blobPath: await workspace.upload({ ...file, bytes: Uint8Array.from(bytes) }) });
    return workspace.submit({ assets, sidekickIds: sidekicks.map(({ sidekickId }) => sidekickId) });
  };

  const bombs = await submit(sent);
  const beside = await submit(good);
  const done = [await workspace.finish(bombs.submissionId), await workspace.finish(beside.submissionId)];
  const [health, ready] = await Promise.all([service.fetch("/healthz"), service.fetch("/readyz")]);

  assert.deepEqual(
    done.flatMap(({ assets }) => assets.map((asset) => [asset["filename"], asset["errorType"]])),
    [...sent, ...good].map(({ filename, errorType }) => [filename, errorType]),
  );
  assert.deepEqual([health.status, ready.status], [200, 200]);
});

for (const [name, contentType, bytes] of [
  ["an HLS playlist", "video/mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n"],
  ["a concat script", "video/mp4", "ffconcat version 1.0\nfile /etc/passwd\n"],
  ["SVG", "image/png", '<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>'],
  ["nothing at all", "application/pdf", ""],
] as const)
  test(`${name} under another name gets no further than 415`, async () => {
    const workspace = await service.newWorkspace();
    const form = new FormData();
    form.set("file", new File([bytes], "upload", { type: contentType }));

    const { status, json } = await service.fetch("/api/integrations/uploads/direct", {
      method: "POST",
      headers: { "x-api-key": workspace.keys.live },
      body: form,
    });

    assert.deepEqual([status, json["error_code"]], [415, "content_does_not_match_type"]);
  });
