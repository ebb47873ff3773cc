import { fileURLToPath } from "node:url";
import type { ReportedError } from "../analysis-error.ts";
import { type Decoder, findDecoder } from "../evidence/decode/decoder.ts";
import { findJail, type Jail } from "../jail/jail.ts";
import { runProgram } from "../jail/run-program.ts";
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
  const endedMessage = "Making the file ready for browsers ended unexpectedly.";
  for await (const message of runProgram<RenderMessage>(program, { task, heapBytes, signal, endedMessage })) {
    if ("done" in message) return;
    if ("plan" in message) await options.onPlan(message.plan);
    else if ("rendition" in message) await options.onFile(message.rendition);
    else options.onProgress(message.progress);
  }
}
