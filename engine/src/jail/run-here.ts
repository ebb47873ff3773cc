import { AnalysisError } from "../analysis-error.ts";

type Handle = (request: never, tools: { file: string; onProgress: (fraction: number) => void }) => unknown;

let load: ((module: string) => Promise<unknown>) | undefined;
const handles = new Map<string, Promise<Handle>>();
let served: Handle | undefined;

/**
 * For an analysis that is in a jail as a whole: its workers run in the same process, which costs a small file a tenth of
 * a second less for each. `importWorker` loads the code of one.
 */
export function runWorkersHere(importWorker: (module: string) => Promise<unknown>): void {
  load = importWorker;
}

export function runsHere(): boolean {
  return load !== undefined;
}

/** What `serveWorker` does here instead of answering on a pipe. */
export function hereServes(handle: Handle): void {
  served = handle;
}

export async function runHere<Result>(options: {
  module: string;
  request: unknown;
  inputFile: string;
  what: string;
  onProgress?: ((fraction: number) => void) | undefined;
}): Promise<Result> {
  const handle = await handleOf(options.module);
  const onProgress = options.onProgress ?? (() => undefined);
  // A worker elsewhere gets and gives JSON: nobody may keep hold of the other's objects.
  const request = structuredClone(options.request) as never;
  return (await handle(request, { file: options.inputFile, onProgress })) as Result;
}

/** One after the other: the module that is being loaded is the one that serves. */
let loading: Promise<unknown> = Promise.resolve();

function handleOf(module: string): Promise<Handle> {
  const known = handles.get(module);
  if (known !== undefined) return known;
  const handle = loading.then(async () => {
    served = undefined;
    await load?.(module);
    if (served === undefined) throw new AnalysisError("internal_error", `${module} serves nothing.`);
    return served;
  });
  loading = handle.catch(() => undefined);
  handles.set(module, handle);
  return handle;
}
