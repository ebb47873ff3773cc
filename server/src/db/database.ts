import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { Failure } from "../failure.ts";
import { preparingPool } from "./prepared.ts";
import type { Tables } from "./tables.ts";

export type Database = { db: Kysely<Tables>; pool: pg.Pool } & AsyncDisposable;

const answerMs = 5000;

export function openDatabase(options: {
  url: string;
  poolSize: number;
  onError: (error: Error) => void;
  applicationName?: string;
  /** 0: a statement may take as long as it takes. */
  statementTimeoutMs?: number;
  /** How long to wait for a connection, when all are taken or PostgreSQL is slow to answer. */
  connectionWaitMs?: number;
}): Database {
  const { statementTimeoutMs = 30_000, connectionWaitMs = 30_000 } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: connectionWaitMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    // PostgreSQL ends a long statement itself; on a connection that a network dropped in silence nobody else would.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + answerMs }),
    keepAlive: true,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: options.applicationName ?? "greenlit",
    types: { getTypeParser: parserOf },
  });
  // Without a listener one backend that PostgreSQL ends would end this process too.
  pool.on("error", options.onError);
  // The pool listens only while a connection is idle: one lost between two queries of a transaction would do the same.
  pool.on("connect", (client) => void client.on("error", () => {}));

  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparingPool(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return {
    db,
    pool,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      // Kysely leaves a pool open that it never used itself; its idle connection would hold a command for half a minute.
      if (!pool.ending) await pool.end();
    },
  };
}

const numeric = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Counters and sums arrive as numbers: none of ours comes near 2^53. */
function parserOf(oid: number, format?: "text" | "binary") {
  if (numeric.has(oid)) return Number;
  return format === "binary" ? pg.types.getTypeParser(oid, "binary") : pg.types.getTypeParser(oid, "text");
}

/** The failure of a database that cannot be reached or has no room, or undefined when the error is another one. */
export function databaseUnavailable(error: unknown): Failure | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if (isOutOfReach(cause))
      return new Failure("unavailable", "The service cannot reach its database right now. Try again in a moment.", {
        cause: error,
      });
  return undefined;
}

function isOutOfReach(error: Error & { code?: unknown }): boolean {
  const code = typeof error.code === "string" ? error.code : "";
  return (
    /^(08...|57P0[1235]|53[0-3]00|58030|ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH)$/.test(code) ||
    /Read-only file system|timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error/.test(
      error.message,
    )
  );
}
