import { chmod, mkdir, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@greenlit/server/db/embedded-postgres.ts";
import pg from "pg";
import { say } from "./report.ts";

/** A folder in the system's temporary one that is gone at the end. */
export async function openScratchFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "greenlit-bench-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // As root PostgreSQL runs as another user, who must be able to enter.
  await chmod(folder, 0o755);
  return folder;
}

/** A PostgreSQL of the benchmark's own, with the settings that the service gives its embedded one. */
export async function startScratchPostgres(stack: AsyncDisposableStack, folder: string): Promise<string> {
  say("starting PostgreSQL on scratch data");
  const dataFolder = join(folder, "postgres");
  await mkdir(dataFolder, { mode: 0o755 });
  return stack.use(await startEmbeddedPostgres({ dataFolder })).url;
}

/** One more database on the same server; given a template, as a copy of that one, which nobody may be connected to. */
export async function createDatabase(serverUrl: string, name: string, template?: string): Promise<string> {
  await using client = await connect(serverUrl);
  await client.query(`create database ${name}${template === undefined ? "" : ` template ${template}`}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Says no before a disk is full, which other programs would notice too. */
export async function assertFreeDisk(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < bytes)
    throw new Error(
      `This needs ${Math.ceil(bytes / 2 ** 30)} GiB free in ${folder}, which has ${Math.floor((bavail * bsize) / 2 ** 30)}. Free some, or set TMPDIR.`,
    );
}
