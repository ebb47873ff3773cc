import { execFileSync } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";
import { extname } from "node:path";
import { findMediaTypesByExtension } from "@greenlit/engine/media-types/media-types.ts";
import { CommandError } from "../command-error.ts";

/** Media and copy below this folder that changed since a commit, or since the branch left it, and are still there. */
export function changedFiles(since: string): string[] {
  const base = mergeBase(since) ?? since;
  const names = git("diff", "--name-only", "--relative", "-z", "--diff-filter=ACMR", "--end-of-options", base, "--");
  return names.split("\0").filter((name) => name !== "" && isMedia(name));
}

function mergeBase(since: string): string | undefined {
  try {
    return git("merge-base", "--end-of-options", since, "HEAD").trim();
  } catch {
    // A shallow clone does not reach back so far.
    return undefined;
  }
}

function git(...args: string[]): string {
  try {
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 2 ** 28 });
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    throw new CommandError(
      `git does not say what changed: ${(stderr || message).trim().split("\n")[0]} Name a commit or branch that is in this clone.`,
    );
  }
}

function isMedia(name: string): boolean {
  const extension = extname(name).slice(1).toLowerCase();
  if (findMediaTypesByExtension(extension).length === 0) return false;
  // Most files of this name are programs, not MPEG transport streams.
  return extension !== "ts" || firstByte(name) === 0x47;
}

function firstByte(path: string): number | undefined {
  const file = openSync(path, "r");
  try {
    const byte = Buffer.alloc(1);
    return readSync(file, byte) === 1 ? byte[0] : undefined;
  } finally {
    closeSync(file);
  }
}
