import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { stateFolder } from "./state-folder.ts";

/** One state of one file: the same path with other bytes is another entry. */
export type WatchEntry = {
  path: string;
  sizeBytes: number;
  mtimeMs: number;
  submissionId: string | null;
  assetId: string | null;
  isDone: boolean;
};

export type WatchState = {
  find(file: { path: string; sizeBytes: number; mtimeMs: number }): WatchEntry | undefined;
  /** The newest submission of the path, whatever its bytes were. */
  findPrevious(path: string): string | undefined;
  unfinished(): WatchEntry[];
  record(entry: WatchEntry): void;
};

/** A line is added for each change and none is rewritten: a kill can cut only the last one, which is left out. */
export function openWatchState(options: { folder: string; server: string; file?: string | undefined }): WatchState {
  const name = createHash("sha256")
    .update([resolve(options.folder), options.server].join("\n"))
    .digest("hex");
  const file = options.file ?? join(stateFolder(), `watch-${name.slice(0, 16)}.ndjson`);
  const entries = new Map<string, WatchEntry>();
  const previous = new Map<string, string>();
  const remember = (entry: WatchEntry) => {
    entries.set(keyOf(entry), entry);
    if (entry.submissionId !== null) previous.set(entry.path, entry.submissionId);
  };
  for (const entry of readLines(file)) remember(entry);
  mkdirSync(dirname(resolve(file)), { recursive: true });
  return {
    find: (wanted) => entries.get(keyOf(wanted)),
    findPrevious: (path) => previous.get(path),
    unfinished: () => [...entries.values()].filter(({ isDone, submissionId }) => !isDone && submissionId !== null),
    record(entry) {
      // Begins with a line end, so that a line that was cut short spoils only itself.
      appendFileSync(file, `\n${JSON.stringify(entry)}`);
      remember(entry);
    },
  };
}

function keyOf({ path, sizeBytes, mtimeMs }: { path: string; sizeBytes: number; mtimeMs: number }): string {
  return [path, sizeBytes, mtimeMs].join("\n");
}

function readLines(file: string): WatchEntry[] {
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as WatchEntry];
    } catch {
      return [];
    }
  });
}
