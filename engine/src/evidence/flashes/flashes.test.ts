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
  red,
  type Scene,
  white,
  whole,
} from "../../../golden/frames.ts";
import type { FlashEvidence, FlashKind, FlashStandard, Region } from "../evidence.ts";
import { watch } from "./testing/watch.ts";

const flashing =
  (hertz: number, { region = whole, from = black, to = white } = {}): Scene =>
  (canvas, seconds) => {
    fill(canvas, { region: whole, colour: from });
    if (isLit(seconds, hertz)) fill(canvas, { region, colour: to });
  };

function only(evidence: FlashEvidence, standard: FlashStandard, kind: FlashKind = "general") {
  return evidence.sequences.filter((sequence) => sequence.standard === standard && sequence.kind === kind);
}

describe("counting", () => {
  for (const framesPerSecond of [24, 25, 30_000 / 1001, 50, 60_000 / 1001, 60]) {
    for (const hertz of [2, 3, 4, 10]) {
      test(`${hertz} flashes a second are ${hertz} at ${framesPerSecond.toFixed(2)} frames a second`, async () => {
        const times = everyFrame(framesPerSecond, 2.5);

        const evidence = await watch(flashing(hertz), { times });

        assert.equal(evidence.maxGeneralPerSecond, hertz);
        assert.equal(evidence.wcag.maxGeneralPerSecond, hertz);
        const [sequence, ...others] = only(evidence, "broadcast");
        assert.equal(others.length, 0);
        const changes = times.filter((time, index) => isLit(time, hertz) !== isLit(times[index - 1] ?? 0, hertz));
        assert.equal(sequence?.flashes, Math.floor(changes.length / 2));
        assert.equal(sequence?.startSeconds, changes[0]);
        assert.equal(sequence?.endSeconds, changes.at(-1));
        assert.equal(sequence?.areaShare, 1);
      });
    }
  }

  test("a little over three a second is more than three: a frequency, not whole flashes", async () => {
    // Eight frames of 25 a flash.
    const evidence = await watch(flashing(3.125));

    assert.equal(evidence.maxGeneralPerSecond, 4);
  });

  test("times rounded to milliseconds do not make four of three", async () => {
    const times = everyFrame(24, 4).map((seconds) => Math.round(seconds * 1000) / 1000);

    const evidence = await watch((canvas, seconds) => flashing(3)(canvas, Math.round(seconds * 24) / 24), { times });

    assert.equal(evidence.maxGeneralPerSecond, 3);
  });

  test("true times count at a variable frame rate", async () => {
    const random = createRandom(7);
    const times: number[] = [];
    for (let seconds = 0; seconds < 4; seconds += 0.01 + 0.03 * random()) times.push(seconds);

    assert.equal((await watch(flashing(3.7), { times })).maxGeneralPerSecond, 4);
    // The same pictures, twice as fast.
    const half = times.map((seconds) => seconds / 2);
    const faster = await watch((canvas, seconds) => flashing(3.7)(canvas, seconds * 2), { times: half });
    assert.equal(faster.maxGeneralPerSecond, 8);
  });

  test("every frame another: the fastest that 60 frames a second can show", async () => {
    const evidence = await watch(flashing(30), { times: everyFrame(60, 2) });

    assert.equal(evidence.maxGeneralPerSecond, 30);
  });

  test("three flashes and a cut within one second stay three", async () => {
    const changes = [0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

    const evidence = await watch((canvas, seconds) => {
      const isWhite = changes.filter((change) => change <= seconds + 1e-6).length % 2 === 1;
      fill(canvas, { region: whole, colour: isWhite ? white : black });
    });

    assert.equal(evidence.maxGeneralPerSecond, 3);
  });

  test("a cut just before does not hide the fourth flash", async () => {
    const changes = [0.04, 0.92, 1.04, 1.16, 1.28, 1.4, 1.52, 1.64, 1.76];

    const evidence = await watch((canvas, seconds) => {
      const isWhite = changes.filter((change) => change <= seconds + 1e-6).length % 2 === 1;
      fill(canvas, { region: whole, colour: isWhite ? white : black });
    });

    assert.equal(evidence.maxGeneralPerSecond, 4);
  });

  test("flashes at the smooth curve of a sine are counted as those of a square", async () => {
    for (const hertz of [2, 3, 4, 6]) {
      const evidence = await watch(
        (canvas, seconds) => {
          const light = 0.5 - 0.5 * Math.cos(2 * Math.PI * hertz * seconds);
          fill(canvas, { region: whole, colour: grey(Math.round(greyOfNits(200 * light))) });
        },
        { times: everyFrame(50, 3) },
      );

      assert.equal(evidence.maxGeneralPerSecond, hertz);
    }
  });

  test("sequences a while apart are two, with their own times and counts", async () => {
    const evidence = await watch(
      (canvas, seconds) => {
        const isOn = (seconds > 1 && seconds < 2) || (seconds > 5 && seconds < 7);
        if (isOn) flashing(5)(canvas, seconds);
      },
      { times: everyFrame(50, 8) },
    );

    assert.deepEqual(
      only(evidence, "broadcast").map(({ startSeconds, endSeconds, flashes }) => [startSeconds, endSeconds, flashes]),
      [
        [1.1, 2, 5],
        [5.1, 7, 10],
      ],
    );
  });

  test("a long sequence within the limits is one sequence", async () => {
    const evidence = await watch(flashing(2), { times: everyFrame(25, 8) });

    const [sequence] = only(evidence, "broadcast");
    assert.ok(sequence !== undefined && sequence.endSeconds - sequence.startSeconds > 5);
    assert.equal(sequence.maxPerSecond, 2);
    assert.equal(sequence.flashes, 15);
  });
});

describe("thresholds", () => {
  const step = (from: number, to: number) =>
    flashing(4, { from: grey(Math.round(greyOfNits(from))), to: grey(Math.round(greyOfNits(to))) });

  test("a change of 19 cd/m² is none, of 21 one", async () => {
    for (const dark of [0, 20, 60, 120]) {
      assert.equal((await watch(step(dark, dark + 19))).maxGeneralPerSecond, 0, `from ${dark}`);
      assert.equal((await watch(step(dark, dark + 21))).maxGeneralPerSecond, 4, `from ${dark}`);
    }
  });

  test("where the darker picture is over 160 cd/m² nothing flashes in SDR", async () => {
    assert.equal((await watch(step(158, 200))).maxGeneralPerSecond, 4);
    assert.equal((await watch(step(163, 200))).maxGeneralPerSecond, 0);
  });

  const shapes: Record<string, (share: number) => Region> = {
    "a band": (share) => ({ x: 0, y: 0, width: share, height: 1 }),
    "a strip": (share) => ({ x: 0, y: 0.3141, width: 1, height: share }),
    "a centred box": (share) => ({
      x: 0.5 - Math.sqrt(share) / 2,
      y: 0.5 - Math.sqrt(share) / 2,
      width: Math.sqrt(share),
      height: Math.sqrt(share),
    }),
    "a box off the grid": (share) => ({ x: 0.1234, y: 0.0777, width: share / 0.6, height: 0.6 }),
  };
  for (const [name, shapeOf] of Object.entries(shapes)) {
    test(`${name} of 24 % of the picture is too small for the broadcast rule and 26 % is not`, async () => {
      const small = await watch(flashing(4, { region: shapeOf(0.24) }));
      const large = await watch(flashing(4, { region: shapeOf(0.26) }));

      assert.equal(small.maxGeneralPerSecond, 0);
      assert.deepEqual(only(small, "broadcast"), []);
      assert.equal(large.maxGeneralPerSecond, 4);
      const [sequence] = only(large, "broadcast");
      assert.ok(sequence !== undefined && Math.abs(sequence.areaShare - 0.26) < 0.005, `${sequence?.areaShare}`);
      const { region } = sequence;
      const expected = shapeOf(0.26);
      assert.ok(region !== null && Math.abs(region.x - expected.x) < 0.02);
      assert.ok(Math.abs(region.width - expected.width) < 0.03);
      assert.ok(Math.abs(region.y - expected.y) < 0.03);
      assert.ok(Math.abs(region.height - expected.height) < 0.04);
    });
  }

  test("WCAG's ten degrees: 23 % of such a window is too small, 28 % is not", async () => {
    // 341 × 256 of the 1024 × 576 at which 16:9 is shown.
    const [width, height] = [341 / 1024, 256 / 576];
    const box = (share: number) => ({
      x: 0.41,
      y: 0.37,
      width: width * Math.sqrt(share),
      height: height * Math.sqrt(share),
    });

    const small = await watch(flashing(4, { region: box(0.23) }));
    const large = await watch(flashing(4, { region: box(0.28) }));

    assert.equal(small.wcag.maxGeneralPerSecond, 0);
    assert.equal(large.wcag.maxGeneralPerSecond, 4);
    assert.equal(large.maxGeneralPerSecond, 0);
    const [sequence] = only(large, "wcag");
    assert.ok(sequence !== undefined && Math.abs(sequence.windowShare - 0.28) < 0.02, `${sequence?.windowShare}`);
    assert.equal(sequence.flashes, 7);
  });

  test("small places all over the picture add up for broadcasting", async () => {
    const spots = Array.from({ length: 20 }, (_, index) => ({
      x: (index % 5) / 5,
      y: Math.floor(index / 5) / 4,
      width: 0.125,
      height: 0.125,
    }));

    const evidence = await watch((canvas, seconds) => {
      for (const region of spots) if (isLit(seconds, 4)) fill(canvas, { region, colour: white });
    });

    assert.equal(evidence.maxGeneralPerSecond, 4);
  });
});

describe("places that flash one after the other", () => {
  const left = { x: 0, y: 0, width: 0.5, height: 1 };
  const right = { x: 0.5, y: 0, width: 0.5, height: 1 };

  test("two halves in antiphase are found, though the mean stays the same, and count once each", async () => {
    for (const hertz of [2, 3, 4, 6]) {
      const evidence = await watch((canvas, seconds) => {
        fill(canvas, { region: isLit(seconds, hertz) ? left : right, colour: white });
      });

      assert.equal(evidence.maxGeneralPerSecond, hertz);
      const [sequence] = only(evidence, "broadcast");
      assert.equal(sequence?.areaShare, 1);
      const means = new Set(evidence.curve.luminance.map(Math.round));
      assert.deepEqual([...means], [100]);
    }
  });

  test("two places of 15 % in antiphase are concurrent and add up to 30 %", async () => {
    const evidence = await watch((canvas, seconds) => {
      const isFirst = isLit(seconds, 5);
      fill(canvas, { region: { x: isFirst ? 0.1 : 0.6, y: 0.2, width: 0.3, height: 0.5 }, colour: white });
    });

    assert.equal(evidence.maxGeneralPerSecond, 5);
    const areaShare = only(evidence, "broadcast")[0]?.areaShare ?? 0;
    assert.ok(Math.abs(areaShare - 0.3) < 0.005, `${areaShare}`);
  });

  test("a strobe that lights another third each time counts as one that stays", async () => {
    const evidence = await watch(
      (canvas, seconds) => {
        const third = Math.floor(6 * seconds + 1e-6) % 3;
        if (isLit(seconds, 6)) fill(canvas, { region: { x: third / 3, y: 0, width: 1 / 3, height: 1 }, colour: white });
      },
      { times: everyFrame(60, 3) },
    );

    assert.equal(evidence.maxGeneralPerSecond, 6);
    const [sequence] = only(evidence, "broadcast");
    assert.ok(sequence !== undefined && Math.abs(sequence.areaShare - 1 / 3) < 0.02, `${sequence?.areaShare}`);
  });
});

describe("red", () => {
  test("saturated red against black, white, blue, green and a darker red is counted", async () => {
    const others: (typeof red)[] = [black, white, [0, 0, 255], [0, 255, 0], [255, 255, 0], [170, 0, 0]];
    for (const other of others) {
      const evidence = await watch(flashing(4, { from: other, to: red }));

      assert.equal(evidence.maxRedPerSecond, 4, `red against ${other.join()}`);
      assert.equal(only(evidence, "broadcast", "red")[0]?.flashes, 7);
    }
  });

  test("red counts where its luminance changes too little for a general flash", async () => {
    const evidence = await watch(flashing(4, { from: grey(92), to: [200, 0, 0] }));

    assert.equal(evidence.maxGeneralPerSecond, 0);
    assert.equal(evidence.maxRedPerSecond, 4);
  });

  test("dark red against an orange of the same R−G−B counts by its distance in u'v'", async () => {
    // Linear (0.107, 0, 0) and (0.25, 0.143, 0).
    const evidence = await watch(flashing(4, { from: [137, 106, 0], to: [92, 0, 0] }));

    assert.equal(evidence.maxRedPerSecond, 4);
  });

  test("red at the threshold: (R−G−B)×320 of 19 is none, of 21 one", async () => {
    assert.equal((await watch(flashing(4, { to: [69, 0, 0] }))).maxRedPerSecond, 0);
    assert.equal((await watch(flashing(4, { to: [73, 0, 0] }))).maxRedPerSecond, 4);
  });

  test("skin, orange and pink are not saturated", async () => {
    const colours: (typeof red)[] = [
      [224, 172, 140],
      [255, 140, 0],
      [255, 105, 180],
      [200, 120, 90],
    ];
    for (const colour of colours) {
      assert.equal((await watch(flashing(4, { from: [40, 30, 30], to: colour }))).maxRedPerSecond, 0, colour.join());
    }
  });

  test("a red that stays while the rest flashes white is no red flash", async () => {
    const evidence = await watch((canvas, seconds) => {
      flashing(4)(canvas, seconds);
      fill(canvas, { region: { x: 0, y: 0, width: 0.5, height: 1 }, colour: red });
    });

    assert.equal(evidence.maxRedPerSecond, 0);
    assert.equal(evidence.maxGeneralPerSecond, 4);
  });
});
