import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A Node of the machine that is not the pinned one: what integrators have. */
export async function findOtherNode(): Promise<{ path: string; version: string } | undefined> {
  for (const path of ["/usr/bin/node", "/usr/local/bin/node", "/opt/homebrew/bin/node"]) {
    const version = await run(path, ["--version"]).then(
      ({ stdout }) => stdout.trim(),
      () => undefined,
    );
    if (version !== undefined && version !== process.version) return { path, version };
  }
  return undefined;
}

export async function findChromium(): Promise<string | undefined> {
  for (const path of ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"])
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  return undefined;
}
