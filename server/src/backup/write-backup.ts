import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import type { Pack } from "tar-stream";
import { listStoredReferences, type StoredReference } from "../uploads/stored-objects.ts";
import type { Store } from "../storage/store.ts";
import { addEntry, toLines, writeArchive } from "./archive.ts";
import { takeBackupLock } from "./backup-lock.ts";
import { listTables, readRows } from "./copy-tables.ts";
import { backupVersion, type EndOfBackup, type ListedObject, type Manifest, type QueuedJob } from "./manifest.ts";

const partBytes = 8 * 1024 * 1024;

export type BackupOptions = {
  file: string;
  databaseUrl: string;
  /** Where the files of objects are; undefined: objects are only listed. */
  storeFolder: { root: string; fileOf: (objectKey: string) => string } | undefined;
  storeKind: Store["kind"];
  /** The text of the key file, where the key is not configured. */
  secretKey: string | undefined;
  now: Date;
  onProgress?: (done: { table?: string; files?: number }) => void;
};

/** Writes a consistent backup while the service runs: all rows are from one moment, and their bytes are kept until it ends. */
export async function writeBackup(options: BackupOptions): Promise<EndOfBackup & { manifest: Manifest }> {
  const client = new pg.Client({ connectionString: options.databaseUrl, application_name: "greenlit-backup" });
  await client.connect();
  try {
    return await writeArchive(options.file, (archive) => fill(archive, client, options));
  } finally {
    await client.end();
  }
}

async function fill(archive: Pack, client: pg.Client, options: BackupOptions) {
  await takeBackupLock(client);
  await client.query("begin isolation level repeatable read read only");
  const manifest = await describe(client, options);
  await addEntry(archive, "manifest.json", JSON.stringify(manifest, null, 2));
  if (options.secretKey !== undefined) await addEntry(archive, "secret.key", options.secretKey);

  const end: EndOfBackup = { rows: {}, jobs: 0, objects: 0, files: 0, lost: 0 };
  for (const table of manifest.tables) {
    options.onProgress?.({ table: table.name });
    const rows = readRows(client, table);
    let part = 0;
    for await (const bytes of inParts(rows))
      await addEntry(archive, `tables/${table.name}/${String(++part).padStart(6, "0")}.copy`, bytes);
    end.rows[table.name] = rows.rowCount;
  }
  const jobs = await readJobs(client);
  end.jobs = jobs.length;
  await addEntry(archive, "jobs.ndjson", toLines(jobs));

  const links = new Map<string, string>();
  let list = 0;
  for await (const references of listStoredReferences(client)) {
    const kept: StoredReference[] = [];
    for (const reference of references) {
      const hasFile = options.storeFolder !== undefined && (await addFile(archive, reference, options, links));
      if (hasFile) end.files += 1;
      else if (options.storeFolder && reference.isExpected) end.lost += 1;
      if (hasFile || reference.isExpected) kept.push(reference);
    }
    end.objects += kept.length;
    options.onProgress?.({ files: end.files });
    if (kept.length > 0)
      await addEntry(
        archive,
        `objects/${String(++list).padStart(6, "0")}.ndjson`,
        toLines(kept.map(({ objectKey, etag }): ListedObject => ({ objectKey, etag }))),
      );
  }
  await addEntry(archive, "end.json", JSON.stringify(end, null, 2));
  return { manifest, ...end };
}

async function describe(client: pg.Client, options: BackupOptions): Promise<Manifest> {
  const migrations = await client.query<{ name: string }>("select name from kysely_migration order by name");
  const fingerprint = await client.query<{ value: string }>(
    "select value from deployment where name = 'secret_key_fingerprint'",
  );
  return {
    format: "greenlit-backup",
    version: backupVersion,
    createdAt: options.now.toISOString(),
    migrations: migrations.rows.map(({ name }) => name),
    tables: await listTables(client),
    secretKeyFingerprint: fingerprint.rows[0]?.value ?? null,
    includesSecretKey: options.secretKey !== undefined,
    store: options.storeKind,
    includesMedia: options.storeFolder !== undefined,
  };
}

/** The queue's own tables belong to its library and release; what must not be lost is which jobs there are. */
async function readJobs(client: pg.Client): Promise<QueuedJob[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    "select to_regclass('pgboss.job') is not null as exists",
  );
  if (!found[0]?.exists) return [];
  const { rows } = await client.query<QueuedJob>(`
    select name, data, priority, start_after as "startAfter" from pgboss.job
    where state < 'completed' and name <> 'housekeeping' order by created_on, id`);
  return rows;
}

/** False when there are no bytes (yet). Two names of one file are one file in the archive, too. */
async function addFile(
  archive: Pack,
  reference: StoredReference,
  { storeFolder }: BackupOptions,
  links: Map<string, string>,
): Promise<boolean> {
  if (!storeFolder) return false;
  const path = storeFolder.fileOf(reference.objectKey);
  const name = join("store", relative(storeFolder.root, path));
  await using file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (!file) return false;
  const { dev, ino, nlink, size, mtime } = await file.stat();
  const inode = `${dev}:${ino}`;
  const linkname = links.get(inode);
  if (linkname !== undefined) {
    await new Promise<void>((resolve, reject) =>
      archive.entry({ name, type: "link", linkname, mtime, mode: 0o600 }, (error) =>
        error ? reject(error) : resolve(),
      ),
    );
    return true;
  }
  if (nlink > 1) links.set(inode, name);
  const entry = archive.entry({ name, size, mtime, mode: 0o600 });
  await pipeline(createReadStream(path, { fd: file.fd, autoClose: false, start: 0, end: size - 1 }), entry);
  return true;
}

async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    held.push(chunk);
    size += chunk.length;
    if (size < partBytes) continue;
    yield Buffer.concat(held);
    [held, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(held);
}
