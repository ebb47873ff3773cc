import assert from "node:assert/strict";
import { test } from "node:test";
import { golden, mediaTypeOf } from "../../testing/golden.ts";
import { gatherCaptions } from "./captions.ts";
import { findFfmpeg, findNodeAv } from "../decode/decoder.ts";
import { probeFile } from "../probe/probe.ts";

const english = [
  { startSeconds: 1, endSeconds: 3.5, text: "Terms and conditions apply.", lines: ["Terms and conditions apply."] },
  {
    startSeconds: 4,
    endSeconds: 6.25,
    text: "Please drink\nresponsibly & in moderation.",
    lines: ["Please drink", "responsibly & in moderation."],
  },
];
const words = "Bitte trinken Sie verantwortungsvoll für Müller.";
const german = [{ startSeconds: 1, endSeconds: 3.5, text: words, lines: [words] }];

for (const { name, decoder } of [
  { name: "ffmpeg", decoder: await findFfmpeg() },
  { name: "node-av", decoder: findNodeAv() },
]) {
  const skip = decoder === null || decoder.kind === "none" ? "this decoder is not installed here" : false;
  const gather = async (file: string) => {
    const shared = { file: golden(file), mediaType: mediaTypeOf(file), decoder: decoder ?? undefined };
    const probe = await probeFile(shared);
    return gatherCaptions({ ...shared, probe, signal: new AbortController().signal });
  };

  test(`${name}: SubRip and ASS tracks of a Matroska film, with their languages`, { skip }, async () => {
    assert.deepEqual(await gather("captioned.mkv"), {
      tracks: [
        { language: "eng", codec: "subrip", cues: english },
        { language: "ger", codec: "ass", cues: german },
      ],
    });
  });

  test(`${name}: the mov_text track of an MP4 film, the WebVTT track of a WebM film`, { skip }, async () => {
    assert.deepEqual(await gather("captioned.mp4"), {
      tracks: [{ language: "eng", codec: "mov_text", cues: english }],
    });
    assert.deepEqual(await gather("captioned.webm"), { tracks: [{ language: null, codec: "webvtt", cues: english }] });
  });

  test(`${name}: a film without captions has no tracks, a sound none to have`, { skip }, async () => {
    assert.deepEqual(await gather("scenes.mp4"), { tracks: [] });
    assert.equal(await gather("chord.mp3"), null);
  });
}
