import { CompiledQuery, type Kysely } from "kysely";
import type pg from "pg";
import type { Tables } from "./tables.ts";

const names = new Map<string, string>();

/**
 * Runs a statement that each connection parses and plans only once, which takes longer than running it. For fixed texts
 * only: each is kept here and in every connection. They name their columns: a `*` would break old processes the moment
 * a newer release adds one.
 */
export async function runPrepared<Row>(db: Kysely<Tables>, text: string, values: readonly unknown[]): Promise<Row[]> {
  if (!names.has(text)) names.set(text, `prepared_${names.size}`);
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}

/** Has a connection of Kysely's pool keep what `runPrepared` runs; Kysely itself has no names for statements. */
export function keepPrepared(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  client.query = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    const name = typeof text === "string" ? names.get(text) : undefined;
    return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
  }) as typeof client.query;
}
