import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const workspaces = ["engine", "server", "sdk", "console", "cli"];

export type EarlierRelease = {
  repository: string;
  commit: string;
  greenlit(env: Env, ...words: string[]): Promise<Json>;
};

type Env = Record<string, string>;
type Json = Record<string, unknown>;

/** The repository as it was, with the packages of today: as far as the earlier code needs others, it says so at its start. */
export async function checkOutEarlier(
  stack: AsyncDisposableStack,
  { folder, ref }: { folder: string; ref: string },
): Promise<EarlierRelease> {
  const path = join(folder, "earlier");
  const git = async (...words: string[]) => (await run("git", ["-C", repository, ...words])).stdout.trim();
  const commit = await git("rev-parse", "--short", ref);
  await git("worktree", "add", "--detach", path, ref);
  stack.defer(async () => void (await git("worktree", "remove", "--force", path).catch(() => undefined)));
  // Links to the workspaces are relative, so that they lead to the earlier ones.
  for (const workspace of [".", ...workspaces])
    await run("cp", ["-al", join(repository, workspace, "node_modules"), join(path, workspace)]).catch(() => undefined);
  return {
    repository: path,
    commit,
    async greenlit(env, ...words) {
      const program = join(path, "cli/bin/greenlit.js");
      const { stdout } = await run(process.execPath, [program, ...words, "--json"], {
        env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
      });
      return JSON.parse(stdout) as Json;
    },
  };
}
