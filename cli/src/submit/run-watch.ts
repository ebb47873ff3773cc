import { createHash } from "node:crypto";
import { mkdir, rename, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Context } from "@greenlit/engine/sidekick.ts";
import type { Greenlit } from "@greenlit/sdk/src/client.ts";
import { ApiError, ConnectionError, GreenlitError } from "@greenlit/sdk/src/errors.ts";
import { isTransient } from "@greenlit/sdk/src/retry.ts";
import { renderTotals } from "../check/report-table.ts";
import { CommandError } from "../command-error.ts";
import { readResults } from "./read-results.ts";
import { connect, type ServiceOptions } from "./service-options.ts";
import { createScanner, type SettledFile } from "./settled-files.ts";
import { submitFiles } from "./submit-files.ts";
import { openWatchState, type WatchEntry, type WatchState } from "./watch-state.ts";

export type WatchCommand = ServiceOptions & {
  context?: Context;
  settle: number;
  once?: boolean;
  moveDone?: string;
  state?: string;
  json?: boolean;
};

const scanMs = 1000;
/** A service that is away is asked again after this. */
const awayMs = 15_000;

type Watch = { greenlit: Greenlit; state: WatchState; options: WatchCommand; signal: AbortSignal };

/** Submits what settles in the folder until it is stopped, or with --once until everything there has its results. */
export async function runWatch(path: string, options: WatchCommand): Promise<number> {
  const folder = resolve(path);
  if (!(await stat(folder).catch(() => null))?.isDirectory()) throw new CommandError(`${path} is not a folder.`);
  if (options.moveDone !== undefined && isInside(resolve(options.moveDone), folder))
    throw new CommandError(
      "--move-done must be outside the watched folder: what is moved there would be submitted again.",
    );
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const watch: Watch = {
    greenlit: connect(options),
    state: openWatchState({ folder, server: options.server, file: options.state }),
    options,
    signal: stop.signal,
  };
  const scan = createScanner(folder, options.settle * 1000);
  const following = new Set<Promise<void>>();
  const followToTheEnd = (entry: WatchEntry) => {
    const done = follow(watch, entry).finally(() => following.delete(done));
    following.add(done);
  };
  for (const entry of watch.state.unfinished()) followToTheEnd(entry);

  while (!stop.signal.aborted) {
    const { settled, waiting } = await scan();
    const fresh = settled.filter((file) => watch.state.find(file) === undefined);
    try {
      // One after the other: two files of one name in two folders would have one blob path.
      for (const file of fresh) {
        const entry = await submitFile(watch, file);
        if (entry.submissionId !== null) followToTheEnd(entry);
      }
      if (options.once && waiting === 0 && fresh.length === 0) {
        await Promise.all(following);
        return 0;
      }
      await pause(scanMs, stop.signal);
    } catch (error) {
      if (stop.signal.aborted) break;
      if (!isTransient(error) || options.once) throw error;
      say(watch, { event: "away", message: (error as Error).message });
      await pause(awayMs, stop.signal);
    }
  }
  await Promise.allSettled(following);
  return 0;
}

async function submitFile(watch: Watch, file: SettledFile): Promise<WatchEntry> {
  const { greenlit, state, options, signal } = watch;
  const previousSubmissionId = state.findPrevious(file.path);
  const entry = { ...file, submissionId: null as string | null, assetId: null as string | null, isDone: true };
  try {
    const submitted = await submitFiles(greenlit, [file.path], {
      server: options.server,
      context: options.context,
      signal,
      previousSubmissionId,
      // The same file gets the same submission, should this end before it is recorded.
      idempotencyKey: createHash("sha256")
        .update(JSON.stringify([file, previousSubmissionId, options.context]))
        .digest("hex"),
      onFile: () => () => {},
      onUncheckable: (path, { errorType, message }) => say(watch, { event: "refused", path, errorType, message }),
    });
    if (submitted) {
      entry.submissionId = submitted.submissionId;
      entry.assetId = submitted.files[0]?.assetId ?? null;
      entry.isDone = false;
      say(watch, { event: "submitted", path: file.path, submissionId: entry.submissionId });
    }
  } catch (error) {
    // What is wrong with this file would be wrong again; what is wrong with the key or the service would not.
    if (!(error instanceof GreenlitError) || !isAboutTheFile(error)) throw error;
    say(watch, { event: "refused", path: file.path, message: error.message });
  }
  state.record(entry);
  return entry;
}

function isAboutTheFile(error: GreenlitError): boolean {
  if (error instanceof ConnectionError || isTransient(error)) return false;
  return !(error instanceof ApiError && [401, 402].includes(error.status));
}

async function follow({ greenlit, state, options, signal }: Watch, entry: WatchEntry): Promise<void> {
  const { path, submissionId, assetId } = entry;
  if (submissionId === null || assetId === null) return;
  try {
    await greenlit.submissions.waitUntilDone(submissionId, { signal });
    const files = await readResults(greenlit, { submissionId, files: [{ path, assetId }] }, { wantsFrames: false });
    const counts = renderTotals(files).replace(/^1 file: /, "");
    state.record({ ...entry, isDone: true });
    say({ options }, { event: "done", path, submissionId, status: files[0]?.status, result: counts });
    if (options.moveDone !== undefined && files[0]?.status === "complete") await move(path, options.moveDone);
  } catch (error) {
    // It is followed again at the next start.
    if (!signal.aborted)
      say({ options }, { event: "unfollowed", path, submissionId, message: (error as Error).message });
  }
}

/** Never over a file that is there already. */
async function move(path: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let number = 1; ; number += 1) {
    const target = join(folder, number === 1 ? basename(path) : `${number}-${basename(path)}`);
    if (await stat(target).catch(() => null)) continue;
    await rename(path, target);
    return;
  }
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return delay(milliseconds, undefined, { signal }).catch(() => {});
}

function say({ options }: { options: WatchCommand }, event: { event: string; [fact: string]: unknown }): void {
  if (options.json) return console.log(JSON.stringify({ timestamp: new Date().toISOString(), ...event }));
  const { event: name, ...facts } = event;
  console.log([name.padEnd(9), ...Object.values(facts).filter((fact) => typeof fact === "string")].join("  "));
}
