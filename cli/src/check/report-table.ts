import { styleText } from "node:util";
import { severities, type Severity } from "@greenlit/engine/finding.ts";
import { describeSuggestion } from "@greenlit/engine/rules/suggest-context.ts";
import type { CheckedFile, CheckedIssue } from "./check-file.ts";
import { placeOf } from "./places.ts";

const colours: Readonly<Record<Severity, "red" | "yellow" | "cyan" | "gray">> = {
  CRITICAL: "red",
  MAJOR: "yellow",
  MINOR: "cyan",
  INFO: "gray",
};

/** The findings of one file, the worst first, as a table that fits the terminal. */
export function renderTable(file: CheckedFile, options: { width: number; hasColour: boolean }): string[] {
  const head = options.hasColour ? styleText("bold", file.path) : file.path;
  if (file.status === "failed") return [head, `  could not be checked: ${file.errorMessage} (${file.errorType})`];
  const unchecked = [...renderOmissions(file, options), ...renderSuggestion(file, options)];
  if (file.issues.length === 0) return [head, "  nothing found", ...unchecked];
  const issues = file.issues.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const rows = issues.map((issue) => [issue.severity, placeOf(issue), issue.ruleCode]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const indent = 2 + widths.reduce((sum, width) => sum + width + 2, 0);
  const room = Math.max(30, options.width - indent);
  return [
    head,
    ...issues.flatMap((issue, index) => {
      const cells = (rows[index] ?? []).map((cell, column) => {
        const padded = cell.padEnd(widths[column] ?? 0);
        return column === 0 && options.hasColour ? styleText(colours[issue.severity], padded) : padded;
      });
      const lines = wrap(issue.summary, room);
      const fix = wrap(`→ ${issue.recommendation}`, room);
      const [first = "", ...more] = [
        ...lines,
        ...(options.hasColour ? fix.map((line) => styleText("dim", line)) : fix),
      ];
      return [`  ${cells.join("  ")}  ${first}`, ...more.map((line) => " ".repeat(indent) + line)];
    }),
    ...unchecked,
  ];
}

function renderOmissions({ measurements }: CheckedFile, options: { width: number; hasColour: boolean }): string[] {
  const label = "  not checked  ";
  return (measurements?.omissions ?? []).flatMap((what) =>
    wrap(what, Math.max(30, options.width - label.length)).map((line, index) => {
      const start = index > 0 ? " ".repeat(label.length) : options.hasColour ? styleText("yellow", label) : label;
      return start + line;
    }),
  );
}

/** Without a market and a sector most findings are mere remarks, and people forget to declare them. */
function renderSuggestion({ measurements }: CheckedFile, options: { width: number }): string[] {
  const suggested = measurements?.suggestedContext ?? null;
  if (suggested === null) return [];
  return wrap(describeSuggestion(suggested), Math.max(30, options.width - 2)).map((line) => `  ${line}`);
}

/** `3 files: 1 CRITICAL, 2 MAJOR; 1 could not be checked`. */
export function renderTotals(files: readonly CheckedFile[]): string {
  const issues = files.flatMap((file) => file.issues);
  const counts = severities.flatMap((severity) => {
    const count = countOf(issues, severity);
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const failed = files.filter(({ status }) => status === "failed").length;
  const partly = files.filter(({ measurements }) => (measurements?.omissions ?? []).length > 0).length;
  const waiting = issues.filter(({ status }) => status === "AWAITING_HUMAN_INPUT").length;
  return [
    `${files.length === 1 ? "1 file" : `${files.length} files`}: ${counts.length === 0 ? "nothing found" : counts.join(", ")}`,
    ...(waiting > 0 ? [`${waiting} for a person to decide`] : []),
    ...(partly > 0 ? [`${partly} not checked as a whole`] : []),
    ...(failed > 0 ? [`${failed} could not be checked`] : []),
  ].join("; ");
}

function countOf(issues: readonly CheckedIssue[], severity: Severity): number {
  return issues.filter((issue) => issue.severity === severity).length;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.replaceAll(/\s+/g, " ").split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}
