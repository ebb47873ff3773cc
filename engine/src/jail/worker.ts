import { AnalysisError, isAnalysisErrorType } from "../analysis-error.ts";
import { builtWorker } from "./built-code.ts";
import { runHere, runsHere } from "./run-here.ts";
import { type Jail, type JailExit, spawnJailed } from "./jail.ts";
import { readLines } from "./lines.ts";
import { workerArguments, workerPaths } from "./worker-code.ts";

export type WorkerOptions = {
  /** Absolute path of a `*-worker.ts` that calls `serveWorker`. */
  module: string;
  /** Anything that survives JSON. */
  request: unknown;
  inputFile: string;
  /** For messages: "document", "picture". */
  what: string;
  /** The most that its JavaScript may hold. */
  memoryBytes?: number;
  /** What its native libraries need beyond that: pictures in the making, and the stacks and pools of their threads. */
  nativeBytes?: number;
  timeoutSeconds: number;
  /** One line of JSON, so it is all in memory at once. */
  maxResultBytes?: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
  /** For tests: the one that was found otherwise. */
  jail?: Jail | undefined;
};

type WorkerError = { errorType: unknown; message: string; cause?: string };

/**
 * Runs one of our programs over the foreign file in a disposable, jailed Node and returns what it answers. An
 * AnalysisError thrown in there is thrown here; a crash, a timeout or running out of memory becomes one.
 */
export async function runWorker<Result>(options: WorkerOptions): Promise<Result> {
  if (runsHere()) return runHere<Result>(options);
  const memoryBytes = options.memoryBytes ?? 768 * 2 ** 20;
  const { module, visiblePaths } = await builtWorker(options.module, { jail: options.jail });
  const child = await spawnJailed({
    program: process.execPath,
    args: (file) => [
      ...workerArguments({ heapBytes: memoryBytes }),
      module,
      JSON.stringify({ file, request: options.request }),
    ],
    inputFile: options.inputFile,
    visiblePaths: [...(await workerPaths()), ...visiblePaths],
    extraPipes: 1,
    // Besides its heap a worker holds Node itself, thread stacks and native libraries.
    limits: {
      dataBytes: memoryBytes + 512 * 2 ** 20 + (options.nativeBytes ?? 0),
      cpuSeconds: options.timeoutSeconds * 2,
      openFiles: 128,
    },
    timeoutSeconds: options.timeoutSeconds,
    signal: options.signal,
    jail: options.jail,
  });
  child.pipe(1).resume();
  let answer: { result: Result } | { error: WorkerError } | undefined;
  try {
    for await (const line of readLines(child.pipe(3), options.maxResultBytes ?? 64 * 2 ** 20)) {
      const message = JSON.parse(line) as { progress?: number; result?: Result; error?: WorkerError };
      if (typeof message.progress === "number") options.onProgress?.(message.progress);
      else if (message.error !== undefined) answer = { error: message.error };
      else answer = { result: message.result as Result };
    }
  } catch (error) {
    child.kill();
    const exit = await child.ended;
    options.signal?.throwIfAborted();
    // The pipe breaks when the child is killed for taking too long.
    if (exit.reason === "timeout") throw explainExit(exit, options.what);
    throw new AnalysisError(
      "analyzer_crashed",
      `Reading the ${options.what} failed with an invalid result. Try again.`,
      {
        cause: error,
      },
    );
  }
  const exit = await child.ended;
  options.signal?.throwIfAborted();
  if (answer === undefined) throw explainExit(exit, options.what);
  if ("result" in answer) return answer.result;
  const { errorType, message, cause } = answer.error;
  throw new AnalysisError(isAnalysisErrorType(errorType) ? errorType : "internal_error", message, { cause });
}

/** Why a jailed child ended without an answer. */
export function explainExit(exit: JailExit, what: string): AnalysisError {
  const cause = new Error(`child ended with ${exit.signal ?? exit.code}: ${exit.stderr.slice(-2000)}`);
  if (exit.reason === "timeout" || exit.signal === "SIGXCPU") {
    return new AnalysisError(
      "analyzer_timeout",
      `Reading the ${what} took too long. Try again, or send a simpler or shorter file.`,
      { cause },
    );
  }
  const ranOut = /out of memory|Cannot allocate|bad_alloc|ENOMEM/i.test(exit.stderr);
  const why = ranOut ? "ran out of memory" : "ended unexpectedly";
  return new AnalysisError("analyzer_crashed", `Reading the ${what} ${why}. Try again, or export the file again.`, {
    cause,
  });
}
