import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Tables } from "../db/tables.ts";

/**
 * Chains the entries of changes that did not wait for each other: those of new submissions. They commit with their
 * change; until they are chained, which takes a moment, somebody with access to the database could remove one unseen.
 */
export type AuditChain = {
  /** Called after a change has left an entry waiting. */
  soon: (workspaceId: string) => void;
};

const delayMs = 500;

export function openAuditChain({ db, log }: { db: Kysely<Tables>; log: Logger }): AuditChain & AsyncDisposable {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function chainAll(): Promise<void> {
    timer = undefined;
    const workspaces = [...changed];
    changed.clear();
    for (const workspaceId of workspaces)
      // Housekeeping and everybody who reads the audit try again.
      await chainWaiting(db, workspaceId).catch((error: unknown) =>
        log.warn({ workspaceId, err: error }, "audit not chained yet"),
      );
  }

  return {
    soon(workspaceId) {
      changed.add(workspaceId);
      timer ??= setTimeout(() => void (running = running.then(chainAll)), delayMs).unref();
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      running = running.then(chainAll);
      await running;
    },
  };
}

/** Before the audit is read: it is complete up to this moment then. */
export async function chainWaiting(db: Kysely<Tables>, workspaceId: string): Promise<void> {
  await sql`
    select append_audit(${workspaceId}, '[]')
      where exists (select from audit_waiting where workspace_id = ${workspaceId})`.execute(db);
}

/** What processes left behind that were killed. */
export async function chainAllWaiting(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ workspaceId: string }>`select distinct workspace_id from audit_waiting`.execute(db);
  for (const { workspaceId } of rows) await chainWaiting(db, workspaceId);
}
