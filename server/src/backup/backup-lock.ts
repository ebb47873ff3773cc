import type { ClientBase, Pool } from "pg";
import { OperatorError } from "../failure.ts";

const lockId = 7_246_534_202;

/**
 * Held for the whole of a backup, on its connection. Meanwhile rows go as always, but their bytes stay: a row of the
 * snapshot must find them. The lock comes first and the snapshot after, so whatever the snapshot still shows was not yet
 * removed when the lock was asked for.
 */
export async function takeBackupLock(client: ClientBase): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${lockId}) as taken`);
    if (rows[0]?.taken) return;
    // Somebody who removes bytes holds it for the length of a look.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new OperatorError("Another backup of this database is running. Wait for it to end.");
}

export async function isBackupRunning(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ free: boolean }>(`select pg_try_advisory_xact_lock_shared(${lockId}) as free`);
  return rows[0]?.free !== true;
}
