import pg, { type ClientBase } from "pg";
import { listStoredReferences, selectStoredReferences } from "./stored-objects.ts";
import { parseReference, type Store } from "../storage/store.ts";

export type StorageReport = {
  objects: number;
  /** Keys of rows whose bytes are not in the store. */
  missing: string[];
  /** Bytes that no row stands for, nor a removal that is planned. */
  orphans: { objectKey: string; sizeBytes: number }[];
};

const batchSize = 500;

/**
 * Compares store and database both ways. The store is listed before the rows are read, and rows are written before
 * their bytes: so an object without a row is nobody's. What is younger may be on its way, and is left alone.
 */
export async function checkStorage(options: {
  databaseUrl: string;
  store: Store;
  olderThan: Date;
}): Promise<StorageReport> {
  const client = new pg.Client({ connectionString: options.databaseUrl, application_name: "greenlit-cli" });
  await client.connect();
  try {
    return await compare(client, options);
  } finally {
    await client.end();
  }
}

async function compare(client: ClientBase, options: { store: Store; olderThan: Date }): Promise<StorageReport> {
  await client.query(
    "create temporary table stored_objects (key text not null, base text not null, size_bytes bigint not null)",
  );
  const objects = await noteObjects(client, options);
  await client.query(`
    create temporary table known_objects as
      select "objectKey" as key from (${selectStoredReferences}) known union select object_key from removals`);
  // What a request froze that then failed goes with its upload, once that is found unclaimed.
  const { rows: orphans } = await client.query<StorageReport["orphans"][number]>(`
    select key as "objectKey", size_bytes::float8 as "sizeBytes" from stored_objects
    where key not in (select key from known_objects) and base not in (select object_key from removals)
      and base not in (select object_key from uploads where check_at is not null) order by key`);
  return { objects, missing: await findMissing(client, options.store), orphans };
}

async function noteObjects(
  client: ClientBase,
  { store, olderThan }: { store: Store; olderThan: Date },
): Promise<number> {
  let objects = 0;
  let batch: { key: string; base: string; size_bytes: number }[] = [];
  const flush = async () => {
    await client.query(
      "insert into stored_objects select * from json_to_recordset($1) as row (key text, base text, size_bytes bigint)",
      [JSON.stringify(batch)],
    );
    batch = [];
  };
  for (const prefix of ["", "frozen/"])
    for await (const { key, sizeBytes, lastModified } of store.list(prefix)) {
      objects += 1;
      if (lastModified >= olderThan) continue;
      batch.push({ key, base: parseReference(key)?.key ?? key, size_bytes: sizeBytes });
      if (batch.length === batchSize) await flush();
    }
  await flush();
  return objects;
}

async function findMissing(client: ClientBase, store: Store): Promise<string[]> {
  const missing: string[] = [];
  await client.query("begin isolation level repeatable read read only");
  for await (const references of listStoredReferences(client))
    for (const { objectKey, isExpected } of references)
      if (isExpected && (await store.head(objectKey)) === null) missing.push(objectKey);
  await client.query("commit");
  // Rows that went meanwhile took their bytes along.
  const { rows } = await client.query<{ key: string }>(
    `select "objectKey" as key from (${selectStoredReferences}) known where "objectKey" = any ($1)`,
    [missing],
  );
  return rows.map(({ key }) => key);
}
