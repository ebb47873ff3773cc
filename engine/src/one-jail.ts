import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { AnalysisError, isAnalysisErrorType } from "./analysis-error.ts";
import type { AnalysisRequest, AnalysisResult } from "./analyze.ts";
import { builtCodeIn } from "./jail/built-code.ts";
import { findJail, spawnJailed } from "./jail/jail.ts";
import { readLines } from "./jail/lines.ts";
import { shortLivedArguments, workerPaths } from "./jail/worker-code.ts";
import { headsFile } from "./models/meaning/heads-file.ts";
import type { ModelsOwner } from "./models/open-models.ts";

/** What one-jail-child.ts is told; the path of the file is on its command line. The packs are in the snapshot. */
export type OneJailTask = {
  request: Omit<AnalysisRequest, "file" | "sidekicks"> & { sidekickIds: string[] };
  hasModels: boolean;
};

export type OneJailMessage =
  | { result: AnalysisResult }
  | { error: { errorType: string; message: string; cause: string } };

/** What is read by JavaScript and sharp alone, without a program of its own. */
const smallTypes: Readonly<Record<string, number>> = {
  "text/plain": 2 ** 20,
  "text/markdown": 2 ** 20,
  "text/csv": 2 ** 20,
  "application/x-subrip": 2 ** 20,
  "text/vtt": 2 ** 20,
  "image/jpeg": 8 * 2 ** 20,
  "image/png": 8 * 2 ** 20,
  "image/webp": 8 * 2 ** 20,
};

const heapBytes = 512 * 2 ** 20;
const timeoutSeconds = 60;
/** Nobody watches the rules in there; a pattern that runs away is for the long way, which stops that rule alone. */
const cpuSeconds = 20;
const maxMessageBytes = 64 * 2 ** 20;
/**
 * Node holds the snapshot in memory twice while it starts: taken page by page, that is a tenth of the whole start. The C
 * library asks the kernel for large pages where it can read here that they are to be had.
 */
const hugePages = { GLIBC_TUNABLES: "glibc.malloc.hugetlb=1" };
const hugePagesState = "/sys/kernel/mm/transparent_hugepage";

/** Where a cache folder has the program with everything loaded. */
export function snapshotIn(cacheFolder: string): string {
  return join(cacheFolder, "one-jail.blob");
}

/**
 * Analyses a small file in one jail, where all parsers and the rules share a process. Undefined: it was not possible or
 * not finished, and the long way has to do it. Nothing is told before it is finished, so that nothing is told twice.
 */
export async function analyzeInOneJail(
  request: AnalysisRequest,
  options: {
    cacheFolder: string;
    models: ModelsOwner | undefined;
    timeoutSeconds: number;
    signal?: AbortSignal | undefined;
  },
): Promise<AnalysisResult | undefined> {
  const { models, signal } = options;
  const snapshot = snapshotIn(options.cacheFolder);
  const { isolatesFiles } = await findJail();
  if (!isolatesFiles || !existsSync(snapshot) || !(await isSmall(request))) return undefined;
  const { file, sidekicks, ...rest } = request;
  const jailed = await spawnJailed({
    program: process.execPath,
    args: (path) => [...shortLivedArguments({ heapBytes }), "--snapshot-blob", snapshot, path],
    inputFile: file,
    visiblePaths: [
      ...(await workerPaths()),
      headsFile,
      snapshot,
      ...(existsSync(hugePagesState) ? [hugePagesState] : []),
    ],
    extraPipes: models === undefined ? 1 : 2,
    environment: hugePages,
    limits: { dataBytes: heapBytes + 1024 * 2 ** 20, cpuSeconds, openFiles: 128 },
    timeoutSeconds: Math.min(timeoutSeconds, options.timeoutSeconds),
    signal,
  });
  const task: OneJailTask = {
    request: { ...rest, sidekickIds: sidekicks.map(({ sidekickId }) => sidekickId) },
    hasModels: models !== undefined,
  };
  jailed.pipe(1).resume();
  const pipe = jailed.duplex(3);
  pipe.on("error", () => undefined);
  pipe.write(`${JSON.stringify(task)}\n`);
  if (models !== undefined) void models.serve(jailed.duplex(4), builtCodeIn(options.cacheFolder));
  try {
    return answerOf(await firstMessage(pipe));
  } finally {
    jailed.kill();
    await jailed.ended;
    signal?.throwIfAborted();
  }
}

async function isSmall({ file, mediaType }: AnalysisRequest): Promise<boolean> {
  const limit = smallTypes[mediaType.contentType];
  return limit !== undefined && (await stat(file)).size <= limit;
}

async function firstMessage(pipe: Readable): Promise<OneJailMessage | undefined> {
  try {
    for await (const line of readLines(pipe, maxMessageBytes)) return JSON.parse(line) as OneJailMessage;
  } catch {
    // Cut off, or not ours: the long way says what is wrong.
  }
  return undefined;
}

function answerOf(message: OneJailMessage | undefined): AnalysisResult | undefined {
  if (message === undefined || !("error" in message)) return message?.result;
  const { errorType, message: text, cause } = message.error;
  if (!isAnalysisErrorType(errorType)) return undefined;
  throw new AnalysisError(errorType, text, { cause: new Error(cause) });
}
