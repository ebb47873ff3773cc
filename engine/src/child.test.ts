import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { AnalysisError } from "./analysis-error.ts";
import type { AnalysisRequest } from "./analyze.ts";
import { runAnalysisInChild } from "./child.ts";
import { golden, mediaTypeOf } from "./testing/golden.ts";
import { descendantsOf, isRunning, until } from "./testing/processes.ts";
import { makeScratch } from "./testing/scratch.ts";
import { builtIn, makeSidekick } from "./testing/sidekicks.ts";

const fileIntegrity = await builtIn("file-integrity");
const limits = { memoryBytes: 256 * 2 ** 20, timeoutSeconds: 60 };
const needsProc = process.platform === "linux" ? false : "the processes are read from /proc";

test("the result of the child is the result of the analysis, with progress on the way", async () => {
  const progress: number[] = [];
  let probedKind = "";
  let findings = 0;

  const result = await runAnalysisInChild(requestFor(golden("variable.mp4")), {
    ...limits,
    onProgress: (fraction) => progress.push(fraction),
    onProbe: (probe) => (probedKind = probe.kind),
    onFinding: () => (findings += 1),
  });

  assert.equal(probedKind, "video");
  assert.equal(findings, result.findings.length);
  assert.ok(result.findings.some(({ ruleCode }) => ruleCode === "FILE-VARIABLE-FRAME-RATE"));
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
  assert.equal(progress.at(-1), 1);
});

test("a child takes over what an earlier one worked out about the patterns, and finds the same", async () => {
  await using scratch = await makeScratch();
  const cacheFolder = scratch.folder;
  const request = await requestForText(scratch);

  const first = await runAnalysisInChild(request, { ...limits, cacheFolder });
  const second = await runAnalysisInChild(request, { ...limits, cacheFolder });

  assert.ok(first.findings.length > 0);
  assert.deepEqual(second.findings, first.findings);
  // With a word that stands nowhere as the opening of all, nothing is found: so they are really taken over.
  const file = join(cacheFolder, "required-literals.json");
  const requiredLiterals = JSON.parse(await readFile(file, "utf8")) as [string, object][];
  const nowhere = requiredLiterals.map(([pattern, each]) => [pattern, { ...each, openings: ["zzzz"] }]);
  await writeFile(file, JSON.stringify(nowhere));
  const third = await runAnalysisInChild(request, { ...limits, cacheFolder });
  assert.deepEqual(third.findings, []);
});

test("an analysis ends well although its cache cannot be written", async () => {
  await using scratch = await makeScratch();
  const request = await requestForText(scratch);

  const { findings } = await runAnalysisInChild(request, { ...limits, cacheFolder: "/dev/null/cache" });

  assert.ok(findings.length > 0);
});

test("an error of the analysis comes out with its type and message", async () => {
  const running = runAnalysisInChild(requestFor(golden("ten-hours.mp4")), limits);

  await assert.rejects(running, (error) => {
    assert.ok(error instanceof AnalysisError);
    assert.equal(error.errorType, "too_long");
    assert.equal(error.isRetryable, false);
    assert.match(error.message, /10:00:00/);
    return true;
  });
});

test("analyzer_timeout ends the child and everything it started", { skip: needsProc }, async () => {
  await using scratch = await makeScratch();
  const file = await writeEndless(scratch);
  const running = runAnalysisInChild(requestFor(file), { ...limits, timeoutSeconds: 3 });
  const started = watchGrandchildren();

  await assert.rejects(running, (error) => error instanceof AnalysisError && error.errorType === "analyzer_timeout");

  await areGone(started());
});

test("an abort ends the child and everything it started within a second", { skip: needsProc }, async () => {
  await using scratch = await makeScratch();
  const file = await writeEndless(scratch);
  const abort = new AbortController();
  const running = runAnalysisInChild(requestFor(file), { ...limits, signal: abort.signal });
  running.catch(() => undefined);
  const started = watchGrandchildren();
  await until(() => started().length >= 2, 20);

  const stoppedAt = performance.now();
  abort.abort(new Error("stop it"));
  await assert.rejects(running, /stop it/);

  assert.ok(performance.now() - stoppedAt < 1000);
  await areGone(started());
});

test("analyzer_crashed when the child is killed, and nothing of it is left", { skip: needsProc }, async () => {
  await using scratch = await makeScratch();
  const file = await writeEndless(scratch);
  const running = runAnalysisInChild(requestFor(file), limits);
  running.catch(() => undefined);
  const started = watchGrandchildren();
  await until(() => started().length >= 2, 20);

  const [child] = started();
  process.kill(child ?? 0, "SIGKILL");

  await assert.rejects(running, (error) => error instanceof AnalysisError && error.errorType === "analyzer_crashed");
  await areGone(started());
});

test("when the process that asked dies, its analysis dies with it", { skip: needsProc }, async () => {
  await using scratch = await makeScratch();
  const file = await writeEndless(scratch);
  const code = `
    import { runAnalysisInChild } from ${JSON.stringify(fileURLToPath(new URL("./child.ts", import.meta.url)))};
    await runAnalysisInChild(${JSON.stringify(requestFor(file))}, ${JSON.stringify(limits)});`;
  const asker = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "ignore" });
  const started = watchGrandchildren(asker.pid);
  await until(() => started().length >= 2, 20);

  asker.kill("SIGKILL");

  await areGone(started());
});

function requestFor(file: string): AnalysisRequest {
  return {
    file,
    mediaType: mediaTypeOf(file),
    sidekicks: [fileIntegrity],
    context: {},
  };
}

async function requestForText(scratch: Awaited<ReturnType<typeof makeScratch>>): Promise<AnalysisRequest> {
  return {
    ...requestFor(await scratch.write("ad.txt", "Our cream cures arthritis in a week. Guaranteed.")),
    sidekicks: [makeSidekick({ check: { kind: "phrase", anyOf: ["/\\bcures?\\s+arthritis\\b/"] } })],
    context: { jurisdictions: ["UK"] },
  };
}

/** A bare stream of a million tiny pictures: no header tells its length, so every packet has to be counted. */
async function writeEndless(scratch: { write: (name: string, bytes: Uint8Array) => Promise<string> }): Promise<string> {
  const piece = await readFile(golden("tiny.m2v"));
  return scratch.write("endless.m2v", Buffer.concat(Array.from({ length: 300_000 }, () => piece)));
}

/** Remembers every process that our child and its children ever were. */
function watchGrandchildren(pid = process.pid): () => number[] {
  const before = new Set(descendantsOf(pid));
  const seen = new Set<number>();
  return () => {
    for (const found of descendantsOf(pid)) if (!before.has(found)) seen.add(found);
    return [...seen].toSorted((a, b) => a - b);
  };
}

async function areGone(pids: number[]): Promise<void> {
  await until(() => !pids.some(isRunning), 2);
}
