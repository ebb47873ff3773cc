import { randomBytes } from "node:crypto";
import pg from "pg";
import { openListener } from "../db/listen.ts";
import { migrate } from "../db/migrate.ts";
import { openQueue } from "../queue/queue.ts";

/** A database of its own for a test file, empty or with today's schema, dropped at the end. */
export async function createTestDatabase({ isMigrated = false } = {}): Promise<{ url: string } & AsyncDisposable> {
  const serverUrl = process.env["GREENLIT_TEST_DATABASE_URL"];
  if (!serverUrl) throw new Error("Run the tests with: npm test -- path/to/file.test.ts");
  return createDatabase(serverUrl, isMigrated ? process.env["GREENLIT_TEST_TEMPLATE"] : undefined);
}

/**
 * What the test files of one run copy, because that takes a tenth of all migrations: the schema and the queues, as a
 * service leaves them at its first start. Another run on the same PostgreSQL has its own.
 */
export async function createMigratedDatabase(serverUrl: string): Promise<{ name: string } & AsyncDisposable> {
  const database = await createDatabase(serverUrl);
  const { url } = database;
  await migrate(url);
  await using stack = new AsyncDisposableStack();
  const onError = (error: Error) => console.error(error);
  const listener = stack.use(await openListener({ url, onError }));
  stack.use(await openQueue({ url, listener, onError }));
  return database;
}

async function createDatabase(serverUrl: string, template?: string) {
  const name = `greenlit_test_${randomBytes(6).toString("hex")}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await runOn(serverUrl, `create database ${name}${template ? ` template ${template}` : ""}`);
  return { name, url: url.href, [Symbol.asyncDispose]: () => dropDatabase(serverUrl, name) };
}

/** PostgreSQL's own vacuum may be at work in it, which only a superuser could end: then a moment later. */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  for (const deadline = Date.now() + 120_000; ;)
    try {
      return await runOn(serverUrl, `drop database if exists ${name} with (force)`);
    } catch (error) {
      const isForbidden = error instanceof Error && "code" in error && error.code === "42501";
      if (!isForbidden || Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
