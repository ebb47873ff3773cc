import assert from "node:assert/strict";
import { test } from "node:test";
import { nowhere } from "./finding.ts";
import { clusterTopics, type TopicIssue } from "./topics.ts";

const issue = (id: string, ruleCode: string, more: Partial<TopicIssue> = {}): TopicIssue => ({
  id,
  ruleCode,
  severity: "MINOR",
  summary: `Summary of ${id}.`,
  severityReasoningHeadline: `Headline of ${id}`,
  sidekickId: "s1",
  location: null,
  ...more,
});

test("issues of one rule become a topic, headed by the most severe; a single one is an orphan", () => {
  const { topics, orphanIds } = clusterTopics([
    issue("1", "A"),
    issue("2", "B"),
    issue("3", "A", { severity: "MAJOR" }),
  ]);

  assert.deepEqual(topics, [
    {
      title: "Headline of 3",
      summary: "Summary of 1. Summary of 3.",
      severity: "MAJOR",
      issueIds: ["1", "3"],
      ruleCodes: ["A"],
    },
  ]);
  assert.deepEqual(orphanIds, ["2"]);
});

test("issues of one sidekick at the same moment belong together, those of another moment do not", () => {
  const at = (startSeconds: number, endSeconds: number) => ({ location: { ...nowhere, startSeconds, endSeconds } });

  const { topics, orphanIds } = clusterTopics([
    issue("1", "A", at(1, 3)),
    issue("2", "B", at(2, 3)),
    issue("3", "C", at(3, 9)),
  ]);

  assert.deepEqual(
    topics.map(({ issueIds }) => issueIds),
    [["1", "2"]],
  );
  assert.deepEqual(orphanIds, ["3"]);
});

test("no issues, no topics", () => assert.deepEqual(clusterTopics([]), { topics: [], orphanIds: [] }));
