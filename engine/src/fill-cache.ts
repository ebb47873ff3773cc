import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildEngine } from "./build-engine.ts";
import { snapshotIn } from "./one-jail.ts";
import type { Sidekick } from "./sidekick.ts";

/**
 * Fills a new folder with what every analysis would work out again about our own code and rules: the code in few files
 * (`code`), the rules and their analysed patterns, and a process that has all of it loaded (`one-jail.blob`).
 */
export async function fillCache(
  folder: string,
  { sidekicks, signal }: { sidekicks: readonly Sidekick[]; signal: AbortSignal },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "packs.json"), JSON.stringify(sidekicks));
  const snapshotFile = join(folder, "one-jail.cjs");
  await buildEngine({ codeFolder: join(folder, "code"), snapshotFile });
  signal.throwIfAborted();
  await takeSnapshot(folder, snapshotFile, signal);
  await forbidWriting(folder);
}

/** Without a jail, because it writes; it sees nothing from outside. */
async function takeSnapshot(folder: string, program: string, signal: AbortSignal): Promise<void> {
  const args = ["--snapshot-blob", snapshotIn(folder), "--build-snapshot", program, folder];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: {},
    signal,
    killSignal: "SIGKILL",
    timeout: 120_000,
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr = (stderr + text).slice(-4096)));
  const end = await new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, killed) => resolve(code === 0 ? "" : `ended with ${killed ?? code}`));
  });
  if (end !== "") throw new Error(`The snapshot was not taken: ${end}: ${stderr}`);
}

/**
 * Only the files: a folder that cannot be written to could not be removed by a service that does not run as root. A
 * child that has become nobody reads them; the folder around this one is private.
 */
async function forbidWriting(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    await chmod(path, entry.isFile() ? 0o444 : 0o755);
  }
}
