import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allowedContentTypes,
  findMediaType,
  formatSize,
  maxBytesByCategory,
  type MediaType,
  mediaTypes,
  renderMediaTypes,
} from "./media-types.ts";

test("the allowlist is the one that was decided", () => {
  assert.deepEqual([...allowedContentTypes].toSorted(), [
    "application/mxf",
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/x-subrip",
    "audio/aac",
    "audio/flac",
    "audio/mp4",
    "audio/mpeg",
    "audio/ogg",
    "audio/wav",
    "audio/webm",
    "audio/x-m4a",
    "audio/x-wav",
    "image/avif",
    "image/bmp",
    "image/gif",
    "image/heic",
    "image/jpeg",
    "image/png",
    "image/tiff",
    "image/webp",
    "text/csv",
    "text/markdown",
    "text/plain",
    "text/vtt",
    "video/mp2t",
    "video/mp4",
    "video/mpeg",
    "video/quicktime",
    "video/webm",
    "video/x-matroska",
    "video/x-msvideo",
  ]);
  assert.deepEqual(maxBytesByCategory, {
    video: 5_368_709_120,
    audio: 524_288_000,
    image: 52_428_800,
    document: 104_857_600,
  });
});

test("extensions are lower case and without a dot", () => {
  const extensions = mediaTypes.flatMap((mediaType: MediaType) => mediaType.extensions);

  assert.ok(extensions.every((extension) => /^[a-z0-9]+$/u.test(extension)));
});

test("finds a type in any case, with parameters and spaces", () => {
  for (const contentType of [
    "video/mp4",
    "Video/MP4",
    " video/mp4 ",
    'video/mp4; codecs="avc1"',
    "video/mp4;charset=x",
  ]) {
    assert.equal(findMediaType(contentType).contentType, "video/mp4");
  }
});

test("415 that lists what is allowed for any other type", () => {
  const refused = [
    "",
    ";",
    "video",
    "video/",
    "text/html",
    "image/svg+xml",
    "video/mp4, image/png",
    "constructor",
    "*/*",
  ];
  for (const contentType of refused) {
    assert.throws(() => findMediaType(contentType), {
      code: "content_type_not_allowed",
      message: /Declare .+Allowed are: video: video\/mp4, .+; audio: .+; image: .+; document: .+text\/vtt\.$/u,
    });
  }
});

test("415 that says the name to use for a common other name", () => {
  assert.throws(() => findMediaType("audio/mp3"), { message: /Declare audio\/mpeg instead/u });
  assert.throws(() => findMediaType("image/JPG"), { message: /Declare image\/jpeg instead/u });
  assert.throws(() => findMediaType("application/octet-stream"), { message: /curl.+type=video\/mp4/u });
});

test("415 repeats no more than the beginning of what was sent", () => {
  assert.throws(
    () => findMediaType(`a/${"b".repeat(10_000)}\n`),
    (error: Error) => error.message.length < 2000 && !error.message.includes("\n"),
  );
});

test("sizes for people", () => {
  assert.equal(formatSize(10 * 1024 * 1024), "10 MB");
  assert.equal(formatSize(5 * 1024 ** 3), "5 GB");
  assert.equal(formatSize(1.5 * 1024 ** 3), "1.5 GB");
  assert.equal(formatSize(512), "512 bytes");
});

test("the documentation's table has a row for every type", () => {
  const lines = renderMediaTypes().trimEnd().split("\n");

  assert.equal(lines.length, 2 + mediaTypes.length);
  assert.ok(lines.every((line) => line.split("|").length === 7));
  assert.equal(
    lines.find((line) => line.includes("`video/mp4`")),
    "| `video/mp4` | video | 5 GB | `.mp4` `.m4v` | an `ftyp` box with a brand that is not an image's |",
  );
});
