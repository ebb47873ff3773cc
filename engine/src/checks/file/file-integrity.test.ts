import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyEvidence } from "../../evidence/empty-evidence.ts";
import type { Probe, VideoProbe } from "../../evidence/probe/probe-shape.ts";
import { judgeRules, planRules } from "../../rules/judge.ts";
import { filmProbe } from "../../testing/evidence.ts";
import { builtIn } from "../../testing/sidekicks.ts";

const sidekick = await builtIn("file-integrity");

const film = filmProbe;
const video = film.video as VideoProbe;

function run(probe: Probe) {
  const evidence = emptyEvidence(probe);
  const plan = planRules([sidekick], { probe, context: {}, today: "2026-01-01" });
  return judgeRules(plan, { evidence, text: { tracks: [] }, context: {} });
}

test("nothing is found in a well-made film", () => {
  assert.deepEqual(run(film), []);
});

test("sound that ends two seconds early is found with its arithmetic", () => {
  const [finding] = run({ ...film, audio: film.audio && { ...film.audio, durationSeconds: 28 } });

  assert.equal(finding?.ruleCode, "FILE-DURATION-MISMATCH");
  assert.match(finding?.summary ?? "", /The sound ends 2 s before the picture/);
  assert.deepEqual(finding?.measurement, { value: 2, limit: 0.5, unit: "s" });
  assert.deepEqual([finding?.location?.startSeconds, finding?.location?.endSeconds], [28, 30]);
  assert.match(finding?.severityReasoning ?? "", /2 s apart, where 0.5 s .* A stream that ends early/);
});

test("a cut-off film is reported once, not also as a mismatch", () => {
  const codes = run({ ...film, truncatedAtSeconds: 12, durationSeconds: 12 }).map(({ ruleCode }) => ruleCode);

  assert.deepEqual(codes, ["FILE-TRUNCATED"]);
});

test("a file whose end is missing is found although it does not say how long it should be", () => {
  const [finding] = run({ ...film, truncatedAtSeconds: 4.000_01, containerDurationSeconds: null });

  assert.equal(finding?.ruleCode, "FILE-TRUNCATED");
  assert.equal(finding.summary, "The file breaks off after 4 s: its end is missing.");
  assert.equal(finding.location?.startSeconds, 4);
});

test("a small, silent, untagged film of uneven frames has four findings", () => {
  const colour = { transferName: null, primaries: null, matrix: null, range: null, transfer: "sdr" } as const;
  const poor = { ...video, displayWidth: 426, displayHeight: 240, isConstantFrameRate: false, colour };

  const codes = run({ ...film, video: poor, audio: null, audioStreamCount: 0 }).map(({ ruleCode }) => ruleCode);

  assert.deepEqual(codes.toSorted(), [
    "FILE-LOW-RESOLUTION",
    "FILE-NO-AUDIO",
    "FILE-UNKNOWN-COLOUR",
    "FILE-VARIABLE-FRAME-RATE",
  ]);
});

test("an upright film of 1080 lines is not called small", () => {
  assert.deepEqual(run({ ...film, video: { ...video, displayWidth: 1080, displayHeight: 1920 } }), []);
});

test("a document without pages is empty; one that does not count them is not", () => {
  const document: Probe = { ...film, kind: "document", video: null, audio: null };

  assert.deepEqual(
    run({ ...document, pages: 0 }).map(({ ruleCode }) => ruleCode),
    ["FILE-EMPTY-DOCUMENT"],
  );
  assert.deepEqual(run({ ...document, pages: null }), []);
});
