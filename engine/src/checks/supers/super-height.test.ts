import assert from "node:assert/strict";
import { test } from "node:test";
import type { Super } from "../../evidence/evidence.ts";
import { filmProbe, judge, makeSuper } from "../../testing/evidence.ts";

const uk = {
  check: {
    kind: "super-height",
    letters: "small",
    least: { lines: 30, of: 1080 },
    reduced: { lines: 26, of: 1080, when: "on an opaque block", needsHuman: true },
  },
};
const legal = "Subject to status. Over 18s only. UK residents.";

function height(lines: number, of = 1080): Partial<Super> {
  return { heightLines: lines, heightShare: lines / of };
}

function find(supers: Super[], rule: { check: { kind: string } } = uk) {
  return judge(rule, { supers: { supers, readerCalls: 0 } });
}

test("nothing is found in small print of the least height", () => {
  assert.deepEqual(find([makeSuper(legal, height(40))]), []);
});

test("low small print is found with what was measured, what is needed, and by how much to enlarge it", () => {
  const [finding] = find([makeSuper(legal, height(24))]);

  assert.equal(finding?.severity, "MAJOR");
  assert.equal(finding.summary, `“${legal}” is 18 lines high; it needs 30.`);
  assert.match(
    finding.severityReasoning,
    /capitals are 24 lines high in a picture of 1080 lines, so its small letters/,
  );
  assert.deepEqual(finding.measurement, { value: 18, limit: 30, unit: "lines" });
  assert.match(finding.recommendation, /Enlarge the text by 67 % \(small letters of 30 lines, capitals of about 40\)/);
  assert.equal(finding.location?.quote, legal);
});

test("within a line, and within what typefaces differ, it is minor", () => {
  const [finding] = find([makeSuper(legal, height(37))]);

  assert.equal(finding?.severity, "MINOR");
  assert.equal(finding.needsHuman, false);
  assert.match(finding.severityReasoning, /within what the measurement can tell/);
});

test("a height that is enough on a block only is minor, and a person looks for the block", () => {
  const [finding] = find([makeSuper(legal, height(34))]);

  assert.equal(finding?.severity, "MINOR");
  assert.equal(finding.needsHuman, true);
  assert.match(finding.severityReasoning, /30 are needed \(2\.8 % of the height\), or 26 on an opaque block\./);
});

test("text in capitals is measured by its capitals", () => {
  assert.deepEqual(find([makeSuper(legal.toUpperCase(), height(30))]), []);
});

test("the limit goes with the number of lines of the picture", () => {
  const probe = { ...filmProbe, video: filmProbe.video && { ...filmProbe.video, displayHeight: 720 } };
  const judgeAt = (lines: number) =>
    judge(uk, { probe, supers: { supers: [makeSuper(legal, height(lines, 720))], readerCalls: 0 } });

  assert.deepEqual(judgeAt(27), []);
  assert.deepEqual(judgeAt(16)[0]?.measurement, { value: 12, limit: 20, unit: "lines" });
});

test("a text that comes twice is one finding at its worst place, with the other one named", () => {
  const findings = find([
    makeSuper(legal, { ...height(26), startSeconds: 2, endSeconds: 6 }),
    makeSuper(legal, { ...height(22), startSeconds: 20, endSeconds: 25 }),
  ]);

  assert.equal(findings.length, 1);
  assert.equal(findings[0]?.location?.startSeconds, 20);
  assert.match(findings[0].severityReasoning, /The same text has the same fault at 2 s\./);
});

test("a slip of the reader does not change the fingerprint", () => {
  const [first] = find([makeSuper(legal, height(24))]);
  const [second] = find([makeSuper(legal.replace("status", "5tatus"), height(25))]);

  assert.equal(first?.fingerprint, second?.fingerprint);
});

test("a rule about some wording judges that, whatever it looks like, and leaves out what another rule judges", () => {
  const rule = { check: { kind: "super-height", letters: "capitals", least: { lines: 4, of: 100 } } };
  const paid = makeSuper("Paid for by Smith for Senate", height(30));

  const only = find([paid, makeSuper(legal, height(30))], {
    check: { ...rule.check, anyOf: ["paid for by"] } as never,
  });
  const others = find([paid, makeSuper(legal, height(30))], {
    check: { ...rule.check, noneOf: ["paid for by"] } as never,
  });

  assert.deepEqual(
    only.map(({ location }) => location?.quote),
    ["Paid for by Smith for Senate"],
  );
  assert.deepEqual(
    others.map(({ location }) => location?.quote),
    [legal],
  );
});
