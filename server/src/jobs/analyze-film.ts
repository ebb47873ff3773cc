import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import type { AnalysisRequest, AnalysisResult } from "@greenlit/engine/analyze.ts";
import type { ChildOptions, runAnalysisInChild } from "@greenlit/engine/child.ts";
import type { FilmPlan } from "@greenlit/engine/evidence/parts/film-part.ts";
import type { App } from "../app.ts";
import { claimFilmPart, filmProgress, keptFilmParts, planFilmParts } from "../films/film-parts.ts";
import { gatherFilmPart } from "./gather-film-part.ts";

const lookEveryMs = 1000;
/** Before it the file is looked at, after it the parts are joined and judged. */
const gathering = { from: 0.05, to: 0.95 };

type FilmOptions = {
  film: { assetId: string; workspaceId: string };
  request: AnalysisRequest;
  options: ChildOptions;
  signal: AbortSignal;
  runAnalysis: typeof runAnalysisInChild;
};

/**
 * Analyses a file, in parts if it is a long film. Other workers may take parts of it; parts that a worker has kept before
 * it died are not gathered again.
 */
export async function analyzeFilm(app: App, task: FilmOptions): Promise<AnalysisResult> {
  const { request, options, runAnalysis } = task;
  const { filmPartLength } = app.config;
  if (filmPartLength === 0) return runAnalysis(request, options);
  const partSeconds = filmPartLength / 1000;
  const step = { kind: "cut", length: { partSeconds, longerThanSeconds: 2 * partSeconds } } as const;
  const first = await runAnalysis({ ...request, film: step }, options);
  if (first.film === undefined || !("plan" in first.film)) return first;
  // Its credits are held from now on.
  const { onProbe: _onProbe, ...known } = options;
  const result = await analyzeParts(app, { ...task, options: known }, first.film.plan);
  if (result.film === undefined) return result;
  app.log.warn({ ...task.film, ...result.film }, "the parts of a film do not fit: it is analysed in one piece");
  return runAnalysis(request, known);
}

async function analyzeParts(app: App, task: FilmOptions, plan: FilmPlan): Promise<AnalysisResult> {
  const { film, request, options, signal, runAnalysis } = task;
  await planFilmParts(app, film, plan);
  const tell = (fraction: number) => options.onProgress?.(gathering.from + (gathering.to - gathering.from) * fraction);
  const watch = setInterval(() => {
    filmProgress(app, film).then(
      ({ fraction }) => tell(fraction),
      (error: unknown) => app.log.warn({ err: error }, "progress of a film not read"),
    );
  }, lookEveryMs);
  try {
    for (;;) {
      signal.throwIfAborted();
      const claimed = await claimFilmPart(app, { film, isHelp: false });
      if (claimed) await gatherFilmPart(app, { claimed, file: async () => request.file, signal, runAnalysis });
      else if ((await filmProgress(app, film)).isDone) break;
      else await setTimeout(lookEveryMs, undefined, { signal });
    }
  } finally {
    clearInterval(watch);
  }
  const folder = `${request.file}-parts`;
  await mkdir(folder, { mode: 0o700 });
  try {
    const onProgress = (fraction: number) => options.onProgress?.(Math.max(gathering.to, fraction));
    const files = await fetchParts(app, { film, folder, signal });
    return await runAnalysis(
      { ...request, today: plan.today, film: { kind: "join", files } },
      { ...options, onProgress },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fetchParts(
  app: App,
  { film, folder, signal }: { film: FilmOptions["film"]; folder: string; signal: AbortSignal },
): Promise<string[]> {
  const files: string[] = [];
  for (const { objectKey, etag } of await keptFilmParts(app, film)) {
    const file = join(folder, String(files.length));
    await pipeline(await app.store.open(objectKey, { etag, signal }), createWriteStream(file, { mode: 0o600 }), {
      signal,
    });
    files.push(file);
  }
  return files;
}
