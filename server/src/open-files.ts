import { readFileSync } from "node:fs";
import type { Server } from "node:net";
import type { Logger } from "pino";
import type { Config } from "./config.ts";

let known: number | null | undefined;

/**
 * How many files this process may have open; null where the system does not say. Node has raised it to the hard limit.
 * Read once: when the files run out, the file that says so cannot be opened either.
 */
export function readOpenFilesLimit(): number | null {
  known ??= readLimit();
  return known;
}

function readLimit(): number | null {
  try {
    const soft = /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return soft === "unlimited" ? Infinity : soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/**
 * How a low limit is shared out: a third for the connections of each listener, and the rest for uploads, each of which
 * opens a second file while it begins or ends. Without it connections take all, and the uploads under way fail as well.
 */
export function shareOpenFiles({ databasePoolSize }: Pick<Config, "databasePoolSize">): {
  connections: number;
  uploads: number;
} {
  const limit = readOpenFilesLimit();
  if (limit === null) return { connections: Infinity, uploads: Infinity };
  const third = Math.max(8, Math.floor((limit - 64 - databasePoolSize) / 3));
  return { connections: third, uploads: Math.floor(third / 2) };
}

/** Closes connections beyond the share of this listener, and says so at most every ten seconds. */
export function limitConnections(server: Server, { max, log }: { max: number; log: Logger }): void {
  if (max === Infinity) return;
  server.maxConnections = max;
  let dropped = 0;
  let saidAt = -Infinity;
  server.on("drop", () => {
    dropped += 1;
    if (performance.now() - saidAt < 10_000) return;
    log.error({ dropped }, `connections closed unanswered: ${outOfFilesLine()}`);
    saidAt = performance.now();
    dropped = 0;
  });
}

/** Thrown before the system would. */
export class OutOfFiles extends Error {
  override name = "OutOfFiles";
  readonly code = "EMFILE";
}

/** What one busy key can open at once, with room for a second: an upload is a connection and a file. */
export function neededOpenFiles(
  config: Pick<Config, "databasePoolSize" | "uploadsPerKey" | "streamsPerKey" | "workerSlots">,
): number {
  const files = 128 + config.databasePoolSize + 4 * config.uploadsPerKey + config.streamsPerKey;
  return files + 2 * 16 * config.workerSlots;
}

/** The warning for an operator whose limit is too low; undefined when it is not. */
export function warnOfOpenFiles(config: Parameters<typeof neededOpenFiles>[0]): string | undefined {
  const [limit, needed] = [readOpenFilesLimit(), neededOpenFiles(config)];
  if (limit === null || limit >= needed) return undefined;
  return (
    `This process may open ${limit} files, and needs ${needed} under load: uploads beyond that get 503, and connections are closed. ` +
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
