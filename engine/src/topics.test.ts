import assert from "node:assert/strict";
import { test } from "node:test";
import { nowhere } from "./finding.ts";
import { clusterTopics, type TopicIssue } from "./topics.ts";

const issue = (id: string, ruleCode: string, more: Partial<TopicIssue> = {}): TopicIssue => ({
  id,
  ruleCode,
  ruleSummary: `Rule ${ruleCode}`,
  severity: "MINOR",
  summary: `Summary of ${id}.`,
  sidekickId: "s1",
  sidekickName: "Tester",
  location: null,
  ...more,
});
const at = (startSeconds: number, endSeconds: number) => ({ location: { ...nowhere, startSeconds, endSeconds } });
const saying = (quote: string) => ({ location: { ...nowhere, quote } });
const idsOf = (issues: TopicIssue[]) => clusterTopics(issues).topics.map(({ issueIds }) => issueIds);

test("issues of one rule become a topic as severe as the worst of them; a single one is an orphan", () => {
  const { topics, orphanIds } = clusterTopics([
    issue("1", "A"),
    issue("2", "B"),
    issue("3", "A", { severity: "MAJOR" }),
  ]);

  assert.deepEqual(topics, [
    {
      title: "Rule A, in 2 places",
      summary: "Summary of 1. Summary of 3.",
      severity: "MAJOR",
      issueIds: ["1", "3"],
      ruleCodes: ["A"],
    },
  ]);
  assert.deepEqual(orphanIds, ["2"]);
});

test("one claim that breaks rules of two sidekicks is one topic, named by its words", () => {
  const issues = [
    issue("1", "A", saying("guaranteed returns")),
    issue("2", "B", { ...saying("Guaranteed returns of 12 %"), sidekickId: "s2" }),
    issue("3", "A", saying("free")),
  ];

  const { topics, orphanIds } = clusterTopics(issues);

  assert.equal(topics[0]?.title, "“Guaranteed returns of 12 %”: 2 problems with the same words");
  assert.deepEqual([topics[0]?.issueIds, orphanIds], [["1", "2"], ["3"]]);
});

test("the same super read in two ways is one topic while it is on screen", () => {
  const region = { x: 0.1, y: 0.8, width: 0.6, height: 0.05 };
  const line = (quote: string, start: number) => ({
    location: { ...nowhere, quote, region, startSeconds: start, endSeconds: start + 3 },
  });

  const issues = [
    issue("1", "A", line("Terms app1y", 1)),
    issue("2", "B", line("Terms apply", 1)),
    issue("3", "C", line("18+ only", 9)),
  ];

  assert.deepEqual(idsOf(issues), [["1", "2"]]);
});

test("issues of one sidekick at the same moment belong together, those of another moment do not", () => {
  const { topics, orphanIds } = clusterTopics([
    issue("1", "A", at(1, 3)),
    issue("2", "B", at(2, 3)),
    issue("3", "C", at(3, 9)),
  ]);

  assert.deepEqual(
    topics.map(({ issueIds, title }) => [issueIds, title]),
    [[["1", "2"], "Tester: 2 problems from 1.0 s to 3.0 s"]],
  );
  assert.deepEqual(orphanIds, ["3"]);
});

test("likeness does not chain: a claim's topic takes nothing of the other issues of its rules", () => {
  const issues = [
    issue("1", "A", saying("risk free profit")),
    issue("2", "B", saying("risk free profit")),
    issue("3", "B", saying("sure thing bets")),
    issue("4", "B", saying("cannot lose")),
  ];

  assert.deepEqual(idsOf(issues), [
    ["1", "2"],
    ["3", "4"],
  ]);
});

test("no issues, no topics", () => assert.deepEqual(clusterTopics([]), { topics: [], orphanIds: [] }));
