import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "node:crypto";

const touchMs = 30_000;
const staleMs = 10 * 60_000;

/**
 * A folder of this worker's own for files under analysis. Living workers touch theirs; what a killed one left behind
 * is removed by the next that starts, or by housekeeping.
 */
export async function openScratch(folder: string): Promise<{ path: string } & AsyncDisposable> {
  const path = join(folder, `worker-${randomUUID()}`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  await sweepScratch(folder);
  const timer = setInterval(() => {
    utimes(path, new Date(), new Date()).catch(() => {});
  }, touchMs);
  timer.unref();
  return {
    path,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await rm(path, { recursive: true, force: true });
    },
  };
}

export async function sweepScratch(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const touched = await stat(path).catch(() => undefined);
    if (touched && Date.now() - touched.mtimeMs > staleMs) await rm(path, { recursive: true, force: true });
  }
}
