import { createHmac, timingSafeEqual } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import { codeState } from "@greenlit/engine/code-state.ts";

/** Beside the packs, for those who train and test: thousands of texts that no rule is read from. */
const notRead = /^(corpus|texts)(\/|$)/;

/** `sealKey`: who does not know it cannot leave other rules for the next start. */
export type PacksFile = { file: string; sealKey: Buffer };

/** What these folders hold as an earlier start read it, else read now: hundreds of files take a second. */
export async function keepPacks<Content>(
  { folders, ...packsFile }: PacksFile & { folders: readonly string[] },
  read: () => Promise<Content>,
): Promise<Content> {
  const state = stateOf(folders);
  const kept = openKept<Content>(packsFile);
  if (state !== undefined && kept?.state === state) return kept.content;
  const content = await read();
  // A file that changed while the packs were read must not count as read.
  if (state !== undefined && stateOf(folders) === state) keep(packsFile, { state, content });
  return content;
}

type Kept<Content> = { state: string; content: Content };

/** Undefined where a file cannot be looked at. */
function stateOf(folders: readonly string[]): string | undefined {
  try {
    return codeState(folders, (name) => notRead.test(name));
  } catch {
    return undefined;
  }
}

function openKept<Content>({ file, sealKey }: PacksFile): Kept<Content> | undefined {
  try {
    const bytes = readFileSync(file);
    const [seal, packs] = [bytes.subarray(0, 32), bytes.subarray(32)];
    return timingSafeEqual(seal, sealOf(packs, sealKey)) ? (deserialize(packs) as Kept<Content>) : undefined;
  } catch {
    return undefined;
  }
}

function keep({ file, sealKey }: PacksFile, kept: Kept<unknown>): void {
  const packs = serialize(kept);
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, Buffer.concat([sealOf(packs, sealKey), packs]), { mode: 0o600 });
    renameSync(unfinished, file);
  } catch {
    // A full disk: the next start reads them again.
    rmSync(unfinished, { force: true });
  }
}

function sealOf(packs: Buffer, key: Buffer): Buffer {
  return createHmac("sha256", key).update(packs).digest();
}
