import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

export type SettledFile = { path: string; sizeBytes: number; mtimeMs: number };

const unfinished = /(^\.|^~\$|\.(part|partial|filepart|tmp|temp|crdownload|download|!ut|!qb)$)/i;

/** Finds the files of a folder that nobody writes to any more: the same size and time for the whole wait. */
export function createScanner(folder: string, settleMs: number) {
  const seen = new Map<string, { sizeBytes: number; mtimeMs: number; since: number }>();

  async function look(path: string): Promise<SettledFile | "waiting" | null> {
    const facts = await stat(path).catch(() => null);
    if (!facts?.isFile()) return null;
    const { size: sizeBytes, mtimeMs } = facts;
    const before = seen.get(path);
    const isSame = before?.sizeBytes === sizeBytes && before.mtimeMs === mtimeMs;
    if (!isSame) seen.set(path, { sizeBytes, mtimeMs, since: performance.now() });
    // A copy makes the file first and fills it later.
    const hasSettled = isSame && performance.now() - before.since >= settleMs && sizeBytes > 0;
    return hasSettled ? { path, sizeBytes, mtimeMs } : "waiting";
  }

  return async function scan(): Promise<{ settled: SettledFile[]; waiting: number }> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile() && !unfinished.test(entry.name) && !isHidden(entry.parentPath, folder))
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
    for (const path of seen.keys()) if (!paths.includes(path)) seen.delete(path);
    const found = await Promise.all(paths.map(look));
    return {
      settled: found.filter((file) => file !== null && file !== "waiting"),
      waiting: found.filter((file) => file === "waiting").length,
    };
  };
}

function isHidden(parent: string, folder: string): boolean {
  return parent
    .slice(folder.length)
    .split("/")
    .some((part) => part.startsWith("."));
}
