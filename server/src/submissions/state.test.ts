import assert from "node:assert/strict";
import { test } from "node:test";
import { errorTypes, statuses, type ErrorType, type Status } from "../db/tables.ts";
import { nextStatus, refusalOfRetry, submissionProgress, submissionStatus, type AssetEvent } from "./state.ts";

test("an asset goes submitted → processing → complete or failed, and by retry from failed to submitted", () => {
  const events: AssetEvent[] = ["start", "complete", "fail", "retry"];

  const table = statuses.map((status) => events.map((event) => nextStatus(status, event)));

  assert.deepEqual(table, [
    ["processing", undefined, "failed", undefined],
    ["processing", "complete", "failed", undefined],
    [undefined, undefined, undefined, undefined],
    [undefined, undefined, undefined, "submitted"],
  ]);
});

for (const [assets, expected] of [
  [["submitted"], "submitted"],
  [["submitted", "submitted"], "submitted"],
  [["submitted", "processing"], "processing"],
  [["submitted", "complete"], "processing"],
  [["failed", "submitted"], "processing"],
  [["failed", "processing"], "processing"],
  [["complete", "complete"], "complete"],
  [["complete", "failed"], "failed"],
  [["failed", "failed"], "failed"],
] as [Status[], Status][])
  test(`a submission of assets ${assets.join(", ")} is ${expected}`, () =>
    assert.equal(submissionStatus(assets), expected));

for (const [assets, expected] of [
  [[["submitted", 0]], 0],
  [[["processing", 40]], 40],
  [[["processing", 100]], 99],
  [[["complete", 0]], 100],
  [[["failed", 30]], 99],
  [
    [
      ["complete", 100],
      ["processing", 50],
    ],
    75,
  ],
  [
    [
      ["complete", 100],
      ["failed", 50],
    ],
    99,
  ],
] as [[Status, number][], number][])
  test(`progress of ${JSON.stringify(assets)} is ${expected}`, () => {
    const progress = submissionProgress(assets.map(([status, progressPercent]) => ({ status, progressPercent })));

    assert.equal(progress, expected);
  });

test("an error is retryable as the decisions say, three times, and without end when credits were missing", () => {
  const refusal = (errorType: ErrorType, countedRetries: number) =>
    refusalOfRetry({ status: "failed", errorType, countedRetries });

  const retryable = Object.keys(errorTypes).filter((type) => refusal(type as ErrorType, 0) === undefined);

  assert.deepEqual(retryable, [
    "storage_unavailable",
    "analyzer_timeout",
    "analyzer_crashed",
    "insufficient_credits",
    "internal_error",
  ]);
  assert.equal(refusal("corrupt_media", 0), "error_not_retryable");
  assert.equal(refusal("analyzer_timeout", 2), undefined);
  assert.equal(refusal("analyzer_timeout", 3), "retry_limit_reached");
  assert.equal(refusal("insufficient_credits", 3), undefined);
});

test("an asset that runs again after a retry has a retry in flight; one that never failed has not failed", () => {
  const asset = { errorType: null, countedRetries: 1 };

  assert.equal(refusalOfRetry({ ...asset, status: "submitted", retryCount: 1 }), "retry_in_flight");
  assert.equal(refusalOfRetry({ ...asset, status: "processing", retryCount: 1 }), "retry_in_flight");
  assert.equal(refusalOfRetry({ ...asset, status: "processing", retryCount: 0 }), "asset_not_failed");
  assert.equal(refusalOfRetry({ ...asset, status: "complete", retryCount: 1 }), "asset_not_failed");
});
