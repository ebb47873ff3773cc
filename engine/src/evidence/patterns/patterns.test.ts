import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createRandom,
  everyFrame,
  fill,
  grey,
  greyOfNits,
  type Scene,
  show,
  smallFormat,
  whole,
} from "../../../golden/frames.ts";
import type { PatternEvidence, Region } from "../evidence.ts";
import { createPatternConsumer } from "./patterns.ts";

function watch(scene: Scene, options: { times?: number[] } = {}): Promise<PatternEvidence> {
  const consumer = createPatternConsumer(smallFormat);
  return show(scene, { times: options.times ?? everyFrame(25, 0.6), format: smallFormat, consumer });
}

/** Draws light where `isLight` says so, of places in fractions of the height, from the middle. */
function draw(
  isLight: (x: number, y: number, seconds: number) => boolean,
  { region = whole, light = 200, dark = 0 }: { region?: Region; light?: number; dark?: number } = {},
): Scene {
  const lightCode = Math.round(greyOfNits(light));
  const darkCode = Math.round(greyOfNits(dark));
  return ({ pixels, width, height }, seconds) => {
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const across = x / width;
        const down = y / height;
        const isInside =
          across >= region.x && across < region.x + region.width && down >= region.y && down < region.y + region.height;
        const isLit = isInside && isLight((x + 0.5 - width / 2) / height, (y + 0.5 - height / 2) / height, seconds);
        pixels.fill(isLit ? lightCode : darkCode, (y * width + x) * 3, (y * width + x) * 3 + 3);
      }
    }
  };
}

const isOdd = (value: number) => Math.abs(Math.floor(value)) % 2 === 1;
/** `pairs` in the height of the picture. */
const slanted = (pairs: number, degrees: number) => (x: number, y: number) =>
  isOdd(100 + 2 * pairs * (x * Math.cos((degrees * Math.PI) / 180) + y * Math.sin((degrees * Math.PI) / 180)));

test("stripes all over the picture are found whatever their direction and width", async () => {
  for (const degrees of [0, 20, 45, 70, 90, 135]) {
    for (const pairs of [9, 30]) {
      const { patterns } = await watch(draw(slanted(pairs, degrees)));

      assert.equal(patterns.length, 1, `${pairs} pairs at ${degrees} degrees`);
      assert.ok((patterns[0]?.areaShare ?? 0) > 0.75, `${patterns[0]?.areaShare} at ${degrees}, ${pairs}`);
      assert.equal(patterns[0]?.motion, "still");
      assert.equal(patterns[0]?.startSeconds, 0);
    }
  }
});

test("six pairs are more than five, and five are not", async () => {
  const stripes = (pairs: number) => draw((x) => isOdd(100 + (x / (16 / 9)) * 2 * pairs));

  assert.equal((await watch(stripes(6))).patterns[0]?.pairs, 6);
  assert.deepEqual((await watch(stripes(5))).patterns, []);
});

test("rings, and squares of a checkerboard, are found", async () => {
  const rings = await watch(draw((x, y) => isOdd(Math.hypot(x, y) * 24)));
  const checks = await watch(draw((x, y) => isOdd(100 + x * 16) !== isOdd(100 + y * 16)));

  assert.equal(rings.patterns.length, 1);
  assert.equal(checks.patterns.length, 1);
});

test("a checked shirt in a corner is not, nor stripes on a fifth of the picture", async () => {
  const shirt = { x: 0.05, y: 0.55, width: 0.3, height: 0.45 };
  const band = { x: 0, y: 0.2, width: 1, height: 0.2 };

  assert.deepEqual(
    (await watch(draw((x, y) => isOdd(100 + x * 40) !== isOdd(100 + y * 40), { region: shirt }))).patterns,
    [],
  );
  assert.deepEqual((await watch(draw(slanted(15, 0), { region: band }))).patterns, []);
  const large = { x: 0.1, y: 0.1, width: 0.6, height: 0.6 };
  const { patterns } = await watch(draw(slanted(15, 0), { region: large }));
  assert.ok(Math.abs((patterns[0]?.areaShare ?? 0) - 0.36) < 0.04, `${patterns[0]?.areaShare}`);
  assert.ok(Math.abs((patterns[0]?.region?.x ?? 0) - 0.1) < 0.03);
});

test("faint and dark stripes are not found", async () => {
  assert.deepEqual((await watch(draw(slanted(15, 0), { light: 118, dark: 100 }))).patterns, []);
  assert.deepEqual((await watch(draw(slanted(15, 0), { light: 45, dark: 0 }))).patterns, []);
  const { patterns } = await watch(draw(slanted(15, 0), { light: 60, dark: 0 }));
  assert.ok(Math.abs((patterns[0]?.brightNits ?? 0) - 60) < 2);
});

test("less than half a second is not found; times are those of the cuts", async () => {
  const striped = draw(slanted(12, 0));
  const between =
    (start: number, end: number): Scene =>
    (canvas, seconds) => {
      if (seconds > start - 1e-6 && seconds < end - 1e-6) striped(canvas, seconds);
      else fill(canvas, { region: whole, colour: grey(128) });
    };
  const times = everyFrame(25, 3);

  assert.deepEqual((await watch(between(1, 1.4), { times })).patterns, []);
  const { patterns } = await watch(between(1.08, 2.04), { times });
  assert.deepEqual(
    patterns.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]),
    [[1.08, 2.04]],
  );
});

test("stripes that drift are moving, and those that change places reversing", async () => {
  const drifting = await watch(draw((x, _, seconds) => isOdd(100 + 20 * x + 4 * seconds)));
  const reversing = await watch(
    draw((x, _, seconds) => isOdd(100 + 20 * x) !== isOdd(Math.floor(seconds * 10 + 1e-6))),
  );

  assert.equal(drifting.patterns[0]?.motion, "moving");
  assert.equal(reversing.patterns[0]?.motion, "reversing");
});

test("noise, clouds, lines of text and gradients are no patterns", async () => {
  const random = createRandom(11);
  const noise: Scene = ({ pixels }) => {
    for (let n = 0; n < pixels.length; n += 1) pixels[n] = 255 * random();
  };
  const clouds: Scene = ({ pixels, width, height }) => {
    for (let n = 0; n < width * height; n += 1) {
      const [x, y] = [n % width, Math.floor(n / width)];
      const value = 128 + 60 * Math.sin(x / 23 + Math.sin(y / 17) * 2) + 50 * Math.sin(y / 31 + Math.sin(x / 41) * 3);
      pixels.fill(value, n * 3, n * 3 + 3);
    }
  };
  const letters = Array.from({ length: 12 * 60 }, () => random());
  const text = draw((x, y) => {
    const line = Math.floor((y + 0.5) * 12);
    const letter = Math.floor((x + 0.9) * 33);
    const isGap = ((y + 0.5) * 12) % 1 > 0.55 || (letters[line * 60 + letter] ?? 0) > 0.75;
    return !isGap && ((x + 0.9) * 33 + 3 * (letters[line * 60 + letter] ?? 0)) % 1 < 0.45;
  });
  for (const [name, scene] of Object.entries({ noise, clouds, text })) {
    assert.deepEqual((await watch(scene)).patterns, [], name);
  }
});
