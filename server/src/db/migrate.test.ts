import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { createTestDatabase } from "../testing/test-database.ts";
import { openDatabase } from "./database.ts";
import { openListener } from "./listen.ts";
import { migrate } from "./migrate.ts";
import { openQueue } from "../queue/queue.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
before(async () => {
  database = await createTestDatabase();
});
after(() => database[Symbol.asyncDispose]());

const open = () => openDatabase({ url: database.url, poolSize: 4, onError: () => {} });

test("ten processes may start at once on an empty database", async () => {
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      await using opened = open();
      await migrate(opened.db);
      await using listener = await openListener({ url: database.url, onError: () => {} });
      await using queue = await openQueue({ url: database.url, listener, onError: () => {} });
      await queue.check();
    }),
  );

  await using opened = open();
  const { rows } = await sql<{ count: number }>`select count(*) as count from kysely_migration`.execute(opened.db);
  assert.ok((rows[0]?.count ?? 0) >= 3);
});

test("an older release starts beside a newer one that has migrated further", async () => {
  await using opened = open();
  await migrate(opened.db);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2030-01-01')`.execute(
    opened.db,
  );

  await migrate(opened.db);

  await sql`delete from kysely_migration where name = '9999-from-the-future'`.execute(opened.db);
});
