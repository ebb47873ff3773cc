import { fileURLToPath } from "node:url";
import { builtWorker } from "../../jail/built-code.ts";
import { type JailedProcess, spawnJailed } from "../../jail/jail.ts";
import { workerArguments, workerPaths } from "../../jail/worker-code.ts";
import type { DecodeRun } from "./decode-ffmpeg.ts";
import { decodeExtraPipes } from "./decode-graph.ts";

const source = fileURLToPath(new URL("./decode-node-av-worker.ts", import.meta.url));

/** Starts the same plan in a Node that loads node-av. It writes to the same pipes in the same form as ffmpeg. */
export async function startNodeAv(run: DecodeRun): Promise<JailedProcess> {
  const { module, visiblePaths } = await builtWorker(source);
  return spawnJailed({
    program: process.execPath,
    visiblePaths: [...(await workerPaths()), ...visiblePaths],
    args: (inputPath) => [
      ...workerArguments({ heapBytes: 96 * 2 ** 20 }),
      module,
      JSON.stringify({ file: inputPath, plan: run.plan }),
    ],
    inputFile: run.file,
    extraPipes: decodeExtraPipes,
    limits: { dataBytes: 2 * 2 ** 30, cpuSeconds: run.cpuSeconds, openFiles: 128 },
    timeoutSeconds: run.timeoutSeconds,
    signal: run.signal,
  });
}
