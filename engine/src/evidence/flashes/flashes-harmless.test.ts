import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  black,
  createRandom,
  everyFrame,
  fill,
  grey,
  greyOfNits,
  isLit,
  type Scene,
  smallFormat,
  white,
  whole,
} from "../../../golden/frames.ts";
import type { FlashEvidence, FrameFormat } from "../evidence.ts";
import { watch } from "./testing/watch.ts";

function assertHarmless(evidence: FlashEvidence, what: string): void {
  assert.deepEqual(evidence.sequences, [], what);
  assert.ok(evidence.wcag.maxGeneralPerSecond <= 1, `${what}: ${evidence.wcag.maxGeneralPerSecond} a second`);
  assert.equal(evidence.wcag.maxRedPerSecond, 0, what);
}

/** Grey with grain: every pixel its own, another in every frame. */
function grainy(code: number, { strength, seed }: { strength: number; seed: number }): Scene {
  const random = createRandom(seed);
  return ({ pixels }) => {
    for (let n = 0; n < pixels.length; n += 3) {
      const value = Math.max(0, Math.min(255, code + strength * (random() + random() + random() - 1.5)));
      pixels[n] = value;
      pixels[n + 1] = value;
      pixels[n + 2] = value;
    }
  };
}

describe("harmless", () => {
  test("a photographer's flash", async () => {
    const evidence = await watch((canvas, seconds) => {
      fill(canvas, { region: whole, colour: grey(seconds > 0.99 && seconds < 1.07 ? 255 : 60) });
    });

    assertHarmless(evidence, "one flash");
    assert.equal(evidence.maxGeneralPerSecond, 1);
  });

  test("long slow fades, and a fade in and out", async () => {
    for (const periodSeconds of [2, 4, 8]) {
      const times = everyFrame(25, 8);

      const evidence = await watch(
        (canvas, seconds) => {
          const light = 0.5 - 0.5 * Math.cos((2 * Math.PI * seconds) / periodSeconds);
          fill(canvas, { region: whole, colour: grey(Math.round(greyOfNits(200 * light))) });
        },
        { times },
      );

      assertHarmless(evidence, `a fade of ${periodSeconds} s`);
    }
  });

  test("a ramp with a ripple on it is one change, not many", async () => {
    const evidence = await watch((canvas, seconds) => {
      const nits = 10 + 80 * seconds + (Math.round(seconds * 25) % 2 === 0 ? 8 : -8);
      fill(canvas, { region: whole, colour: grey(Math.round(greyOfNits(nits))) });
    });

    assertHarmless(evidence, "a ramp");
    assert.equal(evidence.maxGeneralPerSecond, 0);
  });

  test("cuts between scenes, dark and light, once a second", async () => {
    const evidence = await watch(
      (canvas, seconds) => fill(canvas, { region: whole, colour: grey(Math.floor(seconds) % 2 === 0 ? 40 : 220) }),
      { times: everyFrame(25, 6) },
    );

    assertHarmless(evidence, "cuts");
  });

  test("grain, even strong, in dark and light pictures", async () => {
    for (const [index, code] of [30, 120, 220].entries()) {
      assertHarmless(await watch(grainy(code, { strength: 50, seed: index + 1 })), `grain on ${code}`);
    }
  });

  test("blocks that compression shifts by a few codes with every key frame", async () => {
    const random = createRandom(9);
    const shifts = Array.from({ length: 20 * 12 * 25 }, () => Math.round(10 * (random() - 0.5)));

    const evidence = await watch(({ pixels, width, height }, seconds) => {
      const group = Math.floor(seconds * 12.5) % 25;
      for (let n = 0; n < width * height; n += 1) {
        const block = Math.floor((n % width) / 16) + 20 * Math.floor(n / width / 16);
        pixels.fill(190 + (shifts[group * 240 + block] ?? 0), n * 3, n * 3 + 3);
      }
    });

    assertHarmless(evidence, "compression");
  });

  test("colour noise of compression in black is no red", async () => {
    const random = createRandom(4);

    const evidence = await watch(({ pixels }, seconds) => {
      const isRed = isLit(seconds, 6);
      for (let n = 0; n < pixels.length; n += 3) pixels[n] = (isRed ? 30 : 0) + 4 * random();
    });

    assertHarmless(evidence, "dark red");
  });

  test("scrolling credits", async () => {
    const random = createRandom(2);
    const letters = Array.from({ length: 64 * 80 }, () => random() < 0.5);

    const evidence = await watch(
      ({ pixels, width, height }, seconds) => {
        const offset = Math.round(seconds * 25) * 0.75;
        for (let y = 0; y < height; y += 1) {
          const line = Math.floor((y + offset) / 9);
          if ((y + offset) % 9 > 5) continue;
          for (let x = 60; x < width - 60; x += 1) {
            const isInk = letters[((line % 64) * 80 + Math.floor(x / 4)) % letters.length] === true && x % 4 < 2;
            if (isInk) pixels.fill(235, (y * width + x) * 3, (y * width + x) * 3 + 3);
          }
        }
      },
      { times: everyFrame(25, 4) },
    );

    assertHarmless(evidence, "credits");
  });

  test("the same flashing as forbidden, on a small place", async () => {
    const evidence = await watch((canvas, seconds) => {
      if (isLit(seconds, 8)) fill(canvas, { region: { x: 0.7, y: 0.1, width: 0.12, height: 0.2 }, colour: white });
    });

    assertHarmless(evidence, "a blinking lamp");
  });
});

describe("found all the same", () => {
  const flashing: Scene = (canvas, seconds) =>
    fill(canvas, { region: whole, colour: isLit(seconds, 4) ? white : black });

  test("flashes under strong grain, exactly", async () => {
    const dark = grainy(50, { strength: 40, seed: 1 });
    const light = grainy(180, { strength: 40, seed: 2 });

    const evidence = await watch((canvas, seconds) => (isLit(seconds, 5) ? light : dark)(canvas, seconds));

    assert.equal(evidence.maxGeneralPerSecond, 5);
    assert.equal(evidence.sequences[0]?.flashes, 9);
  });

  test("flashes that begin with the first frame of a mid grey, downwards", async () => {
    const evidence = await watch((canvas, seconds) => {
      fill(canvas, { region: whole, colour: grey(isLit(seconds, 4) ? 20 : 140) });
    });

    assert.equal(evidence.maxGeneralPerSecond, 4);
  });

  test("in frames of any size and shape", async () => {
    const sizes = [
      [320, 180],
      [101, 180],
      [180, 320],
      [319, 177],
      [320, 134],
      [64, 48],
      [7, 5],
      [1, 1],
    ] as const;
    for (const [width, height] of sizes) {
      const format = { ...smallFormat, width, height, displayWidth: width * 6, displayHeight: height * 6 };

      const evidence = await watch(flashing, { format });

      assert.equal(evidence.maxGeneralPerSecond, 4, `${width} × ${height}`);
      assert.equal(evidence.sequences[0]?.areaShare, 1);
    }
  });

  test("hours into a film, as exactly as at its start", async () => {
    const times = everyFrame(25, 3).map((seconds) => 13_000 + seconds);

    const evidence = await watch((canvas, seconds) => flashing(canvas, seconds - 13_000), { times });

    assert.equal(evidence.maxGeneralPerSecond, 4);
    assert.equal(evidence.sequences[0]?.startSeconds, 13_000 + 4 / 25);
  });
});

describe("HDR", () => {
  /** 8-bit PQ codes of about 0, 10, 35, 100, 203, 240 and 1000 cd/m². */
  const pq = { black: 0, ten: 77, thirty: 103, hundred: 130, white: 148, whiter: 156, thousand: 192 };
  const alternating =
    (from: number, to: number): Scene =>
    (canvas, seconds) =>
      fill(canvas, { region: whole, colour: grey(isLit(seconds, 4) ? to : from) });
  const format: FrameFormat = { ...smallFormat, transfer: "pq" };

  test("PQ is judged in cd/m²: 20 apart where it is dark, by contrast above 160", async () => {
    const cases = [
      [pq.black, pq.ten, 0],
      [pq.ten, pq.thirty, 4],
      [pq.black, pq.hundred, 4],
      [pq.white, pq.whiter, 4],
      [pq.thousand, pq.thousand + 2, 0],
      [pq.thousand, pq.thousand + 8, 4],
    ] as const;
    for (const [from, to, expected] of cases) {
      const evidence = await watch(alternating(from, to), { format });

      assert.equal(evidence.notJudged, null);
      assert.equal(evidence.maxGeneralPerSecond, expected, `${from} to ${to}`);
    }
  });

  test("HLG is judged on its nominal display: 75 % of the signal is 203 cd/m²", async () => {
    const hlg: FrameFormat = { ...smallFormat, transfer: "hlg" };

    const still = await watch(alternating(191, 191), { format: hlg });
    const flashes = await watch(alternating(60, 191), { format: hlg });

    assert.ok(Math.abs((still.curve.luminance[0] ?? 0) - 203) < 4, `${still.curve.luminance[0]}`);
    assert.equal(still.maxGeneralPerSecond, 0);
    assert.equal(flashes.maxGeneralPerSecond, 4);
  });

  test("the light of PQ is right at its reference points", async () => {
    const luminance = async (code: number) =>
      (await watch(alternating(code, code), { format })).curve.luminance[0] ?? 0;

    assert.ok(Math.abs((await luminance(pq.hundred)) - 100) < 6);
    assert.ok(Math.abs((await luminance(pq.white)) - 203) < 10);
    assert.ok(Math.abs((await luminance(255)) - 10_000) < 1);
  });
});

test("the curve has a value every tenth of a second, whatever the frame rate", async () => {
  for (const framesPerSecond of [5, 25, 60]) {
    const { curve } = await watch((canvas) => fill(canvas, { region: whole, colour: white }), {
      times: everyFrame(framesPerSecond, 2),
    });

    assert.equal(curve.stepSeconds, 0.1);
    assert.ok(Math.abs(curve.luminance.length - 20) <= 1, `${curve.luminance.length}`);
    assert.ok(curve.luminance.every((nits) => Math.abs(nits - 200) < 0.1));
    assert.equal(curve.generalPerSecond.length, curve.luminance.length);
    assert.equal(curve.redPerSecond.length, curve.luminance.length);
  }
});
