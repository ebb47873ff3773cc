import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoudnessEvidence } from "../../evidence/evidence.ts";
import { filmProbe, judge, makeSound as sound, makeSpeech } from "../../testing/evidence.ts";

const ebu = { kind: "loudness", standard: "EBU R 128 s1", target: -23, toleranceLu: 0.5, meterToleranceLu: 0.2 };
const programme = { ...filmProbe, durationSeconds: 1800 };

test("a mix within the tolerance, and one of silence, are not found", () => {
  assert.deepEqual(judge({ check: ebu }, { loudness: sound(-23.5) }), []);
  assert.deepEqual(judge({ check: ebu }, { loudness: sound(-22.5) }), []);
  assert.deepEqual(judge({ check: ebu }, { loudness: sound(null) }), []);
});

test("a mix that is too loud is found with its arithmetic and the gain that cures it", () => {
  const [finding] = judge({ check: ebu }, { loudness: sound(-14.2) });

  assert.equal(finding?.severity, "MAJOR");
  assert.equal(finding.summary, "The sound averages −14.2 LUFS, 8.8 LU above the −23 LUFS of EBU R 128 s1.");
  assert.equal(finding.severityReasoningHeadline, "−14.2 LUFS; −23 ± 0.5 is asked for");
  assert.match(finding.severityReasoning, /−14\.2 − \(−23\) = \+8\.8 LU, where ±0\.5 LU is allowed\./);
  assert.equal(finding.recommendation, "Lower the whole mix by 8.8 dB, then measure it again.");
  assert.deepEqual(finding.measurement, { value: -14.2, limit: -23, unit: "LUFS" });
});

test("what two meters may differ by is told, not held against it", () => {
  assert.equal(judge({ check: ebu }, { loudness: sound(-22.3) })[0]?.severity, "INFO");
  assert.equal(judge({ check: ebu }, { loudness: sound(-22.2) })[0]?.severity, "MAJOR");
});

test("a gain that would lift the peaks over their limit comes with the limit", () => {
  const check = { ...ebu, maxTruePeakDbtp: -1 };

  assert.match(
    judge({ check }, { loudness: sound(-30, { truePeakDbtp: -5 }) })[0]?.recommendation ?? "",
    /^Raise the whole mix by 7 dB and limit its peaks to −1 dBTP: the gain alone would lift them to \+2 dBTP\./,
  );
  assert.equal(
    judge({ check }, { loudness: sound(-30, { truePeakDbtp: -12 }) })[0]?.recommendation,
    "Raise the whole mix by 7 dB, then measure it again.",
  );
});

test("a rule on one side leaves the other alone, and too loud is another problem than too quiet", () => {
  assert.deepEqual(judge({ check: { ...ebu, side: "loud" } }, { loudness: sound(-30) }), []);
  assert.deepEqual(judge({ check: { ...ebu, side: "quiet" } }, { loudness: sound(-14) }), []);
  assert.notEqual(
    judge({ check: ebu }, { loudness: sound(-14) })[0]?.fingerprint,
    judge({ check: ebu }, { loudness: sound(-30) })[0]?.fingerprint,
  );
});

test("short and long pieces have rules of their own", () => {
  const loud = { loudness: sound(-14) };

  assert.equal(judge({ check: { ...ebu, form: "short" } }, loud).length, 1);
  assert.equal(judge({ check: { ...ebu, form: "long" } }, loud).length, 0);
  assert.equal(judge({ check: { ...ebu, form: "short" } }, { ...loud, probe: programme }).length, 0);
  assert.equal(judge({ check: { ...ebu, form: "long" } }, { ...loud, probe: programme }).length, 1);
});

const netflix = {
  check: {
    kind: "loudness",
    standard: "the mix specification",
    target: -24,
    toleranceLu: 2,
    unit: "LKFS",
    dialogue: { target: -27, leastShare: 0.15, minorUpToLu: 3 },
  },
};

/** Music at one level for 20 s, then a voice at another for 10 s. */
function musicAndVoice(musicLufs: number, voiceLufs: number): LoudnessEvidence {
  const momentaryLufs = Array.from({ length: 300 }, (_, index) => (index < 200 ? musicLufs : voiceLufs));
  return sound(-20, { curve: { startSeconds: 0, stepSeconds: 0.1, momentaryLufs, shortTermLufs: [] } });
}

test("dialogue is measured where somebody speaks, and said to be an estimate", () => {
  const speech = makeSpeech([20.5, 30, "Once upon a time"]);

  assert.deepEqual(judge(netflix, { loudness: musicAndVoice(-18, -27), speech }), []);
  const [finding] = judge(netflix, { loudness: musicAndVoice(-27, -20), speech });
  assert.equal(finding?.summary, "The speech averages −20 LKFS, 7 LU above the −27 LKFS of the mix specification.");
  assert.match(finding.severityReasoning, /32 % of the time.*This is an estimate/);
});

test("dialogue a little beyond the tolerance is minor", () => {
  const speech = makeSpeech([20.5, 30, "Once upon a time"]);

  assert.equal(judge(netflix, { loudness: musicAndVoice(-18, -24.4), speech })[0]?.severity, "MINOR");
});

test("where hardly anybody speaks the whole is measured", () => {
  const [finding] = judge(netflix, { loudness: musicAndVoice(-18, -27), speech: makeSpeech([20, 21, "Well"]) });

  assert.equal(finding?.summary, "The sound averages −20 LKFS, 4 LU above the −24 LKFS of the mix specification.");
});
