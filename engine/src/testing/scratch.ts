import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that goes when the test ends: `await using scratch = await makeScratch()`. */
export async function makeScratch(): Promise<
  AsyncDisposable & { folder: string; write: (name: string, bytes: Uint8Array | string) => Promise<string> }
> {
  const folder = await mkdtemp(join(tmpdir(), "greenlit-engine-"));
  return {
    folder,
    async write(name, bytes) {
      const path = join(folder, name);
      await writeFile(path, bytes);
      return path;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
