import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { golden, mediaTypeOf } from "../../testing/golden.ts";
import { decode } from "../decode/decode.ts";
import { findFfmpeg, findNodeAv } from "../decode/decoder.ts";
import type { Consumer, FlashKind, Frame, FrameFormat, PatternMotion, Sound, Span, ToneKind } from "../evidence.ts";
import { createFlashConsumer } from "./flashes.ts";
import { createPatternConsumer } from "../patterns/patterns.ts";
import { probeFile } from "../probe/probe.ts";
import { createToneConsumer } from "../tones/tones.ts";

type Truth = {
  flashes: Record<
    string,
    {
      maxGeneralPerSecond: number;
      maxRedPerSecond: number;
      broadcast: (Span & { kind: FlashKind; flashes: number; maxPerSecond: number; areaShare: number })[];
    }
  >;
  patterns: Record<string, (Span & { pairs: number; areaShare: number; motion: PatternMotion })[]>;
  tones: Record<string, (Span & { kind: ToneKind })[]>;
};

const truth = JSON.parse(
  await readFile(new URL("../../../golden/truth-flashes.json", import.meta.url), "utf8"),
) as Truth;

for (const { name, decoder } of [
  { name: "ffmpeg", decoder: await findFfmpeg() },
  { name: "node-av", decoder: findNodeAv() },
]) {
  const skip = decoder === null || decoder.kind === "none" ? "this decoder is not installed here" : false;
  const open = async (file: string) => {
    const mediaType = mediaTypeOf(file);
    const shared = { file: golden(file), maxDurationSeconds: 3600, decoder: decoder ?? undefined };
    const probe = await probeFile({ ...shared, mediaType });
    return { ...shared, contentType: mediaType.contentType, probe };
  };
  const watch = async <Result>(file: string, create: (format: FrameFormat) => Consumer<Frame, Result>) => {
    let consumer: Consumer<Frame, Result> | undefined;
    const smallFrames = (frame: Frame, format: FrameFormat) => (consumer ??= create(format)).accept(frame);
    const decoded = await decode({ ...(await open(file)), consumers: { smallFrames } });
    assert.ok(consumer !== undefined && decoded.smallFrames !== null);
    return consumer.finish(decoded.smallFrames);
  };

  for (const [file, expected] of Object.entries(truth.flashes)) {
    test(`${name}: the flashes of ${file} are counted exactly, its times to the frame`, { skip }, async () => {
      const evidence = await watch(file, createFlashConsumer);

      assert.equal(evidence.maxGeneralPerSecond, expected.maxGeneralPerSecond);
      assert.equal(evidence.maxRedPerSecond, expected.maxRedPerSecond);
      const found = evidence.sequences.filter((sequence) => sequence.standard === "broadcast");
      assert.deepEqual(
        found.map(({ kind, flashes, maxPerSecond }) => ({ kind, flashes, maxPerSecond })),
        expected.broadcast.map(({ kind, flashes, maxPerSecond }) => ({ kind, flashes, maxPerSecond })),
      );
      assertSpans(found, { expected: expected.broadcast, tolerance: 0.002 });
      for (const [index, { areaShare }] of found.entries()) {
        assert.ok(Math.abs(areaShare - (expected.broadcast[index]?.areaShare ?? 0)) < 0.01, `area ${areaShare}`);
      }
    });
  }

  for (const [file, expected] of Object.entries(truth.patterns)) {
    test(`${name}: the patterns of ${file} are found`, { skip }, async () => {
      const { patterns } = await watch(file, createPatternConsumer);

      assert.deepEqual(
        patterns.map(({ pairs, motion }) => ({ pairs, motion })),
        expected.map(({ pairs, motion }) => ({ pairs, motion })),
      );
      assertSpans(patterns, { expected, tolerance: 0.041 });
    });
  }

  for (const [file, expected] of Object.entries(truth.tones)) {
    test(`${name}: the tones of ${file} are heard to within 50 ms`, { skip }, async () => {
      const consumer = createToneConsumer();
      const sound = (piece: Sound) => consumer.accept(piece);

      const decoded = await decode({ ...(await open(file)), consumers: { sound } });

      assert.ok(decoded.sound !== null);
      const { tones } = await consumer.finish(decoded.sound);
      assert.deepEqual(
        tones.map(({ kind }) => kind),
        expected.map(({ kind }) => kind),
      );
      assertSpans(tones, { expected, tolerance: 0.05 });
    });
  }
}

function assertSpans(found: Span[], { expected, tolerance }: { expected: Span[]; tolerance: number }): void {
  for (const [index, { startSeconds, endSeconds }] of found.entries()) {
    const truth = expected[index];
    assert.ok(Math.abs(startSeconds - (truth?.startSeconds ?? NaN)) <= tolerance, `start ${startSeconds}`);
    assert.ok(Math.abs(endSeconds - (truth?.endSeconds ?? NaN)) <= tolerance, `end ${endSeconds}`);
  }
}
