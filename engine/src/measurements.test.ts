import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyEvidence } from "./evidence/empty-evidence.ts";
import type { Evidence } from "./evidence/evidence.ts";
import { measurementsOf } from "./measurements.ts";

function given(evidence: Partial<Evidence>): Evidence {
  return { ...emptyEvidence({ container: "srt" } as Evidence["probe"]), ...evidence };
}

test("a curve of four hours is thinned to at most 20,000 points and keeps its loudest moment", () => {
  const momentaryLufs: (number | null)[] = Array.from({ length: 144_000 }, () => -23.04);
  momentaryLufs[77_777] = -3.26;
  const curve = { startSeconds: 0, stepSeconds: 0.1, momentaryLufs, shortTermLufs: momentaryLufs.map(() => null) };
  const loudness = {
    integratedLufs: -22.996,
    maxShortTermLufs: null,
    maxMomentaryLufs: -3.26,
    rangeLu: 0,
    truePeakDbtp: -1,
    curve,
  };

  const kept = measurementsOf(given({ loudness })).loudness;

  assert.equal(kept?.integratedLufs, -23);
  assert.ok(kept.curve.momentaryLufs.length <= 20_000);
  assert.equal(kept.curve.stepSeconds * kept.curve.momentaryLufs.length, 14_400);
  assert.equal(kept.curve.momentaryLufs[Math.floor(77_777 / 8)], -3.3);
  assert.equal(kept.curve.shortTermLufs[0], null);
});

test("what a database would refuse is taken out: NUL, half a surrogate pair, numbers that are none", () => {
  const pages = [{ page: 1, text: "a\0b\ud83d", blocks: [], needsReading: false }];

  const kept = measurementsOf(
    given({ document: { pages, cues: null, limits: [] }, nudity: { looks: [{ seconds: 1, score: Number.NaN }] } }),
  );

  assert.deepEqual(kept.pages, [{ page: 1, text: "ab\ufffd" }]);
  assert.deepEqual(kept.nudity, [{ seconds: 1, score: null }]);
});

test("a caption file is a track of captions, beside its text", () => {
  const cues = [{ startSeconds: 1, endSeconds: 2, text: "Hello", lines: ["Hello"] }];

  const kept = measurementsOf(given({ document: { pages: [], cues, limits: [] } }));

  assert.deepEqual(kept.captions, [{ language: null, codec: "srt", cues }]);
});

test("what was not checked is named with its place, once for each reason, whoever left it out", () => {
  const supers = {
    supers: [],
    readerCalls: 1,
    omissions: [
      { what: "Text in Greek was not read.", startSeconds: 1, endSeconds: 2.54 },
      { what: "Text in Greek was not read.", startSeconds: 4 },
    ],
  };
  const document = {
    pages: [],
    cues: null,
    limits: ["Only the first page was read."],
    omissions: [{ what: "A picture was not read.", page: 2 }],
  };

  const kept = measurementsOf(given({ supers, document }));

  assert.deepEqual(kept.omissions, [
    "Only the first page was read.",
    "A picture was not read (page 2).",
    "Text in Greek was not read (1 to 2.5 s, 4 s).",
  ]);
});
