import { fileURLToPath } from "node:url";
import type { AnalysisError } from "../analysis-error.ts";
import { type BuiltCode, builtWorker } from "../jail/built-code.ts";
import { type JailExit, spawnJailed } from "../jail/jail.ts";
import { explainExit } from "../jail/worker.ts";
import { workerArguments, workerPaths } from "../jail/worker-code.ts";
import type { Ask } from "./calls.ts";
import { connectModels } from "./connect-models.ts";

/** The settings that models-worker.ts starts with. */
export type ModelsSetup = { whisperModel: string | null; speechModel: string | null };

export type ModelsProcess = {
  ask: Ask;
  /** What it held in memory when it last answered. */
  residentBytes: () => number;
  hasEnded: () => boolean;
  end: () => Promise<void>;
};

const source = fileURLToPath(new URL("./models-worker.ts", import.meta.url));
const pipeDescriptor = 3;
/** One page of small print or twelve seconds of speech take seconds; loading the models is part of the first call. */
const callTimeoutSeconds = 120;

/** A jailed Node that loads each model when it is first asked for it. It sees no file but our code and the models. */
export async function startModelsProcess(setup: ModelsSetup, code?: BuiltCode): Promise<ModelsProcess> {
  const own = [setup.whisperModel, setup.speechModel].filter((path) => path !== null);
  const { module, visiblePaths } = await builtWorker(source, { code });
  const child = await spawnJailed({
    program: process.execPath,
    args: () => [...workerArguments({ heapBytes: 256 * 2 ** 20 }), module, JSON.stringify(setup)],
    inputFile: null,
    visiblePaths: [...(await workerPaths()), ...visiblePaths, ...own],
    extraPipes: 1,
    // Weights, what is computed from one picture, threads. An operator's own weights may be large.
    limits: { dataBytes: (own.length === 0 ? 2 : 6) * 2 ** 30, openFiles: 128 },
    timeoutSeconds: null,
  });
  child.pipe(1).resume();
  let exit: JailExit | undefined;
  let timedOut = false;
  let residentBytes = 0;
  void child.ended.then((ended) => (exit = ended));
  const ask = connectModels(child.duplex(pipeDescriptor), {
    async broken() {
      child.kill();
      return explain(await child.ended, timedOut);
    },
    onAnswer(answer) {
      if ("result" in answer && answer.residentBytes !== undefined) residentBytes = answer.residentBytes;
    },
  });
  return {
    async ask(request) {
      const timer = setTimeout(() => {
        timedOut = true;
        child.kill();
      }, callTimeoutSeconds * 1000);
      return ask(request).finally(() => clearTimeout(timer));
    },
    residentBytes: () => residentBytes,
    hasEnded: () => exit !== undefined,
    async end() {
      child.kill();
      await child.ended;
    },
  };
}

function explain(exit: JailExit, timedOut: boolean): AnalysisError {
  // We kill what is left of a process whose pipe broke: that is not why it ended.
  return explainExit({ ...exit, reason: timedOut ? "timeout" : "exited" }, "text and speech");
}
