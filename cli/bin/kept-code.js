// Plain JavaScript: it runs before anything that would have to be stripped of its types.
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const builtInPacks = join(repository, "rulepacks");
const sourcesOfCheck = ["engine/src", "cli/src", "cli/bin"];
const sourcesOfService = [...sourcesOfCheck, "server/src", "sdk/src"];

/** Where commands keep what they would work out again: our own code and rules, loaded. */
export function keptRoot() {
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "greenlit");
}

/** What `greenlit check` keeps for exactly this code and these packs. */
export function keptFolder(packs) {
  return join(keptRoot(), stateOf([...inRepository(sourcesOfCheck), builtInPacks, ...packs]));
}

/** What `greenlit serve` keeps for exactly this code. */
export function keptServiceFolder() {
  return join(keptRoot(), "service", stateOf(inRepository(sourcesOfService)));
}

/**
 * One name for these files and this Node: a change of any file makes another. By size and time of each, because to read
 * them all would take longer than the check of a sentence.
 */
function stateOf(folders) {
  const hash = createHash("sha256").update(`${process.version} ${process.arch} ${process.execPath}\n`);
  // An installed package has no lock, and all its files have the same time: its version tells them apart.
  const lock = lstatSync(join(repository, "package-lock.json"), { throwIfNoEntry: false });
  hash.update(lock ? String(lock.mtimeMs) : readFileSync(join(repository, "package.json")));
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true }).toSorted()) {
      const { size, mtimeMs } = lstatSync(join(folder, name));
      hash.update(`${join(folder, name)} ${size} ${mtimeMs}\n`);
    }
  return hash.digest("hex").slice(0, 32);
}

function inRepository(names) {
  return names.map((name) => join(repository, name));
}

/** Nobody else could have put anything in there. */
export function isOursAlone(folder) {
  const { uid, mode } = lstatSync(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** Halves the start of every command: types are stripped and modules compiled once, not at each start. */
export function keepCompiledCode() {
  try {
    mkdirSync(keptRoot(), { recursive: true, mode: 0o700 });
    if (isOursAlone(keptRoot())) enableCompileCache(join(keptRoot(), "compiled"));
  } catch {
    // No home, or one that cannot be written: it takes longer and nothing else.
  }
}

/** The folder of an earlier run of the same command with its program; undefined where there is none. */
export function openKept(args) {
  try {
    if (args[0] === "serve") return opened(keptServiceFolder(), "serve.mjs");
    if (args[0] === "check" && !args.includes("--packs")) return opened(keptFolder([]), "check.mjs");
    return undefined;
  } catch {
    return undefined;
  }
}

function opened(folder, name) {
  const program = join(folder, name);
  if (!isOursAlone(keptRoot()) || !lstatSync(program).isFile()) return undefined;
  return { folder, program: pathToFileURL(program).href };
}
