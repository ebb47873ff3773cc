import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import type { Sidekick } from "@greenlit/engine/sidekick.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
/** Beside the packs, for those who train and test: thousands of texts that no rule is read from. */
const notRead = /^(corpus|texts)(\/|$)/;

/** The packs of these folders as an earlier start read them, else read now: hundreds of files take a second. */
export async function keepPacks(
  options: { folders: readonly string[]; file: string },
  read: () => Promise<Sidekick[]>,
): Promise<Sidekick[]> {
  const key = keyOf(options.folders);
  const kept = openKept(options.file);
  if (key !== undefined && kept?.key === key) return kept.sidekicks;
  const sidekicks = await read();
  // A file that changed while the packs were read must not count as read.
  if (key !== undefined && keyOf(options.folders) === key) keep(options.file, { key, sidekicks });
  return sidekicks;
}

type Kept = { key: string; sidekicks: Sidekick[] };

/** Changes with every file of the packs and of the code that reads them; undefined where one cannot be looked at. */
function keyOf(folders: readonly string[]): string | undefined {
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

function openKept(file: string): Kept | undefined {
  try {
    return deserialize(readFileSync(file)) as Kept;
  } catch {
    return undefined;
  }
}

function keep(file: string, kept: Kept): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, serialize(kept), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // A full disk: the next start reads them again.
  }
}
