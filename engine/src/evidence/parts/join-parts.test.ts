import assert from "node:assert/strict";
import { test } from "node:test";
import type { FlashSequence } from "../evidence.ts";
import { makeProbe } from "../probe/probe-shape.ts";
import type { Heard } from "../speech/speech.ts";
import type { FilmPart, PartEvidence } from "./film-part.ts";
import { joinFlashes } from "./join-light.ts";
import { joinSpeech } from "./join-sound.ts";
import { joinSpans } from "./join-spans.ts";
import { whyPartsDiffer } from "./parts-differ.ts";
import { isCut, planParts } from "./plan-parts.ts";

const probe = makeProbe({ kind: "audio", container: "wav", sizeBytes: 1, durationSeconds: 200 });
const [first, second] = planParts(
  probe,
  { longerThanSeconds: 10, partSeconds: 100 },
  { pictureSeconds: 0, soundSeconds: 0 },
) as [FilmPart, FilmPart];

test("a freeze over the cut is one, and two still pictures that meet at it stay two", () => {
  const over = joinSpans([
    { part: first, spans: [{ startSeconds: 90, endSeconds: 112 }] },
    { part: second, spans: [{ startSeconds: 88, endSeconds: 130 }] },
  ]);
  const met = joinSpans([
    { part: first, spans: [{ startSeconds: 90, endSeconds: 100 }] },
    {
      part: second,
      spans: [
        { startSeconds: 90, endSeconds: 100 },
        { startSeconds: 100, endSeconds: 130 },
      ],
    },
  ]);

  assert.deepEqual(over, [{ startSeconds: 90, endSeconds: 130 }]);
  assert.deepEqual(met, [
    { startSeconds: 90, endSeconds: 100 },
    { startSeconds: 100, endSeconds: 130 },
  ]);
});

test("flashing that goes on for longer than the parts overlap is one sequence with all its flashes", () => {
  const { sequences } = joinFlashes([
    { part: first, flashes: flashesOf(flash(60, 112, 208)) },
    { part: second, flashes: flashesOf(flash(88, 150, 248)) },
  ]);

  assert.deepEqual(
    sequences.map(({ startSeconds, endSeconds, flashes }) => [startSeconds, endSeconds, flashes]),
    [[60, 150, 360]],
  );
});

test("flashes that both parts have seen to their end count once, whoever saw them begin", () => {
  const { sequences } = joinFlashes([
    { part: first, flashes: flashesOf(flash(97, 103, 24), flash(105, 107, 8)) },
    { part: second, flashes: flashesOf(flash(97, 103, 24), flash(105, 107, 8)) },
  ]);

  assert.deepEqual(
    sequences.map(({ startSeconds, flashes }) => [startSeconds, flashes]),
    [
      [97, 24],
      [105, 8],
    ],
  );
});

test("speech over the cut is taken up to a pause from one part and after it from the next", () => {
  const joined = joinSpeech([
    { part: first, heard: [heard("one", 90, 97), heard("two", 98, 104), heard("thr", 105, 112)] },
    { part: second, heard: [heard("ne", 88, 97), heard("two", 98.03, 104), heard("three", 105, 113)] },
  ]);

  assert.deepEqual(
    joined.map(({ text }) => text),
    ["one", "two", "three"],
  );
});

test("parts that have heard something else at the cut are not joined", () => {
  const one = partOf(
    first,
    Array.from({ length: 1120 }, () => -20),
  );
  const [like, unlike] = [-20, -30].map((lufs) =>
    partOf(
      second,
      Array.from({ length: 1120 }, () => lufs),
    ),
  );

  assert.equal(whyPartsDiffer([one, like as PartEvidence]), null);
  assert.match(whyPartsDiffer([one, unlike as PartEvidence]) ?? "", /sound around 100 s/);
});

test("a film is cut only where it is long and its frames come at a steady rate", () => {
  const length = { longerThanSeconds: 100, partSeconds: 50 };
  const video = { isConstantFrameRate: true, framesPerSecond: 25 } as NonNullable<typeof probe.video>;
  const film = { ...probe, kind: "video" as const, video };

  assert.equal(isCut(film, length), true);
  assert.equal(isCut({ ...film, durationSeconds: 100 }, length), false);
  assert.equal(isCut({ ...film, truncatedAtSeconds: 150 }, length), false);
  assert.equal(isCut({ ...film, video: { ...video, isConstantFrameRate: false } }, length), false);
});

function flash(startSeconds: number, endSeconds: number, flashes: number): FlashSequence {
  const kinds = { kind: "general", standard: "broadcast" } as const;
  return { ...kinds, startSeconds, endSeconds, flashes, maxPerSecond: 4, areaShare: 1, windowShare: 1, region: null };
}

function flashesOf(...sequences: FlashSequence[]): NonNullable<PartEvidence["flashes"]> {
  const none = { maxGeneralPerSecond: 4, maxRedPerSecond: 0 };
  const curve = { stepSeconds: 0.1, luminance: [], generalPerSecond: [], redPerSecond: [] };
  return { notJudged: null, ...none, wcag: none, sequences, curve, curveFromStep: 0 };
}

function heard(text: string, startSeconds: number, endSeconds: number): Heard {
  const sure = { confidence: 1, logLikelihoods: [], unknownShare: 0, isCutOff: false, language: null };
  return { ...sure, text, startSeconds, endSeconds, disagreement: null, voiceLikelihood: 1 };
}

function partOf(part: FilmPart, momentaryLufs: number[]): PartEvidence {
  const { soundFromSeconds: startSeconds } = part.range;
  const loudness = { startSeconds, momentaryLufs, shortTermLufs: momentaryLufs, truePeak: 1 };
  return { part, loudness, flashes: null } as PartEvidence;
}
