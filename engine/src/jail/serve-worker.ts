import { writeSync } from "node:fs";
import { AnalysisError } from "../analysis-error.ts";
import { hereServes, runsHere } from "./run-here.ts";

const answerDescriptor = 3;

/**
 * The body of a `*-worker.ts`: takes the request from the command line, answers on a pipe of its own, because libraries
 * print to stdout. A throw of anything but an AnalysisError ends the worker and counts as a crash.
 */
export async function serveWorker<Request, Result>(
  handle: (
    request: Request,
    tools: { file: string; onProgress: (fraction: number) => void },
  ) => Result | Promise<Result>,
): Promise<void> {
  if (runsHere()) return hereServes(handle);
  const { file, request } = JSON.parse(process.argv[2] ?? "{}") as { file: string; request: Request };
  let lastProgress = 0;
  const onProgress = (fraction: number) => {
    // One message per page of a 100,000-page document would cost more than the pages.
    if (fraction < lastProgress + 0.01) return;
    lastProgress = fraction;
    answer({ progress: fraction });
  };
  try {
    answer({ result: await handle(request, { file, onProgress }) });
  } catch (error) {
    if (!(error instanceof AnalysisError)) throw error;
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    answer({ error: { errorType: error.errorType, message: error.message, cause } });
  }
  // Libraries may keep timers and threads alive; nothing that matters is left to do.
  process.exit(0);
}

function answer(message: unknown): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  let written = 0;
  while (written < bytes.length) written += writeSync(answerDescriptor, bytes, written);
}
