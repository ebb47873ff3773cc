import assert from "node:assert/strict";
import { test } from "node:test";
import type { FrameFormat } from "../evidence.ts";
import { createNudityConsumer } from "./nudity.ts";

const format: FrameFormat = {
  width: 2,
  height: 1,
  displayWidth: 2,
  displayHeight: 1,
  transfer: "sdr",
  framesPerSecond: 25,
};

test("one frame every two seconds is looked at, and only strong scores are told", async () => {
  const seen: number[] = [];
  const pixels = new Uint8Array(6);
  const consumer = createNudityConsumer({
    models: {
      judgePicture: async (picture) => {
        await new Promise(setImmediate);
        seen.push(picture.pixels[0] ?? -1);
        return { nudity: (picture.pixels[0] ?? 0) >= 100 ? 0.97 : 0.2 };
      },
    },
  });

  for (let index = 0; index < 150; index += 1) {
    pixels.fill(index);
    await consumer.acceptSmall?.({ index, seconds: index / 25, pixels }, format);
  }
  const evidence = await consumer.finish({ small: null, text: null });

  assert.deepEqual(seen, [0, 50, 100]);
  assert.deepEqual(evidence, { looks: [{ seconds: 4, score: 0.97 }] });
});

test("the time of a picture that a person should look at is told", async () => {
  const consumer = createNudityConsumer({ models: { judgePicture: () => Promise.resolve({ nudity: 0.97 }) } });

  await consumer.acceptSmall?.({ index: 0, seconds: 0.52, pixels: new Uint8Array(6) }, format);
  await consumer.acceptSmall?.({ index: 1, seconds: 1.99, pixels: new Uint8Array(6) }, format);
  await consumer.acceptSmall?.({ index: 2, seconds: 2.03, pixels: new Uint8Array(6) }, format);

  assert.deepEqual(await consumer.finish({ small: null, text: null }), {
    looks: [
      { seconds: 0.52, score: 0.97 },
      { seconds: 2.03, score: 0.97 },
    ],
  });
});

test("a judge that fails fails the analysis", async () => {
  const consumer = createNudityConsumer({ models: { judgePicture: () => Promise.reject(new Error("gone")) } });

  await consumer.acceptSmall?.({ index: 0, seconds: 0, pixels: new Uint8Array(6) }, format);

  await assert.rejects(async () => consumer.finish({ small: null, text: null }), /gone/);
});
