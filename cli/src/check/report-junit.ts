import { severities, type Severity } from "@greenlit/engine/finding.ts";
import type { CheckedFile } from "./check-file.ts";
import { placeOf } from "./places.ts";

/** JUnit's XML: a suite a file, a case a finding; those at or above `failOn` are failures, the others pass with a note. */
export function renderJunit(files: readonly CheckedFile[], failOn: Severity | null): string {
  const suites = files.map((file) => renderSuite(file, failOn));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="greenlit">\n${suites.join("\n")}\n</testsuites>\n`;
}

function renderSuite(file: CheckedFile, failOn: Severity | null): string {
  const isFailure = (severity: Severity) =>
    failOn !== null && severities.indexOf(severity) <= severities.indexOf(failOn);
  const cases =
    file.status === "failed"
      ? [
          renderCase(
            file,
            "could be checked",
            `<error type="${xml(file.errorType ?? "")}" message="${xml(file.errorMessage ?? "")}"/>`,
          ),
        ]
      : file.issues.length === 0
        ? [renderCase(file, "nothing found", "")]
        : file.issues.map((issue) => {
            const place = placeOf(issue);
            const name = `${issue.ruleCode}${place === "" ? "" : ` at ${place}`}`;
            const text = xml(`${issue.summary}\n${issue.severityReasoning}\n${issue.recommendation}`);
            const body = isFailure(issue.severity)
              ? `<failure type="${issue.severity}" message="${xml(issue.summary)}">${text}</failure>`
              : `<system-out>${issue.severity}: ${text}</system-out>`;
            return renderCase(file, name, body);
          });
  const failures = file.issues.filter(({ severity }) => isFailure(severity)).length;
  const errors = file.status === "failed" ? 1 : 0;
  return `  <testsuite name="${xml(file.path)}" tests="${cases.length}" failures="${failures}" errors="${errors}">\n${cases.join("\n")}\n  </testsuite>`;
}

function renderCase(file: CheckedFile, name: string, body: string): string {
  return `    <testcase classname="${xml(file.path)}" name="${xml(name)}">${body}</testcase>`;
}

/** Control characters are not allowed in XML at all, not even escaped. */
function xml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
  );
}
