import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AnalysisError } from "@greenlit/engine/analysis-error.ts";
import type { runAnalysisInChild } from "@greenlit/engine/child.ts";
import type { Probe } from "@greenlit/engine/evidence/probe/probe-shape.ts";
import type { Finding } from "@greenlit/engine/finding.ts";
import type { Measurements } from "@greenlit/engine/measurements.ts";
import { until } from "@greenlit/engine/testing/until.ts";
import { startAsset } from "../submissions/running/start-asset.ts";
import { openEvents, type ReceivedEvent } from "../testing/event-reader.ts";
import { startTestService, type TestService, type TestWorkspace } from "../testing/test-service.ts";
import { runJobs } from "./run-jobs.ts";

type RunAnalysis = typeof runAnalysisInChild;

/** Real workers, whose analysis is what the test says. */
let service: TestService;
let workspace: TestWorkspace;
let workers: AsyncDisposable;
let runAnalysis: RunAnalysis;
before(async () => {
  service = await startTestService({ role: "api" });
  workspace = await service.newWorkspace();
  workers = await runJobs(service.app, { runAnalysis: (...parameters) => runAnalysis(...parameters) });
});
after(async () => {
  await workers[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

function findingOf(name: string): Finding {
  return {
    ruleCode: "TEST",
    ruleVersion: "1",
    ruleSummary: "A rule of this test",
    sidekickId: "0f4c1f0e-6a3b-4c62-9d5e-1b7f0a2c9e01",
    sidekickName: "Test",
    packVersion: "1",
    summary: name,
    severity: "MINOR",
    severityReasoning: "",
    severityReasoningHeadline: "",
    needsHuman: false,
    precedents: [],
    fingerprint: name,
    location: null,
    measurement: null,
    recommendation: "",
    citation: null,
  };
}

function resultOf(findings: Finding[]): Awaited<ReturnType<RunAnalysis>> {
  const probe = { kind: "document", pages: 1, durationSeconds: null } as Probe;
  return { probe, findings, measurements: {} as Measurements, frames: [], missingFrames: [] };
}

async function submit(): Promise<{ submissionId: string; assetId: string }> {
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  return { submissionId, assetId: assets[0]?.assetId ?? "" };
}

function follow(submissionId: string) {
  const url = `${service.url}/api/integrations/realtime/private-submission-${submissionId}`;
  return openEvents(url, { "x-api-key": workspace.keys.live, "last-event-id": "0" });
}

const issueOf = ({ message }: ReceivedEvent) => message.data["issue"] as { id: string; summary: string };

test("a finding is told while the analysis goes on, once, as the issue that it becomes", async () => {
  const goOn = Promise.withResolvers<void>();
  const findings = [findingOf("early"), findingOf("late")];
  runAnalysis = async (_request, { onFinding }) => {
    onFinding?.(findings[0] as Finding);
    await goOn.promise;
    return resultOf(findings);
  };

  const { submissionId, assetId } = await submit();
  await using events = await follow(submissionId);
  const before = await events.readUntil(({ event }) => event === "asset.issue");
  const statusMeanwhile = await workspace.call("GET", `/submissions/${submissionId}`);
  goOn.resolve();
  const rest = await events.readUntil();

  assert.equal(statusMeanwhile.json["status"], "processing");
  const told = [...before, ...rest].filter(({ event }) => event === "asset.issue").map(issueOf);
  const { json } = await workspace.call("GET", `/submissions/${submissionId}/assets/${assetId}`);
  assert.deepEqual(
    told.map(({ summary }) => summary),
    ["early", "late"],
  );
  assert.deepEqual(told, json["issues"]);
});

test("listeners are told to forget what a crashed analysis found, and hear it anew", async () => {
  let attempt = 0;
  const toldOnce = Promise.withResolvers<void>();
  runAnalysis = async (_request, { onFinding }) => {
    onFinding?.(findingOf("same"));
    attempt += 1;
    if (attempt > 1) return resultOf([findingOf("same")]);
    await toldOnce.promise;
    throw new AnalysisError("analyzer_crashed", "The analysis ended unexpectedly.");
  };

  const { submissionId } = await submit();
  await using events = await follow(submissionId);
  await events.readUntil(({ event }) => event === "asset.issue");
  toldOnce.resolve();
  const rest = await events.readUntil();

  assert.deepEqual(
    rest.map(({ event }) => event),
    ["asset.restarted", "asset.issue", "asset.completed", "submission.status"],
  );
});

test("a thousand findings at once are told in a few transactions, each of them once and in order", async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `finding ${index}`);
  const submitted = Promise.withResolvers<string>();
  runAnalysis = async (_request, { onFinding }) => {
    for (const name of names) onFinding?.(findingOf(name));
    const submissionId = await submitted.promise;
    await until(async () => (await messagesOf(submissionId)).length > 10);
    return resultOf(names.map(findingOf));
  };

  const { submissionId } = await submit();
  submitted.resolve(submissionId);
  await workspace.finish(submissionId);

  const messages = (await messagesOf(submissionId)).filter(({ event }) => event === "asset.issue");
  assert.deepEqual(
    messages.map(({ summary }) => summary),
    names,
  );
  const transactions = new Set(messages.map(({ transaction }) => transaction));
  assert.ok(transactions.size <= 4, `${transactions.size} transactions`);
});

test("a worker that was taken over tells nothing any more", async () => {
  const taken = Promise.withResolvers<void>();
  runAnalysis = async (_request, { onFinding }) => {
    await taken.promise;
    onFinding?.(findingOf("stale"));
    return resultOf([findingOf("stale")]);
  };

  const { submissionId, assetId } = await submit();
  const { workspaceId } = workspace;
  await until(async () => (await messagesOf(submissionId)).length === 2);
  await startAsset(service.app, { submissionId, assetId, workspaceId, workflowId: await workflowOf(submissionId) });
  taken.resolve();
  await until(async () => isDone(assetId));

  const events = (await messagesOf(submissionId)).map(({ event }) => event);
  assert.deepEqual(events, ["submission.status", "submission.status", "asset.restarted"]);
});

async function workflowOf(submissionId: string): Promise<string> {
  return String((await workspace.call("GET", `/submissions/${submissionId}`)).json["workflowId"]);
}

async function isDone(assetId: string): Promise<boolean> {
  const { rows } = await service.app.pool.query<{ state: string }>(
    "select state from pgboss.job where data ->> 'assetId' = $1",
    [assetId],
  );
  return rows[0]?.state === "completed";
}

async function messagesOf(submissionId: string): Promise<{ event: string; summary: string; transaction: string }[]> {
  const { rows } = await service.app.pool.query<{ event: string; summary: string; transaction: string }>(
    `select event, data -> 'issue' ->> 'summary' as summary, transaction_id::text as transaction
      from realtime_messages where submission_id = $1 order by event_number`,
    [submissionId],
  );
  return rows;
}
