import { OperatorError } from "../failure.ts";
import type { StoreKind } from "../storage/store.ts";

/**
 * A backup is one tar archive, compressed with zstd:
 * - `manifest.json`: this.
 * - `secret.key`: only where the key lives in the data folder.
 * - `tables/<table>/<part>.copy`: the rows, as PostgreSQL's COPY writes them.
 * - `jobs.ndjson`: the jobs that wait or were running, a line each.
 * - `objects/<part>.ndjson`: every object that a row needs, a line each.
 * - `store/…`: their files, where the store is a folder of ours. They come before the list that names them.
 * - `end.json`: the counts. An archive without it was cut off.
 */
export type Manifest = {
  format: "greenlit-backup";
  version: number;
  createdAt: string;
  migrations: string[];
  tables: { name: string; columns: string[] }[];
  /** The fingerprint of the secret key, as the database keeps it. */
  secretKeyFingerprint: string | null;
  includesSecretKey: boolean;
  store: StoreKind;
  includesMedia: boolean;
};

export type EndOfBackup = {
  rows: Record<string, number>;
  jobs: number;
  objects: number;
  files: number;
  /** Objects that a row needs and the folder did not have. */
  lost: number;
};

export type QueuedJob = { name: string; data: object; priority: number; startAfter: string };

export type ListedObject = { objectKey: string; etag: string | null };

export const backupVersion = 1;

export function parseManifest(text: string): Manifest {
  const manifest = readJson<Partial<Manifest>>(text);
  if (manifest?.format !== "greenlit-backup") throw notABackup();
  if (manifest.version !== backupVersion)
    throw new OperatorError(
      `This backup has format ${manifest.version}, and this release reads format ${backupVersion}. Restore it with the release that made it, then upgrade.`,
    );
  return manifest as Manifest;
}

export function notABackup(): OperatorError {
  return new OperatorError(
    "This file is not a backup of Greenlit. Give the file that `greenlit backup` wrote, unchanged.",
  );
}

function readJson<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
