import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { AnalysisError, type ReportedError, toAnalysisError } from "../analysis-error.ts";
import { type Decoder, findDecoder } from "../evidence/decode/decoder.ts";
import { findJail, type Jail } from "../jail/jail.ts";
import { killGroup } from "../jail/kill-group.ts";
import { readLines } from "../jail/lines.ts";
import { workerArguments } from "../jail/worker-code.ts";
import type { RenditionFile, RenditionPlan } from "./rendition.ts";
import type { RenderRequest } from "./render.ts";

/** The one line of JSON that the child gets. */
export type RenderTask = { request: RenderRequest; jail: Jail; decoder: Decoder };

/** One line of JSON from the child. */
export type RenderMessage =
  | { plan: RenditionPlan }
  | { rendition: RenditionFile }
  | { progress: number }
  | { done: true }
  | { error: ReportedError };

const program = fileURLToPath(new URL("./render-program.ts", import.meta.url));
const heapBytes = 256 * 2 ** 20;

/**
 * Makes renditions in a Node of its own, at the lowest priority. Each file is handed over as soon as it is made, and the
 * next only when `onFile` is done with it. Nothing of the child outlives the returned promise.
 */
export async function renderInChild(
  request: RenderRequest,
  options: {
    onPlan: (plan: RenditionPlan) => Promise<void>;
    onFile: (rendition: RenditionFile) => Promise<void>;
    onProgress: (fraction: number) => void;
    signal: AbortSignal;
    /** For the conformance suite: the one that was found otherwise. */
    decoder?: Decoder | undefined;
  },
): Promise<void> {
  const { signal } = options;
  const task: RenderTask = { request, jail: await findJail(), decoder: options.decoder ?? (await findDecoder()) };
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
    for await (const line of readLines(child.stdio[3] as Readable, 2 ** 24)) {
      const message = JSON.parse(line) as RenderMessage;
      if ("done" in message) return;
      if ("error" in message) throw toAnalysisError(message.error);
      if ("plan" in message) await options.onPlan(message.plan);
      else if ("rendition" in message) await options.onFile(message.rendition);
      else options.onProgress(message.progress);
    }
    signal.throwIfAborted();
    throw new AnalysisError("analyzer_crashed", "Making the file ready for browsers ended unexpectedly.", {
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
