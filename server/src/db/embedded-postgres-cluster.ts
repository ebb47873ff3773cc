import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdtemp, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { postgresUser } from "../data-folder.ts";
import type { PostgresBinaries } from "./embedded-postgres-binaries.ts";
import { EmbeddedPostgresFailed } from "./embedded-postgres-failed.ts";

export const clusterIn = (dataFolder: string) => join(dataFolder, "postgres");
const passwordFileIn = (dataFolder: string) => join(dataFolder, "postgres.password");

/** Makes the cluster on the first start; refuses one that these programs or this user cannot serve. */
export async function prepareCluster(dataFolder: string, binaries: PostgresBinaries): Promise<void> {
  const cluster = clusterIn(dataFolder);
  // By name, since a folder that cannot be looked into is not absent, and creating it again would replace its password.
  if (!(await readdir(dataFolder)).includes(basename(cluster))) return makeCluster(dataFolder, binaries);
  const existing = await stat(cluster);
  const owner = postgresUser()?.uid ?? process.getuid?.();
  if (existing.uid !== owner) {
    throw new EmbeddedPostgresFailed(
      `The database in ${cluster} belongs to user ${existing.uid}, but PostgreSQL would now run as user ${owner}. ` +
        `Run Greenlit as the user who made it, or choose another folder with GREENLIT_DATA_DIR.`,
    );
  }
  const names = await readdir(cluster);
  if (names.length === 0) return makeCluster(dataFolder, binaries);
  if (!names.includes("PG_VERSION")) {
    throw new EmbeddedPostgresFailed(
      `${cluster} holds files but no database. Move it away, or choose another folder with GREENLIT_DATA_DIR.`,
    );
  }
  const version = (await readFile(join(cluster, "PG_VERSION"), "utf8")).trim();
  if (version !== String(binaries.major)) {
    throw new EmbeddedPostgresFailed(
      `The database in ${cluster} was made by PostgreSQL ${version}, and this Greenlit brings PostgreSQL ` +
        `${binaries.major}, which cannot open it. Go back to the Greenlit that made it and move the data with ` +
        `pg_dump, or choose another folder with GREENLIT_DATA_DIR.`,
    );
  }
}

export async function readPassword(dataFolder: string): Promise<string> {
  try {
    return (await readFile(passwordFileIn(dataFolder), "utf8")).trim();
  } catch (cause) {
    throw new EmbeddedPostgresFailed(
      `The password of the database is not readable (${cause instanceof Error ? cause.message : String(cause)}). ` +
        `Put the file back from a backup, or run Greenlit as the user who made it.`,
      { cause },
    );
  }
}

/**
 * In a sibling folder that takes its name only when it is whole: a half-made cluster under the real name would never
 * start again.
 */
async function makeCluster(dataFolder: string, binaries: PostgresBinaries): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    if (name.startsWith(unfinishedPrefix)) await removeUnfinished(join(dataFolder, name));
  }
  const unfinished = await mkdtemp(join(dataFolder, unfinishedPrefix));
  const user = postgresUser();
  if (user !== null) await chown(unfinished, user.uid, user.gid);
  const password = randomBytes(24).toString("base64url");

  await run(join(binaries.folder, "initdb"), [
    `--pgdata=${unfinished}`,
    "--username=postgres",
    "--encoding=UTF8",
    "--locale=C",
    // The superuser has no password, so over TCP nobody can enter as it.
    "--auth-local=reject",
    "--auth-host=scram-sha-256",
  ]);
  await run(
    join(binaries.folder, "postgres"),
    ["--single", "-D", unfinished, "-c", "exit_on_error=on", "postgres"],
    [
      // Not a superuser, as a hosted database would have it: a hole in our SQL must not become a shell.
      `CREATE ROLE greenlit LOGIN CREATEDB PASSWORD '${password}'`,
      "GRANT pg_monitor TO greenlit",
      "CREATE DATABASE greenlit OWNER greenlit",
    ],
  );

  await writeDurably(passwordFileIn(dataFolder), password);
  await rename(unfinished, clusterIn(dataFolder));
  await flush(dataFolder);
}

const unfinishedPrefix = "postgres-unfinished-";

/** With patience: the initdb of a killed Greenlit may still be writing there. */
async function removeUnfinished(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

async function run(program: string, args: string[], lines: string[] = []): Promise<void> {
  const options = { cwd: "/", env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" }, ...postgresUser() };
  const running = promisify(execFile)(program, args, options);
  // A program that ended early does not read; its own message is the better one.
  running.child.stdin?.on("error", () => {});
  running.child.stdin?.end(lines.map((line) => `${line}\n`).join(""));
  try {
    await running;
  } catch (cause) {
    const output = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : "";
    throw new EmbeddedPostgresFailed(
      `The database could not be made: ${output || String(cause)}. Set DATABASE_URL to use a PostgreSQL of your own.`,
      { cause },
    );
  }
}

async function writeDurably(path: string, content: string): Promise<void> {
  const unfinished = `${path}.new`;
  await rm(unfinished, { force: true });
  {
    await using file = await open(unfinished, "wx", 0o600);
    await file.writeFile(content);
    await file.sync();
  }
  await rename(unfinished, path);
}

async function flush(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}
