import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sourceFolder } from "./jail/worker-code.ts";

/**
 * Changes with this Node, the installed packages, and every file of the engine's code and of these folders. By size and
 * times of each, because to read them all would take longer than what is kept under it saves.
 */
export function codeState(folders: readonly string[], isLeftOut: (name: string) => boolean = () => false): string {
  const hash = createHash("sha256").update(`${process.version} ${process.arch} ${process.execPath}\n`);
  // An installed package has no lock, and all its files have the same time: its version tells them apart.
  const root = dirname(dirname(sourceFolder));
  const lock = statSync(join(root, "package-lock.json"), { throwIfNoEntry: false });
  hash.update(lock ? String(lock.mtimeMs) : readFileSync(join(root, "package.json")));
  for (const folder of [sourceFolder, ...folders])
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
      if (isLeftOut(name)) continue;
      const { size, mtimeMs, ctimeMs } = statSync(join(folder, name));
      hash.update(`${join(folder, name)} ${size} ${mtimeMs} ${ctimeMs}\n`);
    }
  return hash.digest("hex");
}
