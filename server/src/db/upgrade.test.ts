import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { createTestDatabase } from "../testing/test-database.ts";
import { openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";

type Rows = Record<string, Record<string, unknown>[]>;
type Pool = ReturnType<typeof openDatabase>["pool"];

const open = (url: string) => openDatabase({ url, poolSize: 2, onError: () => {} });
const releases = new URL("./releases/", import.meta.url);

for (const file of await readdir(releases))
  test(`every row of a database of ${file} is as it was after the upgrade, and the schema as that of a new one`, async () => {
    await using database = await createTestDatabase();
    await using fresh = await createTestDatabase({ isMigrated: true });
    await load(database.url, await readFile(new URL(file, releases), "utf8"));
    await using opened = open(database.url);
    await using openedFresh = open(fresh.url);
    const before = await readRows(opened.pool);
    for (const [table, rows] of Object.entries(before)) assert.ok(rows.length > 0, `${table} has no row`);

    await migrate(database.url);

    const after = await readRows(opened.pool);
    for (const [table, rows] of Object.entries(before)) {
      const columns = Object.keys(rows[0] ?? {});
      const same = after[table]?.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
      assert.deepEqual(same, rows, table);
    }
    assert.deepEqual(
      after["review_terms"]?.map(({ term, review_id: review }) => [term, review]),
      ["2", "mp4", "spot", "summer"].map((term) => [term, "01930000-0000-7000-8000-000000000061"]),
    );
    assert.deepEqual(await readSchema(opened.pool), await readSchema(openedFresh.pool));
  });

async function load(url: string, dump: string): Promise<void> {
  await using opened = open(url);
  await opened.pool.query(dump);
}

/** Of every table but the list of migrations, which grows. */
async function readRows(pool: Pool): Promise<Rows> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%' order by 1`,
  );
  const all: Rows = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from public.${name} t order by to_jsonb(t)::text`,
    );
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

async function readSchema(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select concat_ws(' ', 'column', table_name, column_name, udt_name, is_nullable, column_default, generation_expression) as line
       from information_schema.columns where table_schema = 'public'
     union all select indexdef from pg_indexes where schemaname = 'public'
     union all select concat_ws(' ', 'constraint', conrelid::regclass, pg_get_constraintdef(oid))
       from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
     union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
     union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     order by line`,
  );
  return rows.map(({ line }) => line);
}
