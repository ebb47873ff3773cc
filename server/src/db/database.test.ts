import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openCutProxy } from "../testing/cut-proxy.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { databaseUnavailable, openDatabase } from "./database.ts";

test("a connection that falls silent fails as unavailable and is replaced, instead of holding all that follows", async () => {
  await using database = await createTestDatabase();
  const url = new URL(database.url);
  await using proxy = await openCutProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  await using opened = openDatabase({ url: url.href, poolSize: 1, statementTimeoutMs: 200, onError: () => {} });
  const ask = () => sql`select 1 as one`.execute(opened.db);
  await ask();
  await proxy.cut("silent");

  const failed = await ask().catch((error: unknown) => error);
  await proxy.heal({ isNewPath: true });
  const { rows } = await ask();

  assert.equal(databaseUnavailable(failed)?.code, "unavailable");
  assert.deepEqual(rows, [{ one: 1 }]);
});
