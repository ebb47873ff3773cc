import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import type { Severity } from "@greenlit/engine/finding.ts";
import type { Rule } from "@greenlit/engine/sidekick.ts";
import type { CheckedFile, CheckedIssue } from "./check-file.ts";

const levels: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  CRITICAL: "error",
  MAJOR: "error",
  MINOR: "warning",
  INFO: "note",
};

export type ReportedRule = Pick<Rule, "code" | "summary" | "why" | "fix" | "citation" | "severity">;

/** SARIF 2.1.0, which code hosts show beside a change. */
export function renderSarif(files: readonly CheckedFile[], allRules: readonly ReportedRule[]): string {
  const used = new Set(files.flatMap(({ issues }) => issues.map(({ ruleCode }) => ruleCode)));
  const rules = allRules.filter(({ code }) => used.has(code));
  return JSON.stringify(
    {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "Greenlit", rules: rules.map(describeRule) } },
          artifacts: files.map(({ path }) => ({ location: { uri: uriOf(path) } })),
          results: files.flatMap((file) => file.issues.map((issue) => describeIssue(issue, file, rules))),
          invocations: [
            {
              executionSuccessful: files.every(({ status }) => status === "complete"),
              toolExecutionNotifications: files
                .filter(({ status }) => status === "failed")
                .map(({ path, errorMessage, errorType }) => ({
                  level: "error",
                  message: { text: `${path}: ${errorMessage}` },
                  descriptor: { id: errorType ?? "unknown" },
                })),
            },
          ],
        },
      ],
    },
    null,
    2,
  );
}

function describeRule({ code, summary, why, fix, citation, severity }: ReportedRule) {
  return {
    id: code,
    shortDescription: { text: summary },
    fullDescription: { text: why },
    help: { text: citation === null ? fix : `${fix} (${citation.clause})` },
    ...(citation !== null && { helpUri: citation.url }),
    defaultConfiguration: { level: levels[severity] },
  };
}

function describeIssue(issue: CheckedIssue, { path }: CheckedFile, rules: readonly ReportedRule[]) {
  const { startSeconds, endSeconds, page, region, quote } = issue.location ?? {};
  return {
    ruleId: issue.ruleCode,
    ruleIndex: rules.findIndex(({ code }) => code === issue.ruleCode),
    level: levels[issue.severity],
    message: { text: `${issue.summary} ${issue.recommendation}` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: uriOf(path) } },
        properties: {
          ...(typeof startSeconds === "number" && { startSeconds, endSeconds }),
          ...(typeof page === "number" && { page }),
          ...(region && { region }),
          ...(typeof quote === "string" && { quote }),
        },
      },
    ],
    partialFingerprints: { "greenlit/v1": issue.fingerprint },
    properties: {
      severity: issue.severity,
      reasoning: issue.severityReasoning,
      needsHuman: issue.status === "AWAITING_HUMAN_INPUT",
      sidekick: issue.sidekickName,
      ...(issue.measurement !== null && { measurement: issue.measurement }),
    },
  };
}

/** Relative where it was named so: a report is read on another machine. */
function uriOf(path: string): string {
  if (path.startsWith("/")) return pathToFileURL(resolve(path)).href;
  return path.split("/").map(encodeURIComponent).join("/");
}
