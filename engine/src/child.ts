import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Duplex, Readable } from "node:stream";
import { AnalysisError, type ReportedError, toAnalysisError } from "./analysis-error.ts";
import type { AnalysisListeners, AnalysisRequest, AnalysisResult } from "./analyze.ts";
import { type Decoder, findDecoder } from "./evidence/decode/decoder.ts";
import type { Probe } from "./evidence/probe/probe-shape.ts";
import type { Finding } from "./finding.ts";
import type { Sidekick } from "./sidekick.ts";
import { findJail, type Jail } from "./jail/jail.ts";
import { killGroup } from "./jail/kill-group.ts";
import { readLines } from "./jail/lines.ts";
import type { ModelsOwner } from "./models/open-models.ts";
import { builtCodeIn, builtPath } from "./jail/built-code.ts";
import { analysisArguments } from "./jail/worker-code.ts";
import { analyzeInOneJail } from "./one-jail.ts";

/** The one line of JSON that the child gets. Its models are on descriptor 4 where we have any; else it opens its own. */
export type ChildTask = {
  request: AnalysisRequest;
  jail: Jail;
  decoder: Decoder;
  hasModels: boolean;
  cacheFolder: string | undefined;
};

/**
 * A folder with what is known about our own code and rules; only a child without foreign bytes may write to it.
 * `sidekicks`: those whose rules it holds.
 */
type UsableCache = { folder: string; sidekicks?: readonly Sidekick[] };

/** See analysis-cache.ts. `undefined`: there is none yet. */
export type AnalysisCache = { use: () => Promise<UsableCache | undefined> };

/** One line of JSON from the child. */
export type ChildMessage =
  | { progress: number }
  | { probe: Probe }
  | { finding: Finding }
  | { result: AnalysisResult }
  | { error: ReportedError };

export type ChildOptions = AnalysisListeners & {
  /** What the heap of the child may grow to; the jailed children it starts have limits of their own. */
  memoryBytes: number;
  timeoutSeconds: number;
  /** Kept by the caller from file to file, so that only the first pays for loading them. */
  models?: ModelsOwner | undefined;
  cache?: AnalysisCache | undefined;
};

const module = fileURLToPath(new URL("./analysis-child.ts", import.meta.url));
const maxMessageBytes = 256 * 2 ** 20;

/**
 * Runs `analyze` in a Node of its own. Nothing of it outlives the returned promise: when the file is done, the time is
 * up, the signal aborts or this process dies, the child goes together with everything it started.
 */
export async function runAnalysisInChild(request: AnalysisRequest, options: ChildOptions): Promise<AnalysisResult> {
  const cache = await options.cache?.use();
  return (await runInOneJail(request, options, cache)) ?? runTheLongWay(request, options, cache);
}

/** A small file whose rules the cache holds. */
async function runInOneJail(
  request: AnalysisRequest,
  options: ChildOptions,
  cache: UsableCache | undefined,
): Promise<AnalysisResult | undefined> {
  if (cache?.sidekicks === undefined || !request.sidekicks.every((each) => cache.sidekicks?.includes(each)))
    return undefined;
  const { models, timeoutSeconds, signal } = options;
  const result = await analyzeInOneJail(request, { cacheFolder: cache.folder, models, timeoutSeconds, signal });
  if (result === undefined) return undefined;
  options.onProbe?.(result.probe);
  for (const finding of result.findings) options.onFinding?.(finding);
  options.onProgress?.(1);
  return result;
}

/** The rules in a child without a jail, each parser of foreign bytes in a jailed child of that. */
async function runTheLongWay(
  request: AnalysisRequest,
  options: ChildOptions,
  cache: UsableCache | undefined,
): Promise<AnalysisResult> {
  const { signal, models } = options;
  const hasModels = models !== undefined;
  const [jail, decoder] = [await findJail(), await findDecoder()];
  const task: ChildTask = { request, jail, decoder, hasModels, cacheFolder: cache?.folder };
  signal?.throwIfAborted();
  const node = analysisArguments({ heapBytes: Math.max(32 * 2 ** 20, options.memoryBytes) });
  const code = cache === undefined ? undefined : builtCodeIn(cache.folder);
  // Detached makes it the leader of a process group, which is what gets killed.
  const child = spawn(process.execPath, [...node, code === undefined ? module : builtPath(code, module)], {
    stdio: ["pipe", "ignore", "pipe", "pipe", hasModels ? "pipe" : "ignore"],
    env: { PATH: process.env["PATH"] ?? "" },
    detached: true,
  });
  let reason: "timeout" | "aborted" | undefined;
  const stop = (why: "timeout" | "aborted") => {
    reason ??= why;
    killGroup(child.pid);
  };
  const timer = setTimeout(() => stop("timeout"), options.timeoutSeconds * 1000);
  const onAbort = () => stop("aborted");
  signal?.addEventListener("abort", onAbort, { once: true });

  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-8192)));
  // The pipe stays open: its end shows the child that we are gone.
  child.stdin?.on("error", () => undefined);
  child.stdin?.write(`${JSON.stringify(task)}\n`);
  // Not waited for at the end: the call that the models are busy with when a child goes away may take seconds.
  void models?.serve(child.stdio[4] as Duplex, code);
  const exited = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, exitSignal) => resolve(exitSignal ?? `code ${code}`));
  });
  try {
    const answer = await listen(child.stdio[3] as Readable, options);
    if (answer === undefined) throw explain(reason, await exited, stderr, options);
    if ("result" in answer) return answer.result;
    throw toAnalysisError(answer.error);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    killGroup(child.pid);
    await exited;
  }
}

type Answer = Extract<ChildMessage, { result: unknown } | { error: unknown }>;

/** Passes messages on until the answer comes; undefined when the pipe ends without one. */
async function listen(pipe: Readable, listeners: AnalysisListeners): Promise<Answer | undefined> {
  for await (const line of readLines(pipe, maxMessageBytes)) {
    const message = JSON.parse(line) as ChildMessage;
    if ("progress" in message) listeners.onProgress?.(message.progress);
    else if ("probe" in message) listeners.onProbe?.(message.probe);
    else if ("finding" in message) listeners.onFinding?.(message.finding);
    else return message;
  }
  return undefined;
}

function explain(
  reason: "timeout" | "aborted" | undefined,
  exit: string,
  stderr: string,
  options: ChildOptions,
): AnalysisError {
  const cause = new Error(`analysis child ended with ${exit}: ${stderr.slice(-2000)}`);
  if (reason === "timeout") {
    const limit = `${Math.round(options.timeoutSeconds)} s`;
    return new AnalysisError(
      "analyzer_timeout",
      `The analysis was stopped after ${limit}. Try again, or send a shorter file.`,
      { cause },
    );
  }
  const why = /heap out of memory/i.test(stderr) ? "ran out of memory" : "ended unexpectedly";
  return new AnalysisError(
    "analyzer_crashed",
    `The analysis ${why}. Try again; if it happens again, export the file again.`,
    { cause },
  );
}
