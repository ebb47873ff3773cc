import { writeFile } from "node:fs/promises";
import { severities, type Severity } from "@greenlit/engine/finding.ts";
import { type CheckCommand, notChecked } from "./check-command.ts";
import type { CheckedFile } from "./check-file.ts";
import { renderHtml } from "./report-html.ts";
import { renderJunit } from "./report-junit.ts";
import { type ReportedRule, renderSarif } from "./report-sarif.ts";
import { renderTable, renderTotals } from "./report-table.ts";

type Options = Pick<CheckCommand, "json" | "ndjson" | "sarif" | "junit" | "html" | "failOn"> & {
  /** The rules that may have found something; read only for SARIF. */
  readRules: () => Promise<readonly ReportedRule[]>;
};

/** Prints the totals or the JSON, writes the reports, and gives the exit code. */
export async function reportFiles(files: readonly CheckedFile[], options: Options): Promise<number> {
  const failOn = options.failOn === "never" ? null : options.failOn;
  if (options.json) console.log(JSON.stringify({ files: files.map(publicFile) }));
  else if (!options.ndjson) console.log(renderTotals(files));
  if (options.sarif) await writeFile(options.sarif, renderSarif(files, await options.readRules()));
  if (options.junit) await writeFile(options.junit, renderJunit(files, failOn));
  if (options.html) await writeFile(options.html, renderHtml(files));
  return exitCode(files, failOn);
}

export function printTable(file: CheckedFile): void {
  const terminal = { width: process.stdout.columns ?? 100, hasColour: process.stdout.hasColors?.() ?? false };
  console.log(`${renderTable(file, terminal).join("\n")}\n`);
}

/** For scripts that go on while the other files are checked. */
export function printLine(file: CheckedFile): void {
  console.log(JSON.stringify(publicFile(file)));
}

function exitCode(files: readonly CheckedFile[], failOn: Severity | null): number {
  if (files.some(({ status }) => status === "failed")) return notChecked;
  const limit = failOn === null ? -1 : severities.indexOf(failOn);
  const counts = files.flatMap(({ issues }) =>
    // A person has decided about the others, in an earlier version.
    issues.filter(({ status }) => status !== "DISMISSED" && status !== "RESOLVED"),
  );
  return counts.some(({ severity }) => severities.indexOf(severity) <= limit) ? 1 : 0;
}

function publicFile({ frames: _frames, durationSeconds: _durationSeconds, ...file }: CheckedFile) {
  return file;
}
