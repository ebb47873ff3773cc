import assert from "node:assert/strict";
import { chmod, readFile } from "node:fs/promises";
import { test } from "node:test";
import { AnalysisError } from "../../analysis-error.ts";
import { golden, makeWav, mediaTypeOf } from "../../testing/golden.ts";
import { descendantsOf, nameOf } from "../../testing/processes.ts";
import { makeScratch } from "../../testing/scratch.ts";
import { until } from "../../testing/until.ts";
import { type Decoder, findFfmpeg, findNodeAv, isNewEnough } from "../decode/decoder.ts";
import { probeFile } from "./probe.ts";

const ffmpeg = await findFfmpeg();
const decoders: { name: string; decoder: Decoder | null }[] = [
  { name: "ffmpeg", decoder: ffmpeg },
  { name: "node-av", decoder: findNodeAv() },
];

for (const { name, decoder } of decoders) {
  const skip = decoder === null ? "no ffmpeg ≥ 5.1 with ffprobe is installed here" : false;
  const probe = (file: string, options: { as?: string; maxDurationSeconds?: number } = {}) =>
    probeFile({
      file,
      mediaType: mediaTypeOf(options.as ?? file),
      maxDurationSeconds: options.maxDurationSeconds,
      decoder: decoder ?? undefined,
    });

  test(`${name}: container, codecs, length, rate and colour of a film`, { skip }, async () => {
    const found = await probe(golden("scenes.mp4"));

    assert.equal(found.kind, "video");
    assert.equal(found.container, "mp4");
    assert.equal(found.durationSeconds, 6);
    assert.equal(found.truncatedAtSeconds, null);
    assert.equal(found.video?.codec, "h264");
    assert.equal(found.video?.framesPerSecond, 25);
    assert.equal(found.video?.isConstantFrameRate, true);
    assert.equal(found.video?.colour.transferName, "bt709");
    assert.equal(found.video?.colour.transfer, "sdr");
    assert.deepEqual([found.audio?.codec, found.audio?.sampleRate, found.audio?.channels], ["aac", 48_000, 1]);
  });

  test(`${name}: a variable frame rate is told from a constant one`, { skip }, async () => {
    const found = await probe(golden("variable.mp4"));

    assert.equal(found.video?.isConstantFrameRate, false);
    assert.equal(found.audio, null);
  });

  test(`${name}: rotation and pixel aspect make the size that is seen`, { skip }, async () => {
    const turned = await probe(golden("turned.mp4"));
    const odd = await probe(golden("odd.mp4"));

    assert.deepEqual([turned.video?.width, turned.video?.height], [128, 64]);
    assert.deepEqual([turned.video?.displayWidth, turned.video?.displayHeight], [64, 128]);
    assert.equal(turned.video?.rotationDegrees, 270);
    assert.deepEqual([odd.video?.width, odd.video?.displayWidth, odd.video?.displayHeight], [161, 215, 91]);
  });

  test(`${name}: the default sound stream is chosen and the choice is told`, { skip }, async () => {
    const found = await probe(golden("languages.mkv"));

    assert.equal(found.audioStreamCount, 2);
    assert.equal(found.audio?.streamIndex, 2);
    assert.equal(found.audio?.language, "eng");
    assert.match(found.notes.join(), /Of 2 sound streams the default one/);
    assert.deepEqual(
      found.omissions?.map(({ what }) => what.replace(/\(stream 1.*\)/, "()")),
      ["Another sound track () was not checked: only one is."],
    );
  });

  test(`${name}: it is told that of many unnamed channels only two are analysed`, { skip }, async () => {
    await using scratch = await makeScratch();
    const wav = makeWav({ seconds: 1, sampleRate: 8000, channels: 12, at: () => 0.1 });

    const found = await probe(await scratch.write("many.wav", wav));

    assert.deepEqual([found.audio?.channels, found.audio?.channelLayout], [12, null]);
    assert.match(found.notes.join(), /Of 12 sound channels, .* the first two are analysed/);
  });

  test(`${name}: cover art is not video; 5.1 and HDR are seen`, { skip }, async () => {
    const cover = await probe(golden("cover.mp3"));
    const surround = await probe(golden("surround.m4a"));
    const hdr = await probe(golden("hdr.mp4"));

    assert.deepEqual([cover.kind, cover.video, cover.container], ["audio", null, "mp3"]);
    assert.deepEqual(cover.omissions, [{ what: "The cover picture attached to the file was not checked." }]);
    assert.deepEqual([surround.kind, surround.audio?.channels], ["audio", 6]);
    assert.deepEqual([hdr.video?.colour.transfer, hdr.video?.bitDepth], ["pq", 10]);
  });

  test(`${name}: animated images have a picture that moves`, { skip }, async () => {
    for (const type of ["gif", "png", "webp"]) {
      const found = await probe(golden(`animated.${type}`));

      assert.equal(found.kind, "image");
      assert.equal(found.container, type);
      assert.equal(found.durationSeconds, 1);
      assert.deepEqual([found.video?.width, found.video?.height], [64, 36]);
    }
  });

  test(`${name}: corrupt_media for what is empty, noise, or without its index`, { skip }, async () => {
    await using scratch = await makeScratch();
    const whole = await readFile(golden("late.mp4"));
    const files = [
      await scratch.write("empty.mp4", ""),
      await scratch.write("noise.mp4", Buffer.alloc(5000, "noise, no film. ")),
      await scratch.write("noise.mp3", Buffer.alloc(5000, 1)),
      await scratch.write("half.mp4", whole.subarray(0, whole.length / 2)),
    ];

    for (const file of files) await assert.rejects(probe(file), hasType("corrupt_media"));
  });

  test(`${name}: a film that was cut off tells how much of it is left`, { skip }, async () => {
    await using scratch = await makeScratch();
    const whole = await readFile(golden("scenes.mp4"));
    const file = await scratch.write("cut.mp4", whole.subarray(0, whole.length * 0.7));

    const found = await probe(file);

    assert.equal(found.containerDurationSeconds, 6);
    assert.ok(found.truncatedAtSeconds !== null && found.truncatedAtSeconds > 2 && found.truncatedAtSeconds < 5);
    assert.equal(found.durationSeconds, found.truncatedAtSeconds);
  });

  test(`${name}: unsupported_media for playlists in disguise`, { skip }, async () => {
    await using scratch = await makeScratch();
    const target = golden("scenes.mp4");
    const files = [
      await scratch.write("hls.mp4", `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n${target}\n#EXT-X-ENDLIST\n`),
      await scratch.write("concat.mp4", `ffconcat version 1.0\nfile ${target}\n`),
      await scratch.write("concat.mkv", `ffconcat version 1.0\nfile ${target}\n`),
    ];

    for (const file of files) await assert.rejects(probe(file), hasType("unsupported_media"));
  });

  test(`${name}: too_long past the limit`, { skip }, async () => {
    await assert.rejects(probe(golden("ten-hours.mp4")), hasType("too_long"));
    await assert.rejects(probe(golden("scenes.mp4"), { maxDurationSeconds: 5 }), hasType("too_long"));
  });

  test(`${name}: the length of a stream without a header is counted`, { skip }, async () => {
    await using scratch = await makeScratch();
    const wav = makeWav({ seconds: 2, sampleRate: 8000, channels: 1, at: () => 0.1 });
    // A data size of zero is what recorders leave that could not seek back.
    wav.writeUInt32LE(0xffff_ffff, 40);
    wav.writeUInt32LE(0xffff_ffff, 4);
    const file = await scratch.write("stream.wav", wav);

    const found = await probe(file);

    assert.ok(Math.abs((found.durationSeconds ?? 0) - 2) < 0.1);
  });
}

test("analyzer_crashed, not a damaged file, when ffprobe is killed", async () => {
  await using scratch = await makeScratch();
  await chmod(scratch.folder, 0o755);
  const before = new Set(descendantsOf(process.pid));
  // It is killed before it said anything, or after it said all but how it ended.
  for (const line of ["", `echo '{"format":{"format_name":"mp4"},"streams":[]}'`]) {
    const program = await scratch.write("killed", `#!/bin/sh\n${line}\nexec sleep 60\n`);
    await chmod(program, 0o755);
    const programs = { ffmpeg: program, ffprobe: program, visiblePaths: [program] };
    const file = golden("scenes.mp4");
    const decoder: Decoder = { kind: "ffmpeg", programs, description: "" };

    const probed = probeFile({ file, mediaType: mediaTypeOf(file), decoder });
    probed.catch(() => undefined);
    const sleeping = () => descendantsOf(process.pid).find((pid) => !before.has(pid) && nameOf(pid) === "sleep");
    await until(() => sleeping() !== undefined);
    process.kill(sleeping() ?? Number.NaN, "SIGKILL");

    await assert.rejects(probed, hasType("analyzer_crashed"));
  }
});

test("versions of ffmpeg before 5.1 are too old", () => {
  assert.deepEqual(
    ["4.4.2-0ubuntu0.22.04.1", "5.0.1", "5.1.9-0+deb12u1", "n6.0", "7.1", "N-112233-gabcdef", "nonsense"].map(
      isNewEnough,
    ),
    [false, false, true, true, true, true, false],
  );
});

test("stills and documents are probed without a decoder", async () => {
  await using scratch = await makeScratch();
  const decoder: Decoder = { kind: "none", description: "" };
  const bmp = Buffer.alloc(60);
  bmp.write("BM");
  bmp.writeUInt32LE(40, 14);
  bmp.writeInt32LE(7, 18);
  bmp.writeInt32LE(-5, 22);
  const picture = await scratch.write("still.bmp", bmp);
  const text = await scratch.write("note.txt", "hello");

  const still = await probeFile({ file: picture, mediaType: { contentType: "image/bmp", category: "image" }, decoder });
  const note = await probeFile({ file: text, mediaType: mediaTypeOf(text), decoder });

  assert.deepEqual(still.image, { width: 7, height: 5, frameCount: 1, codec: "bmp" });
  assert.deepEqual([note.kind, note.container, note.pages], ["document", "text", null]);
});

test("encrypted_document for a locked Office file, corrupt_media for a broken PDF", async () => {
  await using scratch = await makeScratch();
  const contentType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  const locked = await scratch.write("locked.docx", Buffer.from("d0cf11e0a1b11ae10000000000000000", "hex"));
  const broken = await scratch.write("broken.pdf", "%PDF-1.7\nnothing follows");

  const office = () => probeFile({ file: locked, mediaType: { contentType, category: "document" } });
  const pdf = () => probeFile({ file: broken, mediaType: mediaTypeOf(broken) });

  await assert.rejects(office, hasType("encrypted_document"));
  await assert.rejects(pdf, hasType("corrupt_media"));
});

function hasType(errorType: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof AnalysisError, String(error));
    assert.equal(error.errorType, errorType, error.message);
    assert.match(error.message, /^[A-Z].*\.$/);
    return true;
  };
}
