import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
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
      await migrate(database.url);
      await using listener = await openListener({ url: database.url, onError: () => {} });
      await using queue = await openQueue({ url: database.url, listener, onError: () => {} });
      await queue.check();
    }),
  );

  await using opened = open();
  const { rows } = await sql<{ count: number }>`select count(*) as count from kysely_migration`.execute(opened.db);
  assert.ok((rows[0]?.count ?? 0) >= 3);
});

test("a database that is still recovering is waited for", async () => {
  const { hostname, port } = new URL(database.url);
  let refused = 0;
  await using proxy = createServer((socket) => {
    socket.on("error", () => {});
    if (refused === 3)
      return socket
        .pipe(connect(Number(port), hostname))
        .on("error", () => {})
        .pipe(socket);
    refused += 1;
    const fields = Buffer.from("SFATAL\0C57P03\0Mthe database system is in recovery mode\0\0");
    const head = Buffer.from("E....");
    head.writeInt32BE(fields.length + 4, 1);
    return socket.once("data", () => {
      socket.write(Buffer.concat([head, fields]));
      socket.destroySoon();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = new URL(database.url);
  url.port = String((proxy.address() as AddressInfo).port);

  await migrate(url.href);

  assert.equal(refused, 3);
});

test("an older release starts beside a newer one that has migrated further", async () => {
  await using opened = open();
  await migrate(database.url);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2030-01-01')`.execute(
    opened.db,
  );

  await migrate(database.url);

  await sql`delete from kysely_migration where name = '9999-from-the-future'`.execute(opened.db);
});

test("an index whose building was interrupted is built again", async () => {
  await using opened = open();
  await migrate(database.url);
  await sql`drop index asset_frames_by_workspace`.execute(opened.db);
  await using other = open();
  await other.db.transaction().execute(async (trx) => {
    // An open transaction that has written holds the building up, and the time limit ends it half done.
    await sql`lock table asset_frames in row exclusive mode`.execute(trx);
    await opened.db.connection().execute(async (connection) => {
      await sql`set statement_timeout = 200`.execute(connection);
      await assert.rejects(
        sql`create index concurrently asset_frames_by_workspace on asset_frames (workspace_id)`.execute(connection),
      );
      await sql`reset statement_timeout`.execute(connection);
    });
  });
  assert.deepEqual(await validityOf(opened.db), [{ valid: false }]);

  await migrate(database.url);

  assert.deepEqual(await validityOf(opened.db), [{ valid: true }]);
});

async function validityOf(db: ReturnType<typeof open>["db"]): Promise<{ valid: boolean }[]> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = 'asset_frames_by_workspace'::regclass`.execute(db);
  return rows;
}

/** These changed what only their own release had used. */
const beforeTheRule: ReadonlySet<string> = new Set(["0004-webhooks.ts"]);
const takesAway =
  /drop (table|column|view|function|schema)|rename (to|column)|alter column \w+ (set data )?type|set not null/i;
const asksOldRows = /add column (if not exists )?\w+ (?!.*\bdefault\b)[^,;`]*\bnot null\b/i;

test("no migration takes away or renames what the release before it uses, or asks old rows for a value", async () => {
  const folder = new URL("./migrations/", import.meta.url);
  const refused: string[] = [];
  for (const name of await readdir(folder)) {
    const text = await readFile(new URL(name, folder), "utf8");
    for (const line of text.split("\n"))
      if (!beforeTheRule.has(name) && (takesAway.test(line) || asksOldRows.test(line)))
        refused.push(`${name}: ${line.trim()}`);
  }

  assert.deepEqual(refused, []);
});
