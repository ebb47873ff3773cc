import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, truncate, stat, copyFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@greenlit/server/db/database.ts";
import { createTestDatabase } from "@greenlit/server/testing/test-database.ts";
import { startTestService } from "@greenlit/server/testing/test-service.ts";

const program = fileURLToPath(new URL("../bin/greenlit.js", import.meta.url));
const secretKey = "5e".repeat(32);

test("a backup of a running service, restored, has every row and byte, and its waiting jobs go on", async () => {
  await using place = await newPlace();
  const { folder, url } = place.first;
  const env = { DATABASE_URL: url, GREENLIT_DATA_DIR: folder };
  const { keys, finished, waiting } = await fill(env);
  await using service = await startTestService({ role: "api", env });
  const file = join(place.root, "backup.tar.zst");

  const written = await run(env, "backup", file, "--json");
  const again = await run(env, "backup", file);
  const rows = await rowsOf(url);
  const files = await filesOf(join(folder, "store"));
  await service[Symbol.asyncDispose]();
  const restoredEnv = { DATABASE_URL: place.second.url, GREENLIT_DATA_DIR: place.second.folder };
  const restored = await run(restoredEnv, "restore", file, "--json");
  const twice = await run(restoredEnv, "restore", file);

  assert.equal(written.code, 0, written.stderr);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /exists already/);
  assert.equal(restored.code, 0, restored.stderr);
  const counts = JSON.parse(restored.stdout) as { jobs: number; files: number; missing: string[] };
  assert.deepEqual([counts.jobs, counts.missing], [1, []]);
  assert.deepEqual(await rowsOf(place.second.url), rows);
  assert.deepEqual(await filesOf(join(place.second.folder, "store")), files);
  assert.ok(Object.keys(files).length >= 3, "the uploads and what was frozen of them");
  assert.equal(twice.code, 1);
  assert.match(twice.stderr, /not empty/);

  await using next = await startTestService({ env: restoredEnv });
  const call = async (path: string) =>
    (await next.fetch(`/api/integrations${path}`, { headers: { "x-api-key": keys.live } })).json;
  for (const deadline = Date.now() + 180_000; ;) {
    const { status } = await call(`/submissions/${waiting}`);
    if (status === "complete") break;
    assert.ok(Date.now() < deadline && status !== "failed", `the waiting submission is ${String(status)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.equal((await call(`/submissions/${finished}`))["status"], "complete");
});

test("storage check names rows without bytes and bytes without rows, and removes the latter when asked", async () => {
  await using place = await newPlace();
  const env = { DATABASE_URL: place.first.url, GREENLIT_DATA_DIR: place.first.folder };
  await using service = await startTestService({ role: "api", env });
  const workspace = await service.newWorkspace();
  for (const filename of ["kept.txt", "lost.txt"])
    await workspace.submit({ assets: [{ blobPath: await workspace.upload({ filename }) }] });
  await workspace.upload({ filename: "nobodys.txt" });
  const clean = await run(env, "storage", "check", "--min-age=0", "--json");
  const { rows } = await query(
    place.first.url,
    "select reference, object_key from media join uploads using (upload_id) order by media_id",
  );
  for (const key of Object.values(rows[1] ?? {})) await service.app.store.remove(String(key));
  await query(place.first.url, "delete from uploads where upload_id not in (select upload_id from media)");
  const found = await run(env, "storage", "check", "--min-age=0", "--json");
  const removed = await run(env, "storage", "check", "--min-age=0", "--remove-orphans");
  const after = await run(env, "storage", "check", "--min-age=0", "--json");

  assert.deepEqual([clean.code, found.code, after.code], [0, 1, 1], clean.stdout + clean.stderr);
  const report = JSON.parse(found.stdout) as { missing: string[]; orphans: { objectKey: string }[] };
  assert.deepEqual(report.missing, [rows[1]?.["reference"]]);
  assert.equal(report.orphans.length, 1);
  assert.match(removed.stdout, /1 objects .* were removed/);
  assert.deepEqual((JSON.parse(after.stdout) as { orphans: unknown[] }).orphans, []);
});

test("a backup that was cut off, another file and a wrong key are refused, and nothing is left behind", async () => {
  await using place = await newPlace();
  const env = { DATABASE_URL: place.first.url, GREENLIT_DATA_DIR: place.first.folder };
  await using service = await startTestService({ role: "api", env });
  await (await service.newWorkspace()).upload();
  const file = join(place.root, "backup.tar.zst");
  assert.equal((await run(env, "backup", file)).code, 0);
  const cut = join(place.root, "cut.tar.zst");
  await copyFile(file, cut);
  await truncate(cut, (await stat(file)).size - 200);
  const restoredEnv = { DATABASE_URL: place.second.url, GREENLIT_DATA_DIR: place.second.folder };

  const outcomes = [
    await run(restoredEnv, "restore", cut),
    await run(restoredEnv, "restore", program),
    await run(restoredEnv, "restore", join(place.root, "none")),
    await run({ ...restoredEnv, GREENLIT_SECRET_KEY: "aa".repeat(32) }, "restore", file),
    await run({ ...restoredEnv, GREENLIT_SECRET_KEY: "" }, "restore", file),
  ];

  assert.deepEqual(
    outcomes.map(({ code }) => code),
    [1, 1, 1, 1, 1],
  );
  for (const [index, message] of [
    /cut off/,
    /is not a backup/,
    /There is no file/,
    /not the key of this backup/,
    /does not hold the secret key/,
  ].entries())
    assert.match(outcomes[index]?.stderr ?? "", message);
  assert.deepEqual(
    (await readdir(place.second.folder)).filter((name) => !name.startsWith("greenlit.lock")),
    [],
  );
  const { rows } = await query(
    place.second.url,
    "select count(*)::int as count from pg_tables where schemaname = 'public'",
  );
  const workspaces =
    rows[0]?.["count"] === 0 ? 0 : (await query(place.second.url, "select from workspaces")).rows.length;
  assert.equal(workspaces, 0);
});

/** A finished submission, one that waits, and an upload that nobody took. */
async function fill(env: Record<string, string>) {
  const { keys, finished } = await (async () => {
    await using service = await startTestService({ env });
    const workspace = await service.newWorkspace({ credits: 100 });
    const created = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
    await workspace.finish(created.submissionId);
    await workspace.call("POST", "/webhooks", {
      body: { url: "https://receiver.example/hook", eventTypes: ["asset.complete"] },
    });
    return { keys: workspace.keys, finished: created.submissionId };
  })();
  await using service = await startTestService({ role: "api", env });
  const form = new FormData();
  form.set("file", new File(["It waits.\n"], "waits.txt", { type: "text/plain" }));
  const headers = { "x-api-key": keys.live };
  const upload = async (body: FormData) =>
    (await service.fetch("/api/integrations/uploads/direct", { method: "POST", headers, body })).json["blobPath"];
  const blobPath = await upload(form);
  await upload(form);
  const { json } = await service.fetch("/api/integrations/submissions", {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ assets: [{ blobPath }] }),
  });
  return { keys, finished, waiting: String(json["submissionId"]) };
}

async function newPlace() {
  const stack = new AsyncDisposableStack();
  const root = await mkdtemp(join(tmpdir(), "greenlit-backup-"));
  await chmod(root, 0o755);
  stack.defer(() => rm(root, { recursive: true, force: true }));
  const [first, second] = [stack.use(await createTestDatabase()), stack.use(await createTestDatabase())];
  return {
    root,
    first: { url: first.url, folder: join(root, "first") },
    second: { url: second.url, folder: join(root, "second") },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function run(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const environment = { PATH: process.env["PATH"] ?? "", GREENLIT_SECRET_KEY: secretKey, ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env: environment }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr }),
    );
  });
}

async function query(url: string, statement: string): Promise<{ rows: Record<string, unknown>[] }> {
  await using database = openDatabase({ url, poolSize: 1, onError: () => {} });
  return await database.pool.query<Record<string, unknown>>(statement);
}

async function rowsOf(url: string): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await query(
    url,
    "select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely_%'",
  );
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables)
    found[String(name)] = (await query(url, `select t::text as row from ${String(name)} t order by 1`)).rows;
  return found;
}

async function filesOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (path) => [path.slice(folder.length), await readFile(path, "base64")])),
  );
}
