import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { analyze } from "./analyze.ts";
import { gatherEvidence } from "./evidence/gather.ts";
import { probeFile } from "./evidence/probe/probe.ts";
import type { EvidenceKey } from "./evidence/evidence.ts";
import { openModels } from "./models/open-models.ts";
import { golden, mediaTypeOf } from "./testing/golden.ts";
import { makeScratch } from "./testing/scratch.ts";
import { makeSidekick } from "./testing/sidekicks.ts";

const maxDurationSeconds = 3600;

async function gather(name: string, needs: EvidenceKey[], onProgress: (fraction: number) => void = () => undefined) {
  const file = golden(name);
  const mediaType = mediaTypeOf(name);
  await using models = openModels();
  const probe = await probeFile({ file, mediaType, maxDurationSeconds, signal: undefined });
  return gatherEvidence({
    file,
    mediaType,
    probe,
    needs: new Set(needs),
    maxDurationSeconds,
    signal: undefined,
    onProgress,
    models,
  });
}

test("evidence that nothing asks for is not gathered", async () => {
  const { silences, loudness, black, flashes } = await gather("scenes.mp4", ["silences"]);

  assert.ok(Math.abs((silences?.[0]?.startSeconds ?? 0) - 1) < 0.05);
  assert.deepEqual([loudness, black, flashes], [null, null, null]);
});

test("progress follows the decode and never goes back", async () => {
  const progress: number[] = [];

  await gather("scenes.mp4", ["black", "loudness"], (fraction) => progress.push(fraction));

  assert.ok(progress.length > 20);
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
  assert.equal(progress.at(-1), 1);
});

test("a rule finds its words in a document, says where, why and what to do", async () => {
  await using scratch = await makeScratch();
  const file = await scratch.write("leaflet.txt", Buffer.from("Our red wine.\n\nIt is GOOD  for\nyour heart. Cheers!"));
  const sidekick = makeSidekick({ check: { kind: "phrase", anyOf: ["good for your heart"] }, fix: "Remove it." });

  const { findings } = await analyze({ file, mediaType: mediaTypeOf(file), sidekicks: [sidekick], context: {} });

  assert.equal(findings.length, 1);
  const finding = findings[0];
  assert.equal(finding?.summary, "The text says: “It is GOOD for your heart.”");
  assert.deepEqual([finding?.location?.page, finding?.location?.quote], [1, "GOOD for your heart"]);
  assert.match(finding?.severityReasoning ?? "", /It is a duty\.$/);
  assert.equal(finding?.recommendation, "Remove it.");
});

test("a rule whose context is not declared is rated one step lower, and says why", async () => {
  await using scratch = await makeScratch();
  const file = await scratch.write("leaflet.txt", Buffer.from("A miracle cure."));
  const sidekick = makeSidekick({ check: { kind: "phrase", anyOf: ["miracle cure"] }, jurisdictions: ["UK"] });
  const request = { file, mediaType: mediaTypeOf(file), sidekicks: [sidekick] };

  const [undeclared, declared, elsewhere] = await Promise.all(
    [{}, { jurisdictions: ["uk"] }, { jurisdictions: ["US"] }].map((context) => analyze({ ...request, context })),
  );

  assert.equal(undeclared?.findings[0]?.severity, "MINOR");
  assert.match(
    undeclared?.findings[0]?.severityReasoning ?? "",
    /instead of MAJOR, because no jurisdiction was declared/,
  );
  assert.equal(declared?.findings[0]?.severity, "MAJOR");
  assert.deepEqual(elsewhere?.findings, []);
});

test("a rule applies from its first day on", async () => {
  await using scratch = await makeScratch();
  const file = await scratch.write("leaflet.txt", Buffer.from("Climate neutral."));
  const sidekick = makeSidekick({ check: { kind: "phrase", anyOf: ["climate neutral"] }, from: "2026-09-27" });
  const request = { file, mediaType: mediaTypeOf(file), sidekicks: [sidekick], context: {} };

  const [before, after] = await Promise.all(
    ["2026-09-26", "2026-09-27"].map((today) => analyze({ ...request, today })),
  );

  assert.equal(before?.findings.length, 0);
  assert.equal(after?.findings.length, 1);
});

test("a pattern that runs away costs its rule, not the file", { timeout: 900_000 }, async () => {
  await using scratch = await makeScratch();
  const file = await scratch.write("leaflet.txt", Buffer.from(`${"a".repeat(60)}!`));
  const sidekick = makeSidekick(
    { check: { kind: "phrase", anyOf: ["/(a+)+$/"] } },
    { check: { kind: "phrase", anyOf: ["/a{60}/"] } },
  );

  const { findings } = await analyze({ file, mediaType: mediaTypeOf(file), sidekicks: [sidekick], context: {} });

  assert.deepEqual(
    findings.map(({ ruleCode, severity, needsHuman }) => [ruleCode, severity, needsHuman]),
    [
      ["T-1", "INFO", true],
      ["T-2", "MAJOR", false],
    ],
  );
});

test("the signal's reason is thrown when it was aborted", async () => {
  const file = golden("scenes.mp4");
  const request = { file, mediaType: mediaTypeOf(file), sidekicks: [], context: {} };

  await assert.rejects(analyze(request, { signal: AbortSignal.abort(new Error("not now")) }), /not now/);
});

test("a finding is reported before the film is decoded when it needs no picture, and once", async () => {
  const file = golden("interrupted.mp4");
  const sidekick = makeSidekick(
    { check: { kind: "black", maxSeconds: 1, graveSeconds: 3 } },
    { check: { kind: "file-integrity", problem: "low-resolution" } },
  );
  const events: string[] = [];

  const { findings } = await analyze(
    { file, mediaType: mediaTypeOf(file), sidekicks: [sidekick], context: {} },
    {
      onFinding: ({ ruleCode }) => events.push(ruleCode),
      onProgress: (fraction) => fraction >= 0.9 && events.push("decoded"),
    },
  );

  assert.deepEqual(
    findings.map(({ ruleCode }) => ruleCode),
    ["T-1", "T-2"],
  );
  assert.deepEqual(
    events.filter((event, index) => event !== events[index - 1]),
    ["T-2", "decoded", "T-1", "decoded"],
  );
});

test("corrupt_media for a picture that breaks off, also when no rule is chosen", async () => {
  await using scratch = await makeScratch();
  const whole = await readFile(golden("legible.png"));
  const file = await scratch.write("broken.png", whole.subarray(0, 200));

  const running = analyze({ file, mediaType: mediaTypeOf(file), sidekicks: [], context: {} });

  await assert.rejects(running, { errorType: "corrupt_media" });
});
