import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { AnalysisError, type ReportedError, toAnalysisError } from "../analysis-error.ts";
import { killGroup } from "./kill-group.ts";
import { readLines } from "./lines.ts";
import { workerArguments } from "./worker-code.ts";

const maxMessageBytes = 2 ** 26;

/**
 * Runs a program of ours in a Node of its own: the task as one line on stdin, messages as lines from descriptor 3, the
 * next one only when the caller is done with the last. When the caller stops listening, the signal aborts or this
 * process dies, the program goes together with everything it started.
 */
export async function* runProgram<Message extends object>(
  program: string,
  options: { task: object; heapBytes: number; signal: AbortSignal; endedMessage: string },
): AsyncGenerator<Exclude<Message, { error: ReportedError }>> {
  const { task, heapBytes, signal, endedMessage } = options;
  signal.throwIfAborted();
  // Detached makes it the leader of a process group, which is what gets killed.
  const child = spawn(process.execPath, [...workerArguments({ heapBytes }), program], {
    stdio: ["pipe", "ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "" },
    detached: true,
  });
  const kill = () => killGroup(child.pid);
  signal.addEventListener("abort", kill, { once: true });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-8192)));
  // The pipe stays open: its end shows the child that we are gone.
  child.stdin?.on("error", () => undefined);
  child.stdin?.write(`${JSON.stringify(task)}\n`);
  const exited = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, exitSignal) => resolve(exitSignal ?? `code ${code}`));
  });
  try {
    for await (const line of readLines(child.stdio[3] as Readable, maxMessageBytes)) {
      const message = JSON.parse(line) as Message | { error: ReportedError };
      if ("error" in message) throw toAnalysisError(message.error);
      yield message as Exclude<Message, { error: ReportedError }>;
    }
    signal.throwIfAborted();
    throw new AnalysisError("analyzer_crashed", endedMessage, {
      cause: new Error(`child ended with ${await exited}: ${stderr.slice(-2000)}`),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", kill);
    kill();
    await exited;
  }
}

/** What a program sends when it failed. */
export function reportedError(error: unknown, message: string): { error: ReportedError } {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? `\ncaused by ${error.cause.message}` : "";
  const isKnown = error instanceof AnalysisError;
  return {
    error: {
      errorType: isKnown ? error.errorType : "internal_error",
      message: isKnown ? error.message : message,
      cause: reason + cause,
    },
  };
}
