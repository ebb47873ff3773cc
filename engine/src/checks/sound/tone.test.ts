import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToneEvidence } from "../../evidence/evidence.ts";
import { judge } from "../../testing/evidence.ts";

const rule = {
  severity: "CRITICAL" as const,
  check: {
    kind: "tone",
    tones: ["eas_attention", "eas_header"],
    forbiddenIn: ["US"],
    severityWhereUndeclared: "MAJOR",
  },
};

const alert: ToneEvidence = {
  tones: [
    { kind: "eas_header", startSeconds: 2, endSeconds: 3, levelDbfs: -12 },
    { kind: "eas_header", startSeconds: 4, endSeconds: 5, levelDbfs: -12 },
    { kind: "eas_attention", startSeconds: 6, endSeconds: 14, levelDbfs: -8.4 },
  ],
};

test("one alert is one finding, critical in the US", () => {
  const findings = judge(rule, { tones: alert }, { jurisdictions: ["US"] });

  assert.equal(findings.length, 1);
  assert.equal(findings[0]?.severity, "CRITICAL");
  assert.deepEqual([findings[0].location?.startSeconds, findings[0].location?.endSeconds], [2, 14]);
  assert.match(findings[0].summary, /header codes .* and the Attention Signal .* from 2 s to 14 s\./);
  assert.match(findings[0].severityReasoning, /at up to −8\.4 dBFS/);
});

test("where nothing is declared it is milder, and elsewhere it is only told", () => {
  const [open] = judge(rule, { tones: alert });
  const [elsewhere] = judge(rule, { tones: alert }, { jurisdictions: ["UK"] });

  assert.deepEqual([open?.severity, elsewhere?.severity], ["MAJOR", "INFO"]);
  assert.match(open?.severityReasoning ?? "", /No jurisdiction was declared: it is forbidden in the US\./);
  assert.match(elsewhere?.severityReasoning ?? "", /not among the declared jurisdictions \(UK\)/);
});

test("tones of another rule, and of another minute, are told apart", () => {
  const tones = [
    { kind: "weather_alarm" as const, startSeconds: 1, endSeconds: 3, levelDbfs: -10 },
    { kind: "eas_attention" as const, startSeconds: 5, endSeconds: 8, levelDbfs: -10 },
    { kind: "eas_attention" as const, startSeconds: 100, endSeconds: 104, levelDbfs: -10 },
  ];

  const findings = judge(rule, { tones: { tones } }, { jurisdictions: ["US"] });

  assert.deepEqual(
    findings.map(({ location }) => location?.startSeconds),
    [5, 100],
  );
});
