import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { type Finding, nowhere } from "../../finding.ts";
import { golden, mediaTypeOf } from "../../testing/golden.ts";
import { makeScratch } from "../../testing/scratch.ts";
import { decode } from "../decode/decode.ts";
import { type Decoder, findFfmpeg, findNodeAv } from "../decode/decoder.ts";
import type { FrameFormat } from "../evidence.ts";
import { type EvidenceFrame, planFrames, takeFrames } from "./frames.ts";
import { probeFile } from "../probe/probe.ts";
import type { Probe } from "../probe/probe-shape.ts";
import { jpegOfMoment } from "./video-frame.ts";

type Place = Pick<Finding, "severity" | "location">;

function at(location: Partial<NonNullable<Finding["location"]>>, severity: Finding["severity"] = "MAJOR"): Place {
  return { severity, location: { ...nowhere, ...location } };
}

async function framesOf(file: string, findings: Place[], contentType = mediaTypeOf(file).contentType) {
  const mediaType = { ...mediaTypeOf(file), contentType };
  const category = contentType.startsWith("image/") ? ("image" as const) : mediaType.category;
  const probe = await probeFile({ file, mediaType: { contentType, category }, maxDurationSeconds: 3600 });
  return takeFrames({ file, mediaType: { contentType, category }, probe, findings });
}

/** Red, green and blue of the JPEG, at that size. */
async function pixelsOf(jpegBase64: string, { width, height }: { width: number; height: number }): Promise<Buffer> {
  return sharp(Buffer.from(jpegBase64, "base64")).resize(width, height, { fit: "fill" }).removeAlpha().raw().toBuffer();
}

async function sizeOf(frame: EvidenceFrame | undefined): Promise<[number, number]> {
  const { width, height, format } = await sharp(Buffer.from(frame?.jpegBase64 ?? "", "base64")).metadata();
  assert.equal(format, "jpeg");
  return [width, height];
}

const decoders: { name: string; decoder: Decoder | null; files: [string, number][] }[] = [
  { name: "ffmpeg", decoder: await findFfmpeg(), files: [] },
  { name: "node-av", decoder: findNodeAv(), files: [["animated.webp", 0.5]] },
];

for (const { name, decoder, files } of decoders) {
  const skip = decoder === null ? "no ffmpeg ≥ 5.1 is installed here" : false;
  test(`${name}: the JPEG is the frame that is seen at that time`, { skip }, async () => {
    const moments: [string, number][] = [
      ...files,
      ["scenes.mp4", 0],
      ["scenes.mp4", 3.24],
      ["variable.mp4", 1.5],
      ["turned.mp4", 0.2],
      ["odd.mp4", 0.12],
      ["languages.mkv", 0.64],
      ["moving.gif", 0.2],
      ["flash-4hz.mp4", 1.04],
      ["tiny.m2v", 0],
      ["tiny.m2v", 0.04],
    ];
    for (const [file, seconds] of moments) {
      const mediaType = mediaTypeOf(file);
      const given = { file: golden(file), contentType: mediaType.contentType, decoder: decoder ?? undefined };
      const probe = await probeFile({ file: given.file, mediaType, maxDurationSeconds: 3600 });
      assert.ok(probe.video);
      const expected = await smallFrameAt({ ...given, probe, seconds });

      const jpegBase64 = await jpegOfMoment({ ...given, video: probe.video, seconds });

      assert.ok(jpegBase64, `${file} at ${seconds}`);
      const pixels = await pixelsOf(jpegBase64, expected.format);
      const difference = meanDifference(pixels, expected.pixels);
      assert.ok(difference < 8, `${file} at ${seconds} s differs by ${difference}`);
    }
  });
}

async function smallFrameAt(options: {
  file: string;
  contentType: string;
  probe: Probe;
  seconds: number;
  decoder: Decoder | undefined;
}): Promise<{ pixels: Uint8Array; format: FrameFormat }> {
  let found: { pixels: Uint8Array; format: FrameFormat } | undefined;
  const smallFrames = (frame: { seconds: number; pixels: Uint8Array }, format: FrameFormat) => {
    if (frame.seconds > options.seconds - 0.001) found ??= { pixels: Uint8Array.from(frame.pixels), format };
  };
  await decode({ ...options, maxDurationSeconds: 3600, consumers: { smallFrames } });
  assert.ok(found);
  return found;
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  assert.equal(a.length, b.length);
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
}

test("findings of one moment share a frame, and what is nowhere in the picture has none", async () => {
  const span = { startSeconds: 2, endSeconds: 4 };

  const { frames } = await framesOf(golden("scenes.mp4"), [
    at(span),
    at({}),
    { severity: "INFO", location: null },
    at({ ...span, region: { x: 0, y: 0, width: 1, height: 1 } }, "CRITICAL"),
    at({ startSeconds: 5.9, endSeconds: 90 }),
  ]);

  assert.deepEqual(
    frames.map(({ seconds, page, findings }) => ({ seconds, page, findings })),
    [
      { seconds: 3, page: null, findings: [3, 0] },
      { seconds: 5.92, page: null, findings: [4] },
    ],
  );
  assert.deepEqual(await sizeOf(frames[0]), [160, 90]);
});

test("at most 40 frames are made, of the most severe findings", async () => {
  const file = golden("scenes.mp4");
  const mediaType = mediaTypeOf(file);
  const probe = await probeFile({ file, mediaType, maxDurationSeconds: 3600 });
  const findings = Array.from({ length: 60 }, (_, index) =>
    at({ startSeconds: index / 12 }, index === 59 ? "CRITICAL" : "MINOR"),
  );

  const moments = planFrames({ mediaType, probe, findings });

  assert.equal(moments.length, 40);
  assert.deepEqual(moments[0]?.findings, [59]);
});

test("a page of a PDF is drawn at 150 dpi and a picture at most 1,280 wide or high, upright", async () => {
  await using scratch = await makeScratch();
  const large = await sharp({ create: { width: 4000, height: 1000, channels: 3, background: "#0a0" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

  const {
    frames: [page],
  } = await framesOf(golden("claims.pdf"), [at({ page: 2, quote: "x" })]);
  const {
    frames: [picture],
  } = await framesOf(await scratch.write("large.jpg", large), [at({ quote: "x" })], "image/jpeg");

  assert.deepEqual([page?.page, page?.seconds, page?.findings], [2, null, [0]]);
  assert.equal(Math.max(...(await sizeOf(page))), 1250);
  assert.deepEqual(await sizeOf(picture), [320, 1280]);
});

test("a frame that cannot be made is named with its reason", async () => {
  const findings = [at({ page: 99 }), at({ page: 1 })];

  const { frames, missing } = await framesOf(golden("claims.pdf"), findings);

  assert.deepEqual(
    frames.map(({ page }) => page),
    [1],
  );
  assert.deepEqual(
    missing.map(({ page, seconds }) => ({ page, seconds })),
    [{ page: 99, seconds: null }],
  );
  assert.notEqual(missing[0]?.reason, "");
});
