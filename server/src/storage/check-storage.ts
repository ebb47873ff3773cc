import type { ClientBase } from "pg";
import { listStoredReferences } from "../uploads/stored-objects.ts";
import type { Store } from "./store.ts";

export type StorageReport = {
  objects: number;
  /** Rows whose bytes are not in the store. */
  missing: string[];
  /** Bytes that no row stands for, nor a removal that is planned. */
  orphans: { objectKey: string; sizeBytes: number }[];
};

const batchSize = 500;

/** Compares store and database both ways. What is younger than an hour may be on its way in or out, and is left alone. */
export async function checkStorage(
  client: ClientBase,
  { store, now }: { store: Store; now: Date },
): Promise<StorageReport> {
  const report: StorageReport = { objects: 0, missing: [], orphans: [] };
  await client.query("begin isolation level repeatable read read only");
  for await (const references of listStoredReferences(client))
    for (const { objectKey, isExpected } of references)
      if (isExpected && (await store.head(objectKey)) === null) report.missing.push(objectKey);
  await client.query("commit");
  // Rows that went meanwhile took their bytes along.
  const gone = new Set(await selectUnknown(client, report.missing));
  report.missing = report.missing.filter((objectKey) => !gone.has(objectKey));

  const anHourAgo = now.getTime() - 60 * 60 * 1000;
  for (const prefix of ["", "frozen/"]) {
    let batch: { key: string; sizeBytes: number }[] = [];
    const flush = async () => {
      const unknown = new Set(await selectUnknown(client, batch.map(({ key }) => key)));
      for (const { key, sizeBytes } of batch) if (unknown.has(key)) report.orphans.push({ objectKey: key, sizeBytes });
      batch = [];
    };
    for await (const { key, sizeBytes, lastModified } of store.list(prefix)) {
      report.objects += 1;
      if (lastModified.getTime() < anHourAgo) batch.push({ key, sizeBytes });
      if (batch.length === batchSize) await flush();
    }
    await flush();
  }
  return report;
}

/** Those that neither a row nor a planned removal names. */
async function selectUnknown(client: ClientBase, objectKeys: string[]): Promise<string[]> {
  if (objectKeys.length === 0) return [];
  const { rows } = await client.query<{ key: string }>(
    `select key from unnest($1::text[]) key
     where not exists (select from uploads where object_key = key)
       and not exists (select from media where reference = key and removed_at is null)
       and not exists (select from renditions where object_key = key)
       and not exists (select from removals where object_key = key or key like 'frozen/' || object_key || '/%')`,
    [objectKeys],
  );
  return rows.map(({ key }) => key);
}
