import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import type { Sidekick } from "@greenlit/engine/sidekick.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
/** Beside the packs, for those who train and test: thousands of texts that no rule is read from. */
const notRead = /^(corpus|texts)(\/|$)/;

/** `sealKey`: who does not know it cannot leave other rules for the next start. */
export type PacksFile = { file: string; sealKey: Buffer };

/** The packs of these folders as an earlier start read them, else read now: hundreds of files take a second. */
export async function keepPacks(
  { folders, ...packsFile }: PacksFile & { folders: readonly string[] },
  read: () => Promise<Sidekick[]>,
): Promise<Sidekick[]> {
  const state = stateOf(folders);
  const kept = openKept(packsFile);
  if (state !== undefined && kept?.state === state) return kept.sidekicks;
  const sidekicks = await read();
  // A file that changed while the packs were read must not count as read.
  if (state !== undefined && stateOf(folders) === state) keep(packsFile, { state, sidekicks });
  return sidekicks;
}

type Kept = { state: string; sidekicks: Sidekick[] };

/** Changes with every file of the packs and of the code that reads them; undefined where one cannot be looked at. */
function stateOf(folders: readonly string[]): string | undefined {
  try {
    const hash = createHash("sha256").update(process.version);
    // All files of an installed package have the same time: its version tells them apart.
    hash.update(readFileSync(join(repository, "package.json")));
    for (const folder of [join(repository, "engine/src"), ...folders])
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
        if (notRead.test(name)) continue;
        const { size, mtimeMs, ctimeMs } = statSync(join(folder, name));
        hash.update(`${join(folder, name)} ${size} ${mtimeMs} ${ctimeMs}\n`);
      }
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}

function openKept({ file, sealKey }: PacksFile): Kept | undefined {
  try {
    const bytes = readFileSync(file);
    const [seal, packs] = [bytes.subarray(0, 32), bytes.subarray(32)];
    return timingSafeEqual(seal, sealOf(packs, sealKey)) ? (deserialize(packs) as Kept) : undefined;
  } catch {
    return undefined;
  }
}

function keep({ file, sealKey }: PacksFile, kept: Kept): void {
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
