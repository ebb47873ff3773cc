import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@greenlit/server/db/database.ts";
import { createTestDatabase } from "@greenlit/server/testing/test-database.ts";

const program = fileURLToPath(new URL("../bin/greenlit.js", import.meta.url));

let database: Awaited<ReturnType<typeof createTestDatabase>>;
before(async () => {
  database = await createTestDatabase();
});
after(() => database[Symbol.asyncDispose]());

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env["PATH"] ?? "", DATABASE_URL: database.url };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr }),
    );
  });
}

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, "--json");
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as T;
}

test("people are invited, and every refusal says what to do", async () => {
  await run("workspaces", "create", "--name", "acme");

  const invited = await json<Record<string, unknown>>(
    "people",
    "invite",
    "Ana@Example.com",
    "--workspace=acme",
    "--role=reviewer",
    "--markets=UK,IE",
  );
  const people = await json<unknown[]>("people", "list");
  const unknown = await run("people", "reset-link", "nobody@example.com");
  const noAddress = await run("people", "invite", "nobody", "--workspace", "acme", "--role", "viewer");

  assert.deepEqual(
    [invited["email"], invited["role"], invited["markets"]],
    ["ana@example.com", "reviewer", ["UK", "IE"]],
  );
  assert.match(String(invited["url"]), /^http:\/\/127\.0\.0\.1:8080\/console#invitation=[\w-]{43}$/);
  assert.deepEqual(people, []);
  assert.deepEqual([unknown.code, noAddress.code], [1, 1]);
  assert.match(unknown.stderr, /greenlit people list/);
  assert.match(noAddress.stderr, /is not an e-mail address/);
});

test("audit verify proves what operators did, and names the entry that somebody changed by SQL", async () => {
  const { workspaceId } = await json<{ workspaceId: string }>("workspaces", "create", "--name", "audited");
  await run("keys", "create", "--workspace", "audited", "--mode", "live");
  await run("workspaces", "set-plan", "--workspace", "audited", "--plan", "growth");
  const whole = await run("audit", "verify", "--workspace", "audited");
  await using opened = openDatabase({ url: database.url, poolSize: 1, onError: () => {} });
  await opened.db
    .updateTable("auditEntries")
    .set({ detail: "{}" })
    .where("workspaceId", "=", workspaceId)
    .where("number", "=", 2)
    .execute();

  const broken = await run("audit", "verify", "--workspace", "audited");
  const exported = await run("audit", "export", "--workspace", "audited", "--format", "csv");

  assert.deepEqual([whole.code, broken.code], [0, 1]);
  assert.match(whole.stdout, /3 entries, unbroken/);
  assert.match(broken.stdout, /BROKEN at entry 2: the entry was changed/);
  assert.equal(exported.stdout.trim().split("\r\n").length, 4);
});
