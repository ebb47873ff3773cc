import { once } from "node:events";
import type { ClientBase } from "pg";
import { from as copyFrom, to as copyTo, type CopyStreamQuery, type CopyToStreamQuery } from "pg-copy-streams";
import type { Manifest } from "./manifest.ts";

type Table = Manifest["tables"][number];

/** Every table of ours with the columns that can be written. What the migrator notes is not data. */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely_%'
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname order by relname`);
  return rows;
}

export function readRows(client: ClientBase, table: Table): CopyToStreamQuery {
  return client.query(copyTo(`copy ${target(table)} to stdout`));
}

export type RowWriter = { write(part: AsyncIterable<Buffer>): Promise<void>; end(): Promise<number> };

/** Takes the rows of one table in any number of parts. */
export function writeRows(client: ClientBase, table: Table): RowWriter {
  const stream: CopyStreamQuery = client.query(copyFrom(`copy ${target(table)} from stdin`));
  const failed = once(stream, "error").then(([error]) => Promise.reject(error as Error));
  // Anyone who waits for a write or for the end is told.
  failed.catch(() => {});
  return {
    async write(part) {
      for await (const bytes of part) if (!stream.write(bytes)) await Promise.race([once(stream, "drain"), failed]);
    },
    async end() {
      stream.end();
      await Promise.race([once(stream, "finish"), failed]);
      return stream.rowCount;
    },
  };
}

/**
 * Runs with no foreign key and no trigger of ours: rows come table by table, and triggers have done their work when the
 * rows were first written. Both are back afterwards, and the keys are checked then. Needs no superuser.
 */
export async function withoutConstraints(client: ClientBase, work: () => Promise<void>): Promise<void> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`);
  const { rows: triggers } = await client.query<{ table: string; name: string }>(`
    select tgrelid::regclass::text as table, quote_ident(tgname) as name
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and tgenabled = 'O' and relnamespace = 'public'::regnamespace order by 1, 2`);
  for (const { table, name } of triggers) await client.query(`alter table ${table} disable trigger ${name}`);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  await work();
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const { table, name } of triggers) await client.query(`alter table ${table} enable trigger ${name}`);
}

/** Sequences go on after the highest number that is there. */
export async function setSequences(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    select refobjid::regclass::text as table, quote_ident(attname) as column, pg_depend.objid::regclass::text as sequence
    from pg_depend
      join pg_class on pg_class.oid = pg_depend.objid and relkind = 'S' and relnamespace = 'public'::regnamespace
      join pg_attribute on attrelid = refobjid and attnum = refobjsubid
    where deptype in ('a', 'i')`);
  for (const { table, column, sequence } of rows)
    await client.query(
      `select setval('${sequence}', greatest(1, coalesce(max(${column}), 0)), max(${column}) is not null) from ${table}`,
    );
}

function target({ name, columns }: Table): string {
  const quoted = (identifier: string) => `"${identifier.replaceAll('"', '""')}"`;
  return `${quoted(name)} (${columns.map(quoted).join(", ")})`;
}
