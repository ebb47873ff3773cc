import { emptyEvidence } from "./empty-evidence.ts";
import type { Evidence, EvidenceKey } from "./evidence.ts";
import { decodedKeys, gatherDecoded, needsDecoding } from "./gather-decoded.ts";
import type { FileGatherer, FileGatherOptions, FileKey } from "./gatherer.ts";
import { fileGatherers, pictureGatherers } from "./gatherers.ts";
import type { FilmPrint } from "../print/film-print.ts";

export type GatherOptions = Omit<FileGatherOptions, "signal"> & {
  needs: ReadonlySet<EvidenceKey>;
  signal: AbortSignal | undefined;
  maxDurationSeconds: number;
  /** Takes what the decode hands out, where there is one. */
  film?: FilmPrint | undefined;
  /** Called when a part is complete, the last one excepted: what there is so far, and what is still to come. */
  onPart?: (evidence: Evidence, missing: ReadonlySet<EvidenceKey>) => void;
};

type Task = {
  /** What it gathers. */
  keys: readonly EvidenceKey[];
  /** What it costs, roughly, in seconds of work: progress moves in proportion to it. */
  weight: number;
  run: (tools: { signal: AbortSignal; onProgress: (fraction: number) => void }) => Promise<Partial<Evidence>>;
};

/**
 * Gathers just what is needed, side by side: the one decode and the children that read the file in other ways. The
 * first failure stops the others.
 */
export async function gatherEvidence(options: GatherOptions): Promise<Evidence> {
  const tasks = planTasks(options);
  const failure = new AbortController();
  const signal = options.signal === undefined ? failure.signal : AbortSignal.any([options.signal, failure.signal]);
  const whole = tasks.reduce((sum, task) => sum + task.weight, 0);
  const done = tasks.map(() => 0);
  const evidence = emptyEvidence(options.probe);
  const running = new Set(tasks);
  const missing = () => new Set([...running].flatMap(({ keys }) => keys));
  if (running.size > 0) options.onPart?.(evidence, missing());
  await Promise.allSettled(
    tasks.map(async (task, index) => {
      const { weight, run } = task;
      const onProgress = (fraction: number) => {
        done[index] = fraction * weight;
        options.onProgress(done.reduce((sum, part) => sum + part, 0) / whole);
      };
      try {
        Object.assign(evidence, await run({ signal, onProgress }));
        onProgress(1);
        running.delete(task);
        if (running.size > 0) options.onPart?.(evidence, missing());
      } catch (error) {
        failure.abort(error);
        throw error;
      }
    }),
  );
  options.signal?.throwIfAborted();
  // The others fail because the first one did: its error is the reason of the abort.
  if (failure.signal.aborted) throw failure.signal.reason;
  return evidence;
}

function planTasks(options: GatherOptions): Task[] {
  const { needs, probe, file, mediaType, maxDurationSeconds, models, film } = options;
  const tasks: Task[] = [];
  const hasFilm = film !== undefined && (probe.video !== null || probe.audio !== null);
  if (hasFilm || needsDecoding(needs, probe)) {
    tasks.push({
      keys: decodedKeys,
      weight: probe.durationSeconds ?? 1,
      run: (tools) => gatherDecoded({ ...tools, needs, probe, file, mediaType, maxDurationSeconds, models, film }),
    });
  }
  for (const [key, gather] of Object.entries(fileGatherers) as [FileKey, FileGatherer][]) {
    if (!needs.has(key) || (probe.video !== null && Object.hasOwn(pictureGatherers, key))) continue;
    tasks.push({
      keys: [key],
      weight: key === "document" ? Math.max(1, (probe.pages ?? 10) / 50) : 1,
      run: async (tools) => ({ [key]: await gather({ ...tools, file, mediaType, probe, models }) }),
    });
  }
  return tasks;
}
