import { CompiledQuery, type Kysely, type PostgresPool, type PostgresPoolClient } from "kysely";
import type pg from "pg";
import type { Tables } from "./tables.ts";

const names = new Map<string, string>();

/**
 * A statement that each connection parses and plans only once, which takes longer than running it. Its parameters have
 * names (`:submissionId`), so that a part of it can come from another folder. For fixed texts only: each is kept here
 * and in every connection. They name their columns: a `*` would break old processes the moment a newer release adds one.
 */
export function prepareStatement<Values extends Record<string, unknown>, Row>(
  named: string,
): (db: Kysely<Tables>, values: Values) => Promise<Row[]> {
  const order: string[] = [];
  const text = named.replaceAll(/(?<![:\w]):([a-zA-Z]+)/g, (_, name: string) => {
    if (!order.includes(name)) order.push(name);
    return `$${order.indexOf(name) + 1}`;
  });
  return (db, values) =>
    runPrepared<Row>(
      db,
      text,
      order.map((name) => {
        if (!Object.hasOwn(values, name)) throw new Error(`the statement has no value for :${name}`);
        return values[name];
      }),
    );
}

/** Runs a fixed text of another library, with its own parameters, in the same way. */
export async function runPrepared<Row>(db: Kysely<Tables>, text: string, values: readonly unknown[]): Promise<Row[]> {
  if (!names.has(text)) names.set(text, `prepared_${names.size}`);
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}

/** The pool as Kysely sees it: what `runPrepared` runs goes out under its name, for which Kysely has no word. */
export function preparingPool(pool: pg.Pool): PostgresPool {
  // Kysely knows a connection again by its identity.
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const seen = known.get(client) ?? preparingClient(client);
      known.set(client, seen);
      return seen;
    },
  };
}

function preparingClient(client: pg.PoolClient): PostgresPoolClient {
  let isDead = false;
  const query = async (text: string, values: readonly unknown[]) => {
    const name = names.get(text);
    try {
      return await client.query({ text, values: [...values], ...(name !== undefined && { name }) });
    } catch (error) {
      // The next statement would wait behind this one for ever.
      isDead ||= error instanceof Error && error.message === "Query read timeout";
      throw error;
    }
  };
  // The pool gives a connection another `release` each time it hands it out.
  const release = (destroy?: boolean) => client.release(isDead || destroy);
  return { query: query as unknown as PostgresPoolClient["query"], release };
}
