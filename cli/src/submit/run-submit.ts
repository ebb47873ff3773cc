import type { Greenlit } from "@greenlit/sdk/src/client.ts";
import type { RealtimeMessage } from "@greenlit/sdk/src/realtime.ts";
import { createProgressBar } from "../check/progress-bar.ts";
import { printTable, reportFiles } from "../check/report-files.ts";
import type { CheckCommand } from "../check/check-command.ts";
import type { CheckedFile } from "../check/check-file.ts";
import type { ReportedRule } from "../check/report-sarif.ts";
import { CommandError } from "../command-error.ts";
import { print } from "../print.ts";
import { readResults, uncheckedFile } from "./read-results.ts";
import { connect, type ServiceOptions } from "./service-options.ts";
import { groupFiles, type SubmittedFiles, submitFiles } from "./submit-files.ts";

export type SubmitCommand = Omit<CheckCommand, "sidekick" | "packs"> & ServiceOptions & { wait?: boolean };

/** Submits the files, follows them when asked to, and reports as `greenlit check` does; the answer is the exit code. */
export async function runSubmit(paths: readonly string[], options: SubmitCommand): Promise<number> {
  const greenlit = connect(options);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stop.abort(new CommandError("Stopped. Submit the same files again to go on.")));
  const isWaiting = options.wait === true || [options.sarif, options.junit, options.html].some(Boolean);
  const bar = createProgressBar({ isShown: process.stderr.isTTY && !options.json, total: paths.length });

  const submissions: SubmittedFiles[] = [];
  const unchecked: CheckedFile[] = [];
  for (const group of groupFiles(paths)) {
    const submitted = await submitFiles(greenlit, group, {
      server: options.server,
      context: options.context,
      signal: stop.signal,
      onFile: (path) => bar.next(path),
      onUncheckable: (path, error) => unchecked.push(uncheckedFile(path, error)),
    });
    bar.clear();
    if (submitted) submissions.push(submitted);
  }
  if (!isWaiting) return reportSubmitted(submissions, unchecked, options);

  const files = [...unchecked];
  for (const submission of submissions) {
    const draw = bar.next(submission.files.map(({ path }) => path).join(", "));
    await greenlit.submissions.waitUntilDone(submission.submissionId, {
      signal: stop.signal,
      onMessage: (message) => showMessage(message, { draw, clear: () => bar.clear(), isQuiet: options.json === true }),
    });
    bar.clear();
    files.push(...(await readResults(greenlit, submission, { wantsFrames: options.html !== undefined })));
  }
  const inOrder = files.toSorted((a, b) => paths.indexOf(a.path) - paths.indexOf(b.path));
  if (!options.json) for (const file of inOrder) printTable(file);
  return reportFiles(inOrder, { ...options, readRules: () => readRules(greenlit) });
}

function reportSubmitted(submissions: SubmittedFiles[], unchecked: CheckedFile[], options: SubmitCommand): number {
  print(
    options,
    { submissions, failed: unchecked.map(({ path, errorType, errorMessage }) => ({ path, errorType, errorMessage })) },
    [
      ...submissions.flatMap(({ submissionId, files }) => [
        `submission ${submissionId}`,
        ...files.map(({ path, assetId }) => `  ${path}  ${assetId}`),
      ]),
      ...unchecked.map(({ path, errorMessage }) => `${path} was not submitted: ${errorMessage}`),
    ],
  );
  return unchecked.length > 0 ? 2 : 0;
}

/** Findings as they are made, on stderr, so that stdout stays clean for the result. */
function showMessage(
  { event, data }: RealtimeMessage,
  { draw, clear, isQuiet }: { draw: (fraction: number) => void; clear: () => void; isQuiet: boolean },
): void {
  if (event === "asset.progress") draw(data.progressPercent / 100);
  if (event !== "asset.issue" || isQuiet) return;
  clear();
  console.error(`${data.issue.severity}  ${data.issue.ruleCode}  ${data.issue.summary}`);
}

async function readRules(greenlit: Greenlit): Promise<ReportedRule[]> {
  const { data } = await greenlit.sidekicks.list();
  const lists = await Promise.all(data.map(({ sidekickId }) => greenlit.sidekicks.rules(sidekickId)));
  return lists.flatMap(({ data: rules }) => rules);
}
