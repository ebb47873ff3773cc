import { randomBytes } from "node:crypto";
import pg from "pg";

/** A database of its own for a test file, dropped at the end. */
export async function createTestDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const serverUrl = process.env["GREENLIT_TEST_DATABASE_URL"];
  if (!serverUrl) throw new Error("Run the tests with: npm test -- path/to/file.test.ts");
  const name = `greenlit_test_${randomBytes(6).toString("hex")}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;

  await runOn(serverUrl, `create database ${name}`);
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => dropDatabase(serverUrl, name),
  };
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
