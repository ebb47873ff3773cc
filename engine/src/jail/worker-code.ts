import { access } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ownPath = fileURLToPath(import.meta.url);
export const sourceFolder = dirname(dirname(ownPath));

/** `.js` in the installed package: Node strips no types below `node_modules`. */
export const sourceExtension = extname(ownPath);

/** A tiny program that reads its input and touches nothing else: does our code run inside a jail? */
export const probePath = join(sourceFolder, `jail/jail-probe${sourceExtension}`);

/** How Node must be started to run one of our workers. */
export function workerArguments(options: { heapBytes: number }): string[] {
  return [
    `--max-old-space-size=${Math.floor(options.heapBytes / 2 ** 20)}`,
    "--disable-warning=ExperimentalWarning",
    // Each of V8's threads costs memory and a worker lives for one file.
    "--v8-pool-size=1",
  ];
}

/**
 * How Node must be started for a small file from a snapshot. What V8 does ahead for a long life (baseline code, marking
 * in steps beside the work, machine code for expressions that are used twice) costs a short one a tenth of its time.
 * The snapshot is compared before each use by us, and has a random seed of its own for its hash tables: to hash
 * everything in it again with another takes as long as the rules do.
 */
export function shortLivedArguments(options: { heapBytes: number }): string[] {
  return [
    ...workerArguments(options),
    "--no-sparkplug",
    // Most of what a sentence makes fits in there, and is gone with the process.
    "--min-semi-space-size=8",
    "--no-incremental-marking",
    "--regexp-tier-up-ticks=100",
    "--no-verify-snapshot-checksum",
    "--no-rehash-snapshot",
  ];
}

/** How Node must be started for a whole analysis, which goes on as long as a film does. */
export function analysisArguments(options: { heapBytes: number }): string[] {
  // Left to itself the heap widens for what lives no longer than a frame: hours would take more memory than seconds do.
  return [...workerArguments(options), "--max-semi-space-size=4", "--expose-gc"];
}

/**
 * What a worker must be able to read: Node, this source and the installed packages. Not the folder around them, which
 * may hold the service's data.
 */
export async function workerPaths(): Promise<string[]> {
  const candidates = [process.execPath, sourceFolder, join(dirname(sourceFolder), "package.json")];
  for (let folder = sourceFolder; folder !== dirname(folder); folder = dirname(folder)) {
    candidates.push(join(folder, "node_modules"));
  }
  const exists = await Promise.all(
    candidates.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return candidates.filter((_, index) => exists[index]);
}
