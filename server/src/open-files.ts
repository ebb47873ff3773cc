import { readFileSync } from "node:fs";
import type { Config } from "./config.ts";

/** How many files this process may have open; null where the system does not tell. Node has raised it to the hard limit. */
export function readOpenFilesLimit(): number | null {
  try {
    const soft = /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return soft === "unlimited" ? Infinity : soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** What one busy key can open at once, with room for a second: an upload is a connection and a file. */
export function neededOpenFiles(
  config: Pick<Config, "databasePoolSize" | "uploadsPerKey" | "streamsPerKey" | "workerSlots">,
): number {
  const files = 128 + config.databasePoolSize + 4 * config.uploadsPerKey + config.streamsPerKey;
  return files + 2 * 16 * config.workerSlots;
}

/** What to tell an operator whose limit is too low; undefined when it is not. */
export function warnOfOpenFiles(config: Parameters<typeof neededOpenFiles>[0]): string | undefined {
  const [limit, needed] = [readOpenFilesLimit(), neededOpenFiles(config)];
  if (limit === null || limit >= needed) return undefined;
  return (
    `This process may open ${limit} files, and needs ${needed} under load: requests beyond that get 503. ` +
    `Raise the limit with \`ulimit -n ${needed}\`, LimitNOFILE= in systemd or --ulimit in Docker.`
  );
}

/** Whether an error, or what caused it, is that no file or connection could be opened any more. */
export function isOutOfFiles(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if ("code" in cause && (cause.code === "EMFILE" || cause.code === "ENFILE")) return true;
  return false;
}

export function outOfFilesLine(): string {
  return `too many open files: the limit is ${readOpenFilesLimit() ?? "unknown"}; raise it with ulimit -n or LimitNOFILE=`;
}
