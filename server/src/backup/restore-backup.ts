import { createReadStream, createWriteStream } from "node:fs";
import { link, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import pg from "pg";
import { extract, type Extract } from "tar-stream";
import { isKnownMigration, migrate } from "../db/migrate.ts";
import { OperatorError } from "../failure.ts";
import { setSequences, withoutConstraints, writeRows, type RowWriter } from "./copy-tables.ts";
import {
  type EndOfBackup,
  type ListedObject,
  type Manifest,
  notABackup,
  parseManifest,
  type QueuedJob,
} from "./manifest.ts";

type Entry = Extract extends AsyncIterable<infer Item> ? Item : never;

export type RestoreOptions = {
  file: string;
  databaseUrl: string;
  /** Where the files of objects go; undefined where the store is not ours. */
  storeRoot: string | undefined;
  /** Where the secret key goes; undefined where it is configured. */
  secretKeyFile: string | undefined;
  /** Refuses what cannot be restored here, before anything is written. */
  check: (manifest: Manifest) => void;
  /** For each object that the backup only lists. */
  onListed: (object: ListedObject) => Promise<void>;
  enqueue: (jobs: QueuedJob[]) => Promise<void>;
  onProgress?: (done: { table?: string; files?: number }) => void;
};

/**
 * Restores into an empty database and folder. The rows come in one transaction, which ends only when the whole archive
 * was read: a backup that was cut off restores nothing.
 */
export async function restoreBackup(options: RestoreOptions): Promise<EndOfBackup & { manifest: Manifest }> {
  const archive = extract();
  const reading = pipeline(createReadStream(options.file), createZstdDecompress(), archive);
  reading.catch(() => {});
  try {
    const entries = archive[Symbol.asyncIterator]();
    const first = await entries.next();
    if (first.done || first.value.header.name !== "manifest.json") throw notABackup();
    const manifest = parseManifest(await text(first.value));
    options.check(manifest);
    await prepareDatabase(options.databaseUrl, manifest);
    const end = await restoreRows(entries, manifest, options);
    await migrate(options.databaseUrl);
    return { manifest, ...end };
  } catch (error) {
    throw explain(error, options.file);
  } finally {
    archive.destroy();
  }
}

async function prepareDatabase(databaseUrl: string, manifest: Manifest): Promise<void> {
  const unknown = manifest.migrations.find((name) => !isKnownMigration(name));
  if (unknown !== undefined)
    throw new OperatorError(
      `This backup was made by a newer release: it has the migration ${unknown}. Restore it with that release.`,
    );
  await using database = await connect(databaseUrl);
  const { rows } = await database.client.query(
    "select from pg_class where relnamespace = 'public'::regnamespace limit 1",
  );
  if (rows.length > 0)
    throw new OperatorError("The database is not empty, and a restore never overwrites. Give it an empty one.");
  const last = manifest.migrations.at(-1);
  if (last === undefined) throw notABackup();
  await migrate(databaseUrl, { upTo: last });
}

async function restoreRows(
  entries: AsyncIterator<Entry>,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<EndOfBackup> {
  await using database = await connect(options.databaseUrl);
  const { client } = database;
  await client.query("begin");
  const rows: EndOfBackup["rows"] = Object.fromEntries(manifest.tables.map(({ name }) => [name, 0]));
  const jobs: QueuedJob[] = [];
  let files = 0;
  let end: EndOfBackup | undefined;
  let open: { name: string; writer: RowWriter } | undefined;
  const closeTable = async () => {
    if (open) rows[open.name] = await open.writer.end();
    open = undefined;
  };
  const restoreEntry = async (entry: Entry): Promise<void> => {
    const [kind = "", name = ""] = entry.header.name.split("/");
    if (kind !== "tables" || open?.name !== name) await closeTable();
    if (kind === "tables") {
      const table = manifest.tables.find((each) => each.name === name);
      if (!table) throw notABackup();
      if (!open) options.onProgress?.({ table: name });
      open ??= { name, writer: writeRows(client, table) };
      await open.writer.write(entry as AsyncIterable<Buffer>);
    } else if (kind === "secret.key") await restoreKey(entry, options);
    else if (kind === "jobs.ndjson") jobs.push(...parseLines<QueuedJob>(await text(entry)));
    else if (kind === "objects") {
      const listed = parseLines<ListedObject>(await text(entry));
      if (!manifest.includesMedia) for (const object of listed) await options.onListed(object);
    } else if (kind === "store") {
      await restoreFile(entry, options);
      options.onProgress?.({ files: ++files });
    } else if (kind === "end.json") end = JSON.parse(await text(entry)) as EndOfBackup;
    else entry.resume();
  };

  await withoutConstraints(client, async () => {
    // Migrations write rows of their own, and the backup brings those too.
    const tables = manifest.tables.map(({ name }) => `"${name}"`).join(", ");
    if (tables !== "") await client.query(`truncate ${tables}`);
    for (;;) {
      const { value: entry, done } = await entries.next();
      if (done) break;
      await restoreEntry(entry);
    }
    await closeTable();
  });
  if (!end || JSON.stringify(end.rows) !== JSON.stringify(rows) || end.files !== (manifest.includesMedia ? files : 0))
    throw new OperatorError(
      "The backup is not whole: rows or files are missing at its end. Nothing was restored; use another one.",
    );
  await setSequences(client);
  await client.query("commit");
  await options.enqueue(jobs);
  return end;
}

async function restoreKey(entry: Entry, { secretKeyFile }: RestoreOptions): Promise<void> {
  const key = await text(entry);
  if (secretKeyFile !== undefined) await writeFile(secretKeyFile, key, { mode: 0o600, flag: "wx" });
}

async function restoreFile(entry: Entry, { storeRoot }: RestoreOptions): Promise<void> {
  if (storeRoot === undefined) {
    entry.resume();
    return;
  }
  const path = inside(storeRoot, entry.header.name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (entry.header.type === "link") {
    entry.resume();
    await link(inside(storeRoot, entry.header.linkname ?? ""), path);
  } else
    await pipeline(entry as AsyncIterable<Buffer>, createWriteStream(path, { mode: 0o600, flags: "wx", flush: true }));
}

/** An archive that somebody else made must not write elsewhere. */
function inside(storeRoot: string, name: string): string {
  const path = normalize(name);
  if (!/^store\/(objects|frozen)\//.test(path) || path.includes("..")) throw notABackup();
  return join(storeRoot, path.slice("store/".length));
}

async function connect(databaseUrl: string): Promise<{ client: pg.Client } & AsyncDisposable> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "greenlit-restore" });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

function parseLines<T>(lines: string): T[] {
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

function explain(error: unknown, file: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return new OperatorError(`There is no file ${file}.`);
  if (code.startsWith("Z") || /zstd|tar header|Unexpected end of data/i.test(String(error)))
    return new OperatorError(
      `${file} is not a backup of Greenlit, or it is damaged or cut off. Nothing was restored; use another one.`,
    );
  return error;
}
