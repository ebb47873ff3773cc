import assert from "node:assert/strict";
import { test } from "node:test";
import { analyze } from "./analyze.ts";
import { AnalysisError } from "./analysis-error.ts";
import { defineCheck, type Sidekick } from "./sidekick.ts";
import { builtInSidekicks } from "./sidekicks.ts";
import { golden, mediaTypeOf } from "./testing/golden.ts";

const rule = { code: "T-1", summary: "t", severity: "MINOR", why: "w", fix: "f", citation: null } as const;

function makeSidekick(checks: Sidekick["checks"]): Sidekick {
  return {
    sidekickId: "0197a3a0-0000-7000-8000-000000000001",
    name: "Test",
    description: "",
    jurisdictions: [],
    mediaKinds: ["video"],
    packVersion: "1",
    isDefault: false,
    rules: [rule],
    checks,
  };
}

function run(
  file: string,
  checks: Sidekick["checks"],
  options: { signal?: AbortSignal; onProgress?: (fraction: number) => void } = {},
) {
  const sidekick = makeSidekick(checks);
  const request = { file, mediaType: mediaTypeOf(file), sidekickIds: [sidekick.sidekickId], context: {} };
  return analyze(request, { ...options, sidekicks: [sidekick] });
}

test("evidence that no check asks for is not gathered", async () => {
  const check = defineCheck({
    needs: ["silences"],
    appliesTo: ["video"],
    run: ({ silences }) =>
      (silences ?? []).map((silence) => ({
        ruleCode: "T-1",
        summary: "quiet",
        severityReasoning: "r",
        severityReasoningHeadline: "h",
        sameness: "quiet",
        location: silence,
      })),
  });

  const { findings, measurements } = await run(golden("scenes.mp4"), [check]);

  assert.equal(findings.length, 1);
  assert.equal(findings[0]?.recommendation, "f");
  assert.equal(findings[0]?.location?.page, null);
  assert.ok(Math.abs((findings[0]?.location?.startSeconds ?? 0) - 1) < 0.05);
  assert.deepEqual([measurements.loudness, measurements.black, measurements.flashes], [null, null, null]);
});

test("progress follows the decode and never goes back", async () => {
  const progress: number[] = [];
  const check = defineCheck({ needs: ["black", "loudness"], appliesTo: ["video"], run: () => [] });

  await run(golden("scenes.mp4"), [check], { onProgress: (fraction) => progress.push(fraction) });

  assert.ok(progress.length > 20);
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
  assert.equal(progress.at(-1), 1);
});

test("a check for another kind of media is left out", async () => {
  const check = defineCheck({
    needs: ["document"],
    appliesTo: ["document"],
    run: () => assert.fail("it must not run"),
  });

  const { findings } = await run(golden("turned.mp4"), [check]);

  assert.deepEqual(findings, []);
});

test("the signal's reason is thrown when it was aborted", async () => {
  await assert.rejects(run(golden("scenes.mp4"), [], { signal: AbortSignal.abort(new Error("not now")) }), /not now/);
});

test("internal_error for a sidekick that is not installed", async () => {
  const file = golden("turned.mp4");
  const request = { file, mediaType: mediaTypeOf(file), sidekickIds: ["nobody"], context: {} };

  await assert.rejects(
    analyze(request),
    (error) => error instanceof AnalysisError && error.errorType === "internal_error",
  );
});

test("ids of sidekicks are UUIDs, codes of rules unique, and every rule explains itself", () => {
  const codes = builtInSidekicks.flatMap(({ rules }) => rules.map(({ code }) => code));

  assert.equal(new Set(codes).size, codes.length);
  for (const sidekick of builtInSidekicks) {
    assert.match(sidekick.sidekickId, /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const { why, fix, summary } of sidekick.rules) assert.ok(why !== "" && fix !== "" && summary !== "");
  }
});
