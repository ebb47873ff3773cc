import assert from "node:assert/strict";
import { test } from "node:test";
import type { Super } from "../../evidence/evidence.ts";
import { filmProbe, judge, makeSuper } from "../../testing/evidence.ts";

const rule = { severity: "MINOR" as const, check: { kind: "text-contrast", minRatio: 4.5, minRatioLarge: 3 } };
const probe = { ...filmProbe, kind: "image" as const, video: null, audio: null };

function find(text: string, differences: Partial<Super>, width = 1200) {
  const still = { startSeconds: null, endSeconds: null, heightLines: 12, ...differences };
  const image = { width, height: 800, frameCount: 1, hasAlpha: false, orientation: null, durationSeconds: null };
  return judge(rule, { probe, image, supers: { supers: [makeSuper(text, still)], readerCalls: 1 } });
}

test("small text below 4.5:1 is found with its ratio and its place", () => {
  const [finding] = find("Free delivery this week", { contrastRatio: 2.6 });

  assert.equal(finding?.severity, "MINOR");
  assert.equal(finding.summary, "“Free delivery this week” has a contrast of 2.6:1; small text needs 4.5:1.");
  assert.deepEqual(finding.measurement, { value: 2.6, limit: 4.5, unit: ":1" });
  assert.equal(finding.location?.startSeconds, null);
  assert.ok(finding.location.region);
});

test("large text needs 3:1, and large is what is large on a page", () => {
  assert.deepEqual(find("Free delivery this week", { contrastRatio: 3.2, heightLines: 40 }), []);
  assert.equal(find("Free delivery this week", { contrastRatio: 3.2, heightLines: 40 }, 6000).length, 1);
});

test("what may just pass is only told", () => {
  assert.equal(find("Free delivery this week", { contrastRatio: 4.2 })[0]?.severity, "INFO");
});

test("logos, guesses and what could not be measured are left alone", () => {
  assert.deepEqual(find("ACME", { contrastRatio: 1.5 }), []);
  assert.deepEqual(find("Frae dslivery", { contrastRatio: 1.5, confidence: 0.7 }), []);
  assert.deepEqual(find("Free delivery", { contrastRatio: null }), []);
});
