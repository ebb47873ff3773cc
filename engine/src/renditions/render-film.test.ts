import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { type Decoder, findFfmpeg, findNodeAv } from "../evidence/decode/decoder.ts";
import { probeFile } from "../evidence/probe/probe.ts";
import { golden, mediaTypeOf } from "../testing/golden.ts";
import { makeScratch } from "../testing/scratch.ts";
import { renderFilm } from "./render-film.ts";

const decoders: { name: string; decoder: Decoder | null }[] = [
  { name: "ffmpeg", decoder: await findFfmpeg() },
  { name: "node-av", decoder: findNodeAv() },
];

for (const { name, decoder } of decoders)
  test(
    `${name}: an HDR film is mapped to the standard range, and its copy says so`,
    { skip: decoder === null ? "no ffmpeg ≥ 5.1 is installed here" : false },
    async () => {
      await using scratch = await makeScratch();
      const file = golden("hdr.mp4");
      const mediaType = mediaTypeOf(file);
      const probe = await probeFile({ file, mediaType });

      const [media] = await renderFilm({
        file,
        contentType: mediaType.contentType,
        probe,
        folder: scratch.folder,
        makes: { media: true, filmstrip: false, waveform: false },
        onProgress: () => {},
        decoder: decoder ?? undefined,
      });

      assert.equal(media?.detail["isToneMapped"], 1);
      const copy = await probeFile({ file: media.file, mediaType });
      assert.equal(copy.video?.colour.transfer, "sdr");
      assert.equal(copy.video.pixelFormat, "yuv420p");
    },
  );

for (const { name, decoder } of decoders)
  test(
    `${name}: every frame of a film is in its playable copy, upright, with sound, filmstrip and peaks`,
    { skip: decoder === null ? "no ffmpeg ≥ 5.1 is installed here" : false },
    async () => {
      await using scratch = await makeScratch();
      const { folder } = scratch;
      const file = golden("turned.mp4");
      const mediaType = mediaTypeOf(file);
      const { contentType } = mediaType;
      const probe = await probeFile({ file, mediaType });
      const makes = { media: true, filmstrip: true, waveform: probe.audio !== null };

      const made = await renderFilm({
        file,
        contentType,
        probe,
        folder,
        makes,
        onProgress: () => {},
        decoder: decoder ?? undefined,
      });

      const media = made.find(({ kind }) => kind === "media");
      assert.ok(media);
      const copy = await probeFile({ file: media.file, mediaType });
      assert.equal(copy.video?.codec, "h264");
      assert.deepEqual(
        [copy.video.displayWidth, copy.video.displayHeight, copy.video.rotationDegrees],
        [probe.video?.displayWidth, probe.video?.displayHeight, 0],
      );
      assert.ok(Math.abs((copy.video.framesPerSecond ?? 0) - (probe.video?.framesPerSecond ?? 0)) < 0.5);
      assert.ok(Math.abs((copy.durationSeconds ?? 0) - (probe.durationSeconds ?? 0)) < 0.1);
      const strip = made.find(({ kind }) => kind === "filmstrip");
      assert.deepEqual([...(await readFile(strip?.file ?? "")).subarray(0, 2)], [0xff, 0xd8]);
    },
  );
