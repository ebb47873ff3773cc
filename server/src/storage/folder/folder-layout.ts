import { createHash } from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { assertKey, parseReference, StoreError } from "../store.ts";

export type FolderLayout = ReturnType<typeof folderLayout>;

/**
 * Where things are in the store's folder:
 * - `objects/<workspace>/<rest of the key>`: an object, in the form of `object-file.ts`.
 * - `frozen/<workspace>/<rest of the key>/<etag>`: a hard link to what a submission took.
 * - `blocks/<workspace>/<rest of the key>/<block id>`: blocks that no block list has committed.
 * - `tmp/`: whatever is being written.
 */
export function folderLayout(root: string) {
  const inTree = (tree: string, key: string) => {
    const { workspace, rest } = splitKey(key);
    return join(root, tree, nameOf(workspace), nameOf(rest));
  };
  return {
    objects: join(root, "objects"),
    frozen: join(root, "frozen"),
    blocks: join(root, "blocks"),
    tmp: join(root, "tmp"),
    objectFile: (key: string) => inTree("objects", key),
    /** Of a key or of what `freeze` returned. */
    fileOf: (key: string): string => {
      const frozen = parseReference(key);
      if (!frozen) {
        assertKey(key);
        return inTree("objects", key);
      }
      if (!/^[0-9a-f]{16}$/.test(frozen.id))
        throw new StoreError("invalid_key", "The reference is not one of this store.");
      return join(inTree("frozen", frozen.key), frozen.id);
    },
    frozenFolder: (key: string) => inTree("frozen", key),
    blocksFolder: (key: string) => inTree("blocks", key),
    workspaceFolders: (workspace: string) => ({
      objects: join(root, "objects", nameOf(workspace)),
      frozen: join(root, "frozen", nameOf(workspace)),
      blocks: join(root, "blocks", nameOf(workspace)),
    }),
  };
}

export function splitKey(key: string): { workspace: string; rest: string } {
  const slash = key.indexOf("/");
  return slash < 0 ? { workspace: key, rest: "" } : { workspace: key.slice(0, slash), rest: key.slice(slash + 1) };
}

/** Makes the folder so that it outlives a power cut: a new name is only durable once its parent was synced. */
export async function makeFolder(path: string): Promise<void> {
  const firstMade = await mkdir(path, { recursive: true, mode: 0o700 });
  if (firstMade === undefined) return;
  for (let made = path; made.length >= firstMade.length; made = dirname(made)) await syncFolder(dirname(made));
}

export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, "r");
  await folder.sync();
}

/** Case-blind file systems and their limit of 255 bytes would let two keys meet in one file, so only the plainest names are kept. */
function nameOf(part: string): string {
  return /^[a-z0-9_-]{1,100}$/.test(part) ? part : `~${createHash("sha256").update(part).digest("hex")}`;
}
