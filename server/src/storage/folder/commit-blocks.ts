import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { type BlockListEntry, ProtocolError } from "./azure-protocol.ts";
import { orNullIfMissing } from "./durable-file.ts";
import type { FolderBlocks } from "./folder-blocks.ts";
import { splitKey } from "./folder-layout.ts";
import type { FolderObjects, OpenObject, WriteConditions } from "./folder-objects.ts";
import { createKeyedLock } from "./keyed-lock.ts";
import { type BlockList, type ObjectMeta, readBlockList } from "./object-file.ts";
import type { UnclaimedQuota } from "./unclaimed-quota.ts";

export type CommitOptions = {
  entries: BlockListEntry[];
  maxBytes: number;
  contentType: string;
  conditions: WriteConditions;
  md5: string | undefined;
  /** A few kilobytes may list gigabytes: they are not copied for a client that has gone. */
  signal: AbortSignal;
};

/** Where one listed block's bytes are: in the file of a staged block, or at a place in the object as it is now. */
type Part = { id: string; sizeBytes: number } & ({ from: "staged"; path: string } | { from: "object"; start: number });

type Places = Map<string, { start: number; sizeBytes: number }>;

const readBytes = 1024 * 1024;

/** Makes an object of the listed blocks, as Azure means it: afterwards no block is staged, listed or not. */
export function createCommit(parts: { quota: UnclaimedQuota; objects: FolderObjects; blocks: FolderBlocks }) {
  const { quota, objects, blocks } = parts;
  const lock = createKeyedLock();

  // Under a lock, so that of one list sent twice the second finds its blocks in the object and not half removed.
  return (key: string, options: CommitOptions): Promise<ObjectMeta> =>
    lock(key, async () => {
      await objects.assertWritable(key, options.conditions);
      await using object = await objects.openObject(key);
      const committed = object ? await readBlockList(object.file, object.meta) : [];
      const staged = await blocks.staged(key);
      const places = placesIn(committed);
      const parts = options.entries.map((entry) => resolve(entry, { key, staged, places }));
      const stagedBytes = sumOf(staged.values());
      const meta =
        object && isWhole(parts, committed) ? object.meta : await write(key, { options, parts, object, stagedBytes });
      await blocks.discard(key);
      quota.release(splitKey(key).workspace, stagedBytes);
      return meta;
    });

  async function write(
    key: string,
    from: { options: CommitOptions; parts: Part[]; object: OpenObject | null; stagedBytes: number },
  ): Promise<ObjectMeta> {
    const { options, parts, object, stagedBytes } = from;
    const source = Readable.from(readParts(parts, object, options.signal), {
      objectMode: false,
      highWaterMark: readBytes,
    });
    try {
      return await objects.write(key, {
        ...options,
        body: () => source,
        ownsChunks: true,
        declaredBytes: sumOf(parts.map((part) => part.sizeBytes)),
        blocks: parts.map(({ id, sizeBytes }) => ({ id, sizeBytes })),
        freedBytes: stagedBytes + (object?.meta.sizeBytes ?? 0),
      });
    } finally {
      // Otherwise the block it stands at stays open when the disk is full.
      source.destroy();
    }
  }

  function resolve(entry: BlockListEntry, from: { key: string; staged: Map<string, number>; places: Places }): Part {
    const { source, id } = entry;
    const stagedBytes = source === "Committed" ? undefined : from.staged.get(id);
    if (stagedBytes !== undefined)
      return { id, sizeBytes: stagedBytes, from: "staged", path: blocks.fileOf(from.key, id) };
    const place = source === "Uncommitted" ? undefined : from.places.get(id);
    if (place) return { id, from: "object", ...place };
    throw invalidBlockList(id);
  }
}

/** By id, where each block lies in the object that consists of them. */
function placesIn(committed: BlockList): Places {
  let start = 0;
  return new Map(
    committed.map(({ id, sizeBytes }) => {
      start += sizeBytes;
      return [id, { start: start - sizeBytes, sizeBytes }];
    }),
  );
}

/** Whether the parts are the object as it is: a list sent again because its answer was lost is not worth a copy. */
function isWhole(parts: Part[], committed: BlockList): boolean {
  return (
    parts.length > 0 &&
    parts.length === committed.length &&
    parts.every((part, index) => part.from === "object" && part.id === committed[index]?.id)
  );
}

async function* readParts(parts: Part[], object: OpenObject | null, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (const part of parts) {
    await using stack = new AsyncDisposableStack();
    const file = part.from === "object" ? object?.file : stack.use(await orNullIfMissing(open(part.path, "r")));
    // A block that another process replaced or dropped meanwhile must not end up cut in the middle of the object.
    if (!file || (part.from === "staged" && (await file.stat()).size !== part.sizeBytes))
      throw invalidBlockList(part.id);
    const start = part.from === "object" ? part.start : 0;
    for (let done = 0; done < part.sizeBytes;) {
      if (signal.aborted) throw new ProtocolError(499, "ClientClosedRequest", "The client has gone.");
      const buffer = Buffer.allocUnsafe(Math.min(readBytes, part.sizeBytes - done));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, start + done);
      if (bytesRead === 0) throw invalidBlockList(part.id);
      yield buffer.subarray(0, bytesRead);
      done += bytesRead;
    }
  }
}

function sumOf(sizes: Iterable<number>): number {
  return Iterator.from(sizes).reduce((sum, size) => sum + size, 0);
}

function invalidBlockList(id: string): ProtocolError {
  return new ProtocolError(400, "InvalidBlockList", `The block ${id} is not there. Upload it again.`);
}
