import { setTimeout as delay } from "node:timers/promises";
import { sql, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import * as ground from "./migrations/0001-ground.ts";
import * as uploads from "./migrations/0002-uploads.ts";
import * as submissions from "./migrations/0003-submissions.ts";
import * as webhooks from "./migrations/0004-webhooks.ts";
import * as frames from "./migrations/0005-frames.ts";
import * as workspaceDefaults from "./migrations/0006-workspace-defaults.ts";
import * as retention from "./migrations/0007-retention.ts";
import * as refuse from "./migrations/0008-refuse.ts";
import * as people from "./migrations/0009-people.ts";
import * as reviews from "./migrations/0010-reviews.ts";
import * as audit from "./migrations/0011-audit.ts";
import * as removals from "./migrations/0012-removals.ts";
import * as reviewTerms from "./migrations/0014-review-terms.ts";
import * as renditions from "./migrations/0015-renditions.ts";
import * as evidence from "./migrations/0017-evidence.ts";
import * as rejudge from "./migrations/0018-rejudge.ts";
import * as certificates from "./migrations/0019-certificates.ts";
import * as scale from "./migrations/0022-scale.ts";
import * as thumbnails from "./migrations/0024-thumbnails.ts";
import * as prints from "./migrations/0026-prints.ts";
import * as auditWaiting from "./migrations/0029-audit-waiting.ts";
import * as secondReader from "./migrations/0030-second-reader.ts";
import * as verifications from "./migrations/0031-verifications.ts";
import * as ownMarkets from "./migrations/0032-own-markets.ts";
import * as removedIssues from "./migrations/0033-removed-issues.ts";
import * as filmParts from "./migrations/0034-film-parts.ts";
import * as usage from "./migrations/0035-usage.ts";
import { buildIndexes, hasAllIndexes } from "./build-indexes.ts";
import { openDatabase } from "./database.ts";
import type { Tables } from "./tables.ts";

/** Every migration, in order. Old and new code run side by side during a deployment: add, never rename or drop at once. */
const migrations: Record<string, Migration> = {
  "0001-ground": ground,
  "0002-uploads": uploads,
  "0003-submissions": submissions,
  "0004-webhooks": webhooks,
  "0005-frames": frames,
  "0006-workspace-defaults": workspaceDefaults,
  "0007-retention": retention,
  "0008-refuse": refuse,
  "0009-people": people,
  "0010-reviews": reviews,
  "0011-audit": audit,
  "0012-removals": removals,
  "0014-review-terms": reviewTerms,
  "0015-renditions": renditions,
  "0017-evidence": evidence,
  "0018-rejudge": rejudge,
  "0019-certificates": certificates,
  "0022-scale": scale,
  "0024-thumbnails": thumbnails,
  "0026-prints": prints,
  "0029-audit-waiting": auditWaiting,
  "0030-second-reader": secondReader,
  "0031-verifications": verifications,
  "0032-own-markets": ownMarkets,
  "0033-removed-issues": removedIssues,
  "0034-film-parts": filmParts,
  "0035-usage": usage,
};

/** In order. */
export const migrationNames: readonly string[] = Object.keys(migrations);

export function isKnownMigration(name: string): boolean {
  return name in migrations;
}

const lockId = 7_246_534_201;
const recoverySeconds = 60;

/**
 * Brings the schema up to date, on connections of its own: on a large database a statement may take longer than the
 * service allows its own. Any number of processes may call it at once on one database. With `upTo` it stops there.
 */
export async function migrate(url: string, { upTo }: { upTo?: string } = {}): Promise<void> {
  await using database = openDatabase({
    url,
    poolSize: 2,
    onError: () => {},
    applicationName: "greenlit-migrate",
    statementTimeoutMs: 0,
  });
  const { db } = database;
  await untilAccepting(db);
  if (upTo === undefined && (await isUpToDate(db))) return;
  await db.connection().execute(async (connection) => {
    await takeLock(connection);
    try {
      const all = { ...migrations, ...(await newerThanThisCode(connection)) };
      const migrator = new Migrator({ db, provider: { getMigrations: async () => all } });
      const { error } = upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo);
      if (error) throw new Error("the database could not be migrated", { cause: error });
      if (upTo === undefined) await buildIndexes(connection);
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(lockId)})`.execute(connection);
    }
  });
}

/** PostgreSQL that starts, or recovers from a crash, as after a restart of the machine that both are on, says so. */
async function untilAccepting(db: Kysely<Tables>): Promise<void> {
  for (const deadline = performance.now() + recoverySeconds * 1000; ;)
    try {
      await sql`select 1`.execute(db);
      return;
    } catch (error) {
      const isComing = error instanceof Error && "code" in error && error.code === "57P03";
      if (!isComing || performance.now() > deadline) throw error;
      await delay(200);
    }
}

/** Nearly every start: two questions instead of the lock and all that the migrator asks. */
async function isUpToDate(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    db,
  );
  if (!rows[0]?.exists) return false;
  const executed = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const names = new Set(executed.rows.map(({ name }) => name));
  return migrationNames.every((name) => names.has(name)) && (await hasAllIndexes(db));
}

/** Asks again and again: a statement that waits for the lock would hold up the indexes that its holder builds. */
async function takeLock(connection: Kysely<Tables>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${sql.lit(lockId)}) as taken`.execute(
      connection,
    );
    if (rows[0]?.taken === true) return;
    await delay(100);
  }
}

/** Without these the migrator of an older release refuses to start beside a newer one. */
async function newerThanThisCode(db: Kysely<Tables>): Promise<Record<string, Migration>> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(
    db,
  );
  if (!rows[0]?.exists) return {};
  const executed = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const last = Object.keys(migrations).toSorted().at(-1) ?? "";
  return Object.fromEntries(
    executed.rows
      .filter(({ name }) => !(name in migrations) && name > last)
      .map(({ name }) => [name, { up: async () => {} }]),
  );
}
