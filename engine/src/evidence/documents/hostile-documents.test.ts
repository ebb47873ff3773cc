import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { apng, pngWith } from "../../../golden/documents/images.ts";
import { stream } from "../../../golden/documents/write-pdf.ts";
import {
  docxOf,
  docxWith,
  hostileXml,
  hugePng,
  inflatesTo,
  manyFramesApng,
  nestedFormsPdf,
  nestedStatesPdf,
  manyPagesPdf,
  twoPagePdf,
  zlibOf,
} from "../../testing/hostile-files.ts";
import { gatherDocument } from "./document.ts";
import { readExif } from "../metadata/exif-metadata.ts";
import { probeFile } from "../probe/probe.ts";
import { gatherImage } from "../images/image.ts";
import { readMediaMetadata } from "../metadata/media-metadata.ts";
import { collectMetadata } from "../metadata/metadata-collector.ts";
import { gatherMetadata } from "../metadata/metadata.ts";

const office = "application/vnd.openxmlformats-officedocument";
const pdf = { contentType: "application/pdf", category: "document" as const };
const docx = { contentType: `${office}.wordprocessingml.document`, category: "document" as const };
const png = { contentType: "image/png", category: "image" as const };

const folder = await mkdtemp(join(tmpdir(), "greenlit-hostile-"));
after(() => rm(folder, { recursive: true }));
const golden = (name: string) => readFile(fileURLToPath(new URL(`../../../golden/files/${name}`, import.meta.url)));

async function save(name: string, bytes: Buffer): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, bytes);
  return file;
}

suite("documents that want too much", { concurrency: 3 }, () => {
  test("unsupported_media for a zip of a few kilobytes that unpacks to 600 MB", async () => {
    const packed = inflatesTo(600 * 2 ** 20, " ");
    const file = await save(
      "bomb.docx",
      docxOf({ name: "word/document.xml", packed, sizeBytes: 600 * 2 ** 20, crc: 0 }),
    );

    await assert.rejects(gatherDocument({ file, mediaType: docx }), { errorType: "unsupported_media" });
  });

  test("a PDF with damaged pages in its middle is read as far as it goes, and they are named", async () => {
    const whole = manyPagesPdf(3_000);
    const [from, to] = [0.4, 0.45].map((share) => Math.floor(share * whole.length)) as [number, number];
    const file = await save("damaged-pages.pdf", Buffer.from(whole).fill("[", from, to));

    const found = await gatherDocument({ file, mediaType: pdf });

    assert.match((found?.limits ?? []).join(" "), /damaged pages? could not be read/);
  });

  test("corrupt_media for a zip part that is larger than it says", async () => {
    const packed = inflatesTo(600 * 2 ** 20, " ");
    const file = await save("liar.docx", docxOf({ name: "word/document.xml", packed, sizeBytes: 1000, crc: 0 }));

    await assert.rejects(gatherDocument({ file, mediaType: docx }), { errorType: "corrupt_media" });
  });

  for (const [name, xml] of Object.entries(hostileXml())) {
    test(`corrupt_media for ${name}`, async () => {
      const file = await save(`${name}.docx`, docxWith(xml));

      await assert.rejects(gatherDocument({ file, mediaType: docx }), { errorType: "corrupt_media" });
    });
  }

  test("a page that unpacks to 1 GiB is cut off, said so, and the next one is read", async () => {
    const packed = zlibOf(inflatesTo(2 ** 30, " "));
    const file = await save("bomb.pdf", twoPagePdf(stream(packed, "/Filter /FlateDecode")));

    const found = await gatherDocument({ file, mediaType: pdf });

    assert.equal(found?.pages[1]?.text, "After the bomb");
    assert.ok(
      found.limits.includes("Page 1 unpacks to more than 16 MB: only its start was read."),
      found.limits.join(),
    );
  });

  test("a page of millions of letters is cut off and said so", async () => {
    const packed = zlibOf(inflatesTo(2 ** 28, "BT /F1 9 Tf (A) Tj ET\n"));
    const file = await save("letters.pdf", twoPagePdf(stream(packed, "/Filter /FlateDecode")));

    const found = await gatherDocument({ file, mediaType: pdf });

    assert.equal(found?.pages[1]?.text, "After the bomb");
    assert.ok(found.limits.includes("Page 1 holds more text than is read of one page."), found.limits.join());
  });

  test("the first pages of 100,000 are read and the rest is said", async () => {
    const file = await save("pages.pdf", manyPagesPdf(100_000));

    const found = await gatherDocument({ file, mediaType: pdf });

    assert.deepEqual(found?.limits, ["Only the first 50 of 100,000 pages were read."]);
  });

  for (const [name, bytes] of [
    ["a million states saved inside each other", nestedStatesPdf()],
    ["forms that call each other a billion times", nestedFormsPdf()],
  ] as const)
    test(`unsupported_media for ${name}`, async () => {
      const file = await save(`${name}.pdf`, bytes);

      await assert.rejects(gatherDocument({ file, mediaType: pdf }), {
        errorType: "unsupported_media",
        message: /^Page 1 of the PDF is too complex to read/,
      });
    });

  test("reading stops when the signal aborts", async () => {
    const packed = zlibOf(inflatesTo(2 ** 28, "q Q\n"));
    const file = await save("slow.pdf", twoPagePdf(stream(packed, "/Filter /FlateDecode")));
    const stopper = new AbortController();
    const reading = gatherDocument({ file, mediaType: pdf, signal: stopper.signal });
    setTimeout(() => stopper.abort(new Error("stop it")), 300);

    await assert.rejects(reading, { message: "stop it" });
  });
});

suite("pictures that want too much", { concurrency: 3 }, () => {
  test("unsupported_media for a PNG of 50,000 × 50,000", async () => {
    const file = await save("bomb.png", hugePng(50_000));

    await assert.rejects(gatherImage({ file, mediaType: png }), { errorType: "unsupported_media" });
  });

  test("unsupported_media for an animation that claims 40,000 frames", async () => {
    const bytes = apng();
    bytes.writeUInt32BE(40_000, bytes.indexOf("acTL") + 4);
    const file = await save("frames.png", bytes);

    await assert.rejects(gatherImage({ file, mediaType: png }), { errorType: "unsupported_media" });
  });

  test("unsupported_media for one pixel by 20 million, before it is decoded", async () => {
    const file = await save("tall.png", hugePng(1, 20_000_000));

    await assert.rejects(probeFile({ file, mediaType: png }), {
      errorType: "unsupported_media",
      message: /1 × 20,000,000/,
    });
    await assert.rejects(gatherImage({ file, mediaType: png }), { errorType: "unsupported_media" });
  });

  for (const announced of [3000, 2])
    test(`unsupported_media for an animation of 3,000 frames that announces ${announced}`, async () => {
      const file = await save(`frames-${announced}.png`, manyFramesApng({ count: 3000, announced }));

      await assert.rejects(probeFile({ file, mediaType: png }), {
        errorType: "unsupported_media",
        message: /3,000 frames; at most 2,000 are read\. Send it as a video\./,
      });
    });

  test("unsupported_media for few frames of many pixels", async () => {
    const file = await save("wide.png", manyFramesApng({ count: 500, announced: 500, side: 4000 }));

    await assert.rejects(probeFile({ file, mediaType: png }), {
      errorType: "unsupported_media",
      message: /8,000 million/,
    });
  });

  test("corrupt_media for SVG under the name of PNG", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/passwd"/></svg>';
    const file = await save("svg.png", Buffer.from(svg));

    await assert.rejects(gatherImage({ file, mediaType: png }), { errorType: "corrupt_media" });
  });

  test("a text chunk that unpacks to 1 GiB is left out", async () => {
    const packed = zlibOf(inflatesTo(2 ** 30, " "));
    const chunks = [
      { type: "zTXt", data: Buffer.concat([Buffer.from("Comment\0\0"), packed]) },
      { type: "tEXt", data: Buffer.from("Author\0Ada") },
    ];
    const file = await save("ztxt.png", await pngWith(chunks));

    const found = await gatherMetadata({ file, mediaType: png });

    assert.deepEqual(found?.entries, [{ name: "author", value: "Ada", source: "PNG Author" }]);
  });

  test("no throw and no impossible place from a thousand broken EXIF blocks", async () => {
    const original = await golden("gps.jpg");
    const random = randomNumbers();

    for (let round = 0; round < 1000; round += 1) {
      const bytes = Buffer.from(original);
      for (let change = 0; change < 12; change += 1) bytes[20 + random(480)] = random(256);
      const found = collectMetadata();
      readExif(bytes, found);
      const { gps } = found.finish();
      assert.ok(gps === null || (Math.abs(gps.latitude) <= 90 && Math.abs(gps.longitude) <= 180));
    }
  });

  test("reading the tags of broken sound and video ends, in a result or a throw", async () => {
    const random = randomNumbers();
    for (const name of ["phone.mp4", "tagged.mp3", "languages.mkv"]) {
      const original = await golden(name);
      for (let round = 0; round < 100; round += 1) {
        const bytes = Buffer.from(original);
        for (let change = 0; change < 8; change += 1) bytes[random(Math.min(bytes.length, 1000))] = random(256);
        const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
        await readMediaMetadata({ sizeBytes: bytes.length, read }, collectMetadata()).catch(() => undefined);
      }
    }
  });
});

suite("files that break off", { concurrency: 3 }, () => {
  const cases: Record<string, { contentType: string; category: "document" | "image" }> = {
    "claims.pdf": pdf,
    "brief.docx": docx,
    "deck.pptx": { ...docx, contentType: `${office}.presentationml.presentation` },
    "table.xlsx": { ...docx, contentType: `${office}.spreadsheetml.sheet` },
    "gps.jpg": { ...png, contentType: "image/jpeg" },
    "ai.png": png,
    "ai.webp": { ...png, contentType: "image/webp" },
    "ai.avif": { ...png, contentType: "image/avif" },
    "ai.tiff": { ...png, contentType: "image/tiff" },
    "gps.heic": { ...png, contentType: "image/heic" },
    "still.bmp": { ...png, contentType: "image/bmp" },
    "moving.gif": { ...png, contentType: "image/gif" },
  };
  for (const [name, mediaType] of Object.entries(cases)) {
    test(`corrupt_media for the start of ${name}`, async () => {
      const bytes = await golden(name);
      // The first frame of a GIF is whole long before its middle, and makes a shorter GIF.
      const share = name.endsWith(".gif") ? 0.25 : 0.5;
      const file = await save(`start-${name}`, bytes.subarray(0, Math.floor(bytes.length * share)));
      const gather = mediaType.category === "document" ? gatherDocument : gatherImage;

      await assert.rejects(gather({ file, mediaType }), { errorType: "corrupt_media" });
    });
  }
});

/** The same numbers in every run, so that a failure can be looked at. */
function randomNumbers(): (below: number) => number {
  let seed = 7;
  return (below) => (seed = (seed * 16_807) % 2_147_483_647) % below;
}
