import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { AnalysisError } from "./analysis-error.ts";
import type { AnalysisRequest } from "./analyze.ts";
import { runAnalysisInChild } from "./child.ts";
import { golden, mediaTypeOf } from "./testing/golden.ts";
import { descendantsOf, isRunning } from "./testing/processes.ts";
import { makeScratch } from "./testing/scratch.ts";
import { builtIn } from "./testing/sidekicks.ts";
import { until } from "./testing/until.ts";

const fileIntegrity = await builtIn("file-integrity");
const limits = { memoryBytes: 256 * 2 ** 20, timeoutSeconds: 240 };
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
  const request = await requestForEndless(scratch);
  const running = runAnalysisInChild(request, { ...limits, timeoutSeconds: 3 });
  const started = watchGrandchildren();
  const watching = setInterval(started, 20);

  await assert.rejects(running, (error) => error instanceof AnalysisError && error.errorType === "analyzer_timeout");

  clearInterval(watching);
  assert.ok(started().length > 0);
  await areGone(started());
});

test("an abort ends the child and everything it started", { skip: needsProc }, async () => {
  await using scratch = await makeScratch();
  const request = await requestForEndless(scratch);
  const abort = new AbortController();
  const running = runAnalysisInChild(request, { ...limits, signal: abort.signal });
  running.catch(() => undefined);
  const started = watchGrandchildren();
  await until(() => started().length >= 2);

  abort.abort(new Error("stop it"));
  await assert.rejects(running, /stop it/);

  await areGone(started());
});

test("analyzer_crashed when the child is killed, and nothing of it is left", { skip: needsProc }, async () => {
  await using scratch = await makeScratch();
  const request = await requestForEndless(scratch);
  const running = runAnalysisInChild(request, limits);
  running.catch(() => undefined);
  const started = watchGrandchildren();
  await until(() => started().length >= 2);

  const [child] = started();
  process.kill(child ?? 0, "SIGKILL");

  await assert.rejects(running, (error) => error instanceof AnalysisError && error.errorType === "analyzer_crashed");
  await areGone(started());
});

test("when the process that asked dies, its analysis dies with it", { skip: needsProc }, async () => {
  await using scratch = await makeScratch();
  const request = await requestForEndless(scratch);
  const code = `
    import { runAnalysisInChild } from ${JSON.stringify(fileURLToPath(new URL("./child.ts", import.meta.url)))};
    await runAnalysisInChild(${JSON.stringify(request)}, ${JSON.stringify(limits)});`;
  const asker = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "ignore" });
  const started = watchGrandchildren(asker.pid);
  await until(() => started().length >= 2);

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

/**
 * A bare stream of a million tiny pictures: no header says how long it is, so every packet has to be counted, and then
 * decoded. No limit of length may end it before the test does.
 */
async function requestForEndless(scratch: {
  write: (name: string, bytes: Uint8Array) => Promise<string>;
}): Promise<AnalysisRequest> {
  const piece = await readFile(golden("tiny.m2v"));
  const file = await scratch.write("endless.m2v", Buffer.concat(Array.from({ length: 300_000 }, () => piece)));
  return { ...requestFor(file), maxDurationSeconds: 1e9 };
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
  await until(() => !pids.some(isRunning));
}
