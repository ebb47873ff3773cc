import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  copyFile,
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { postgresUser } from "../data-folder.ts";
import { EmbeddedPostgresFailed } from "./embedded-postgres-failed.ts";

export type PostgresBinaries = { folder: string; major: number };

/**
 * Programs that PostgreSQL's user can run: those of the npm package in place, or else a copy in `stageIn`, when that
 * user cannot reach the package or the package lacks its library links and is read-only.
 */
export async function findBinaries(options: { stageIn: string; packageFolder?: string }): Promise<PostgresBinaries> {
  const packageFolder = options.packageFolder ?? findPackage();
  const { version } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8")) as { version: string };
  const native = join(packageFolder, "native");
  const major = Number.parseInt(version, 10);
  if ((await addLibraryLinks(native)) && (await whyNotRunning(native)) === null) {
    return { folder: join(native, "bin"), major };
  }
  const staged = join(options.stageIn, version);
  if ((await whyNotRunning(staged)) !== null) await stage(native, staged);
  const problem = await whyNotRunning(staged);
  if (problem !== null) {
    throw new EmbeddedPostgresFailed(
      `The PostgreSQL that comes with Greenlit does not run on this machine (${problem}). ` +
        `Set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  await removeOthers(options.stageIn, version);
  return { folder: join(staged, "bin"), major };
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new EmbeddedPostgresFailed(
      `PostgreSQL for this machine (${name}) is not installed. Install without --omit=optional, ` +
        `or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

/** What the package's install script does, which we do not run; false when the package is read-only. */
async function addLibraryLinks(native: string): Promise<boolean> {
  const links = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  try {
    for (const { source, target } of links) {
      const link = join(native, target.replace(/^native\//, ""));
      const exists = await lstat(link).catch(() => null);
      if (exists === null) await symlinkUnlessThere(basename(source), link);
    }
    return true;
  } catch {
    return false;
  }
}

async function symlinkUnlessThere(source: string, link: string): Promise<void> {
  try {
    await symlink(source, link);
  } catch (error) {
    // Another process that starts at the same moment made the same link.
    if ((await readlink(link).catch(() => null)) !== source) throw error;
  }
}

async function whyNotRunning(native: string): Promise<string | null> {
  try {
    const options = { cwd: "/", env: {}, ...postgresUser() };
    await promisify(execFile)(join(native, "bin", "postgres"), ["--version"], options);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
}

async function stage(native: string, staged: string): Promise<void> {
  const partial = `${staged}.${randomUUID()}.partial`;
  await mkdir(dirname(staged), { recursive: true });
  await chmod(dirname(staged), 0o755);
  await copyTree(native, partial);
  await addLibraryLinks(partial);
  try {
    await rename(partial, staged);
  } catch {
    // Another process staged the same version first, or what is there is broken.
    if ((await whyNotRunning(staged)) !== null) {
      await rm(staged, { recursive: true, force: true });
      await rename(partial, staged);
    }
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  // Explicitly, since a strict umask would keep PostgreSQL's user out.
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await copyProgramFile(source, target);
  }
}

async function copyProgramFile(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  await using file = await open(target, "r+");
  await file.chmod(((await stat(source)).mode & 0o100) === 0 ? 0o644 : 0o755);
  await file.sync();
}

/** Removes former versions, and copies that a killed process left behind. */
async function removeOthers(stageIn: string, version: string): Promise<void> {
  const anHourAgo = Date.now() - 3_600_000;
  for (const name of await readdir(stageIn)) {
    const path = join(stageIn, name);
    const isUnderWay = name.endsWith(".partial") && (await stat(path)).mtimeMs > anHourAgo;
    if (name !== version && !isUnderWay) await rm(path, { recursive: true, force: true });
  }
}
