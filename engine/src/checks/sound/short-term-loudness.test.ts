import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoudnessEvidence } from "../../evidence/evidence.ts";
import { filmProbe, judge, makeSound as sound } from "../../testing/evidence.ts";

const programme = { ...filmProbe, durationSeconds: 1800 };
const shortTerm = {
  check: { kind: "short-term-loudness", standard: "EBU R 128 s1", maxLufs: -18, targetLufs: -23, form: "short" },
};

/** Quiet, with windows of −16 LUFS that end between 12.1 s and 14 s. */
function burst(integratedLufs: number): LoudnessEvidence {
  const shortTermLufs = Array.from({ length: 300 }, (_, index) =>
    index < 29 ? null : index >= 120 && index < 140 ? -16 : -26,
  );
  const curve = { startSeconds: 0, stepSeconds: 0.1, momentaryLufs: [], shortTermLufs };
  return sound(integratedLufs, { maxShortTermLufs: -16, curve });
}

test("a loud burst of a quiet advertisement is found where it is", () => {
  const [finding] = judge(shortTerm, { loudness: burst(-23) });

  assert.deepEqual([finding?.location?.startSeconds, finding?.location?.endSeconds], [9.1, 14]);
  assert.match(finding?.summary ?? "", /The loudest three seconds reach −16 LUFS at 9\.1 s; −18 LUFS is the most\./);
  assert.match(finding?.recommendation ?? "", /^Lower the sound between 9\.1 s and 14 s by at least 2 dB/);
});

test("where setting the average cures the burst, that is what is recommended", () => {
  assert.match(
    judge(shortTerm, { loudness: burst(-20) })[0]?.recommendation ?? "",
    /^Lower the whole mix by 3 dB to −23 LUFS: the loudest seconds come down to −19 LUFS with it\./,
  );
});

test("programmes and sounds of less than three seconds have no short-term limit", () => {
  assert.deepEqual(judge(shortTerm, { loudness: burst(-23), probe: programme }), []);
  assert.deepEqual(judge(shortTerm, { loudness: sound(-10) }), []);
});
