import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cue, Evidence } from "../../evidence/evidence.ts";
import { filmProbe, judge } from "../../testing/evidence.ts";

function cue(startSeconds: number, endSeconds: number, ...lines: string[]): Cue {
  return { startSeconds, endSeconds, text: lines.join("\n"), lines };
}

function file(...cues: Cue[]): Partial<Evidence> {
  const probe = { ...filmProbe, kind: "document" as const, video: null, audio: null };
  return { probe, document: { pages: [], cues, limits: [] } };
}

function limit(name: string, value: number, per?: string) {
  return { check: { kind: "caption-format", limit: name, value, ...(per === undefined ? {} : { per }) } };
}

const long = "This line goes on until it no longer fits on any screen.";

test("long lines of a caption file are one finding with the worst, the number and the share", () => {
  const captions = file(cue(1, 4, "Short."), cue(5, 9, long), cue(10, 14, `${long} Really.`), cue(15, 18, "Short."));

  const [finding, ...others] = judge(limit("line-length", 42), captions);

  assert.deepEqual(others, []);
  assert.equal(
    finding?.summary,
    "In the caption file 2 captions have a line of more than 42 characters; the worst is “This line goes on until it no longer fits on any screen. Re…” at 10 s (64 characters).",
  );
  assert.match(
    finding.severityReasoning,
    /^2 of 4 captions \(50 %\): at 10 s \(64 characters\) and 5 s \(56 characters\)\./,
  );
  assert.deepEqual(finding.measurement, { value: 64, limit: 42, unit: "characters" });
});

test("a letter with its accents is one character", () => {
  assert.deepEqual(judge(limit("line-length", 4), file(cue(1, 4, "cafe\u0301"))), []);
});

for (const [name, rule, bad, good] of [
  ["too many lines", limit("lines", 2), cue(1, 4, "a", "b", "c"), cue(1, 4, "a", "b")],
  [
    "too many characters a second",
    limit("reading-speed", 20, "characters-a-second"),
    cue(1, 2, "x".repeat(21)),
    cue(1, 2, "x".repeat(20)),
  ],
  [
    "too many words a minute",
    limit("reading-speed", 180, "words-a-minute"),
    cue(1, 2, "one two three four"),
    cue(1, 2, "one two three"),
  ],
  ["too short a time", limit("shortest", 0.833), cue(1, 1.8, "a"), cue(1, 1.833, "a")],
  ["too long a time", limit("longest", 7), cue(1, 8.1, "a"), cue(1, 8, "a")],
] as const) {
  test(`a caption with ${name} is found, one at the limit is not`, () => {
    assert.equal(judge(rule, file(bad)).length, 1);
    assert.deepEqual(judge(rule, file(good)), []);
  });
}

test("a gap of less than two frames is found by the frame rate of the film", () => {
  const track = (gap: number) => ({
    tracks: [{ language: "eng", codec: "mov_text", cues: [cue(1, 2, "a"), cue(2 + gap, 3, "b")] }],
  });
  const probe = { ...filmProbe, video: filmProbe.video && { ...filmProbe.video, framesPerSecond: 50 } };

  assert.equal(judge(limit("gap", 2), { captions: track(0.04) }).length, 1);
  assert.deepEqual(judge(limit("gap", 2), { captions: track(0.08) }), []);
  assert.deepEqual(judge(limit("gap", 2), { captions: track(0.04), probe }), []);
});

test("captions that overlap are found, whatever their order in the file, and are no gap", () => {
  const captions = file(cue(3, 5, "Overlaps the first"), cue(1, 3.5, "The first"));

  const [finding] = judge(limit("overlap", 0), captions);

  assert.equal(
    finding?.summary,
    "In the caption file one caption is still there when the next begins: “The first” at 1 s (0.5 s).",
  );
  assert.deepEqual(judge(limit("gap", 2), captions), []);
  assert.deepEqual(judge(limit("overlap", 0), file(cue(1, 3, "a"), cue(3, 5, "b"))), []);
});

test("each track of a film is judged for itself, and a text that is no captions is not judged", () => {
  const tracks = ["eng", "deu"].map((language) => ({ language, codec: "subrip", cues: [cue(1, 5, long)] }));

  assert.deepEqual(
    judge(limit("line-length", 42), { captions: { tracks } }).map(({ summary }) => summary.slice(0, 28)),
    ["In the English caption track", "In the German caption track "],
  );
  assert.deepEqual(judge(limit("line-length", 42), { ...file(), document: { pages: [], cues: null, limits: [] } }), []);
});
