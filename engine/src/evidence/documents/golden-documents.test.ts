import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gatherDocument } from "./document.ts";
import type { ContentCredentials, Cue, DocumentPage, ImageEvidence, MetadataEvidence, Region } from "../evidence.ts";
import { gatherImage, readImageRaster } from "../images/image.ts";
import type { MediaType } from "../probe/media-type.ts";
import { gatherMetadata } from "../metadata/metadata.ts";
import { renderPage } from "./render-page.ts";

type Truth = MediaType & {
  file: string;
  error?: string;
  document?: {
    pages: { text: string; others: string[]; needsReading?: boolean; regions?: Record<string, Region> }[];
    kinds?: string[];
    cues?: Omit<Cue, "text">[];
    limits?: string[];
  };
  image?: ImageEvidence;
  corners?: { topLeft: number[]; topRight: number[]; bottomLeft: number[] };
  metadata?: {
    gps?: { latitude: number; longitude: number };
    entries: Record<string, string[]>;
    digitalSourceType?: string;
    contentCredentials?: ContentCredentials;
  };
};

const golden = new URL("../../../golden/", import.meta.url);
const truths = JSON.parse(await readFile(new URL("truth-documents.json", golden), "utf8")) as Truth[];
const pathOf = (name: string) => fileURLToPath(new URL(`files/${name}`, golden));
const unseenKinds = new Set(["note", "comment", "deleted", "hidden"]);

suite("the golden files hold what is known of them", { concurrency: 3 }, () => {
  for (const truth of truths) {
    const source = { file: pathOf(truth.file), mediaType: truth };
    const { document, image, corners, metadata, error } = truth;
    if (error !== undefined) {
      test(`${error} for ${truth.file}`, () => assert.rejects(gatherDocument(source), { errorType: error }));
    }
    if (document !== undefined) test(`text of ${truth.file}`, () => compareDocument(source, document));
    if (image !== undefined) test(`picture of ${truth.file}`, () => compareImage(source, image, corners));
    if (metadata !== undefined) test(`metadata of ${truth.file}`, () => compareMetadata(source, metadata));
  }
});

suite("what the truth does not list", { concurrency: 3 }, () => {
  test("a page without text is drawn at 150 dpi, dark letters on white", async () => {
    const raster = await renderPage({ file: pathOf("scan.pdf"), page: 1 });

    assert.deepEqual([raster.width, raster.height], [600, 300]);
    assert.deepEqual([...raster.pixels.subarray(0, 3)], [255, 255, 255]);
    assert.ok(raster.pixels.some((value) => value < 60));
  });

  test("the second page of a TIFF is another picture", async () => {
    const mediaType = { contentType: "image/tiff", category: "image" as const };

    const raster = await readImageRaster({ file: pathOf("two-pages.tiff"), mediaType, frame: 1 });

    assert.deepEqual(
      [...raster.pixels],
      Array.from({ length: 48 }, () => 255),
    );
  });

  test("credentials of a changed picture are present and not valid", async () => {
    const bytes = await readFile(pathOf("signed.jpg"));
    bytes[bytes.length - 40] = (bytes.at(-40) ?? 0) ^ 255;
    const file = join(tmpdir(), `greenlit-changed-${process.pid}.jpg`);
    await writeFile(file, bytes);

    const found = await gatherMetadata({ file, mediaType: { contentType: "image/jpeg", category: "image" } });

    await rm(file);
    assert.equal(found?.contentCredentials?.isValid, false);
    assert.deepEqual(found.contentCredentials.problems, ["assertion.dataHash.mismatch"]);
    assert.equal(found.contentCredentials.isChangeConfirmed, true);
  });

  test("credentials of a changed film are not valid, by two computations", async () => {
    const bytes = await readFile(pathOf("signed.mp4"));
    bytes[bytes.length - 1] = 255;
    const file = join(tmpdir(), `greenlit-changed-${process.pid}.mp4`);
    await writeFile(file, bytes);

    const found = await gatherMetadata({ file, mediaType: { contentType: "video/mp4", category: "video" } });

    await rm(file);
    assert.deepEqual(found?.contentCredentials?.problems, ["assertion.bmffHash.mismatch"]);
    assert.equal(found.contentCredentials.isChangeConfirmed, true);
  });

  test("credentials that lie beyond the first megabytes of a file are found", async () => {
    const bytes = await readFile(pathOf("signed.jpg"));
    const comment = Buffer.alloc(2 + 65_535, "-");
    comment.set([0xff, 0xfe, 0xff, 0xff]);
    // So that the first mention lies across two of the pieces in which a file is searched.
    const rest = Buffer.alloc(2 ** 20 - 2 - bytes.indexOf("c2pa") - 15 * comment.length, "-");
    rest.set([0xff, 0xfe]);
    rest.writeUInt16BE(rest.length - 2, 2);
    const comments = Array.from({ length: 15 }, () => comment);
    const file = join(tmpdir(), `greenlit-late-${process.pid}.jpg`);
    await writeFile(file, Buffer.concat([bytes.subarray(0, 2), ...comments, rest, bytes.subarray(2)]));

    const found = await gatherMetadata({ file, mediaType: { contentType: "image/jpeg", category: "image" } });

    await rm(file);
    assert.deepEqual(found?.contentCredentials?.problems, ["assertion.dataHash.mismatch"]);
  });

  test("null where a kind of evidence does not apply", async () => {
    const text = {
      file: pathOf("notes.md"),
      mediaType: { contentType: "text/markdown", category: "document" as const },
    };

    assert.equal(await gatherMetadata(text), null);
    assert.equal(await gatherImage(text), null);
    assert.equal(await gatherDocument({ ...text, mediaType: { contentType: "image/png", category: "image" } }), null);
  });
});

type Source = { file: string; mediaType: MediaType };

async function compareDocument(source: Source, truth: NonNullable<Truth["document"]>): Promise<void> {
  const found = await gatherDocument(source);

  assert.ok(found !== null);
  assert.deepEqual(
    found.pages.map(({ text }) => text),
    truth.pages.map(({ text }) => text),
  );
  const kinds = found.pages.flatMap(({ blocks }) => blocks.map(({ kind, text }) => `${kind}: ${text}`));
  for (const [index, expected] of truth.pages.entries()) {
    const page: DocumentPage | undefined = found.pages[index];
    const others: DocumentPage["blocks"] = page?.blocks.filter(({ kind }) => unseenKinds.has(kind)) ?? [];
    assert.deepEqual(others.map(({ kind, text }) => `${kind}: ${text}`).toSorted(), expected.others.toSorted());
    if (expected.needsReading !== undefined) assert.equal(page?.needsReading, expected.needsReading);
    for (const [text, region] of Object.entries(expected.regions ?? {})) {
      compareRegion(page?.blocks.find((block) => block.text === text)?.region ?? null, region);
    }
  }
  for (const kind of truth.kinds ?? []) assert.ok(kinds.includes(kind), `${kind} is missing in ${kinds.join(" | ")}`);
  assert.deepEqual(found.limits, truth.limits ?? []);
  assert.deepEqual(
    found.cues?.map(({ startSeconds, endSeconds, lines }) => ({ startSeconds, endSeconds, lines })),
    truth.cues,
  );
}

function compareRegion(found: Region | null, expected: Region): void {
  assert.ok(found !== null);
  for (const side of ["x", "y", "width", "height"] as const) {
    assert.ok(Math.abs(found[side] - expected[side]) < 0.002, `${side}: ${found[side]} instead of ${expected[side]}`);
  }
}

async function compareImage(source: Source, truth: ImageEvidence, corners: Truth["corners"]): Promise<void> {
  assert.deepEqual(await gatherImage(source), truth);

  if (corners === undefined) return;
  const raster = await readImageRaster(source);
  assert.deepEqual([raster.width, raster.height], [truth.width, truth.height]);
  const inset = 3;
  const [right, bottom] = [raster.width - 1 - inset, raster.height - 1 - inset];
  const places = { topLeft: [inset, inset], topRight: [right, inset], bottomLeft: [inset, bottom] } as const;
  for (const corner of ["topLeft", "topRight", "bottomLeft"] as const) {
    const [x, y] = places[corner];
    const at = (y * raster.width + x) * 3;
    const pixel = [...raster.pixels.subarray(at, at + 3)];
    // Lossy formats are off by a little.
    assert.ok(
      pixel.every((value, index) => Math.abs(value - (corners[corner][index] ?? 0)) <= 8),
      `${corner}: ${pixel.join(" ")}`,
    );
  }
}

async function compareMetadata(source: Source, truth: NonNullable<Truth["metadata"]>): Promise<void> {
  const found = await gatherMetadata(source);

  assert.ok(found !== null);
  assert.deepEqual(
    found.gps === null ? undefined : { latitude: found.gps.latitude, longitude: found.gps.longitude },
    truth.gps,
  );
  assert.deepEqual(groupEntries(found), truth.entries);
  assert.equal(found.digitalSourceType?.value, truth.digitalSourceType);
  assert.deepEqual(found.contentCredentials ?? undefined, truth.contentCredentials);
}

function groupEntries(found: MetadataEvidence): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const { name, value } of found.entries) (groups[name] ??= []).push(value);
  return groups;
}
