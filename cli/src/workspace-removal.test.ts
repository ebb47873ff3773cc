import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createZstdDecompress } from "node:zlib";
import { extract } from "tar-stream";
import { openDatabase } from "@greenlit/server/db/database.ts";
import { createTestDatabase } from "@greenlit/server/testing/test-database.ts";
import { startTestService, type TestService, type TestWorkspace } from "@greenlit/server/testing/test-service.ts";
import { retryRemovals } from "@greenlit/server/uploads/removals.ts";

const program = fileURLToPath(new URL("../bin/greenlit.js", import.meta.url));

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let folder: string;
let service: TestService;
let leaves: TestWorkspace;
let stays: TestWorkspace;
let clock = new Date();
before(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "greenlit-leaving-"));
  service = await startTestService({
    env: { DATABASE_URL: database.url, GREENLIT_DATA_DIR: folder },
    now: () => clock,
  });
  [leaves, stays] = [await service.newWorkspace(), await service.newWorkspace()];
  for (const workspace of [leaves, stays]) {
    const blobPath = await workspace.upload({ bytes: `A note of ${workspace.workspaceId}.\n` });
    const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath }] });
    await workspace.finish(submissionId);
    const path = `/submissions/${submissionId}/assets/${assets[0]?.assetId}`;
    await workspace.call("POST", `${path}/comments`, { body: { text: "Looks fine." } });
    await workspace.call("POST", "/webhooks", {
      body: { url: "https://hooks.example.com/x", eventTypes: ["asset.processing.completed"] },
    });
    await workspace.upload({ filename: "unused.txt" });
    await workspace.call("POST", "/uploads/url", { body: { filename: "later.txt", contentType: "text/plain" } });
  }
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env["PATH"] ?? "", DATABASE_URL: database.url, GREENLIT_DATA_DIR: folder };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr }),
    );
  });
}

async function rowsOf(workspaceId: string): Promise<Record<string, number>> {
  await using opened = openDatabase({ url: database.url, poolSize: 1, onError: () => {} });
  const { rows: tables } = await opened.pool.query<{ name: string }>(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace_id' order by 1`);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await opened.pool.query(`select from ${name} where workspace_id = $1`, [workspaceId]);
    if (rows.length > 0) counts[name] = rows.length;
  }
  return counts;
}

async function storedFor(workspaceId: string): Promise<string[]> {
  const files = await readdir(join(folder, "store"), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => path.includes(workspaceId));
}

test("an export has the rows and the bytes of its workspace, and neither secrets nor anything of another", async () => {
  const file = join(folder, "export.tar.zst");

  const { code, stderr } = await run("workspaces", "export", file, "--workspace", leaves.workspaceId);

  assert.equal(code, 0, stderr);
  const entries = new Map<string, string>();
  for await (const entry of createReadStream(file).pipe(createZstdDecompress()).pipe(extract()))
    entries.set(entry.header.name, await text(entry));
  const names = [...entries.keys()];
  for (const table of ["submissions", "assets", "asset_results", "comments", "audit_entries"])
    assert.ok(names.includes(`rows/${table}/000001.ndjson`), `${table} is not among ${names.join(", ")}`);
  const media = names.filter((name) => name.startsWith("media/"));
  assert.equal(media.length, 1);
  assert.equal(entries.get(media[0] ?? ""), `A note of ${leaves.workspaceId}.\n`);
  const everything = [...entries.values()].join("\n");
  assert.ok(!everything.includes(stays.workspaceId));
  assert.doesNotMatch(everything, /whsec_|secret_encrypted|key_hash/);
});

test("a deleted workspace leaves no row and no byte, and the other keeps all of its own", async () => {
  const before = await rowsOf(stays.workspaceId);
  const files = await storedFor(stays.workspaceId);
  const trial = await run("workspaces", "delete", "--workspace", leaves.workspaceId);
  assert.ok(Object.keys(await rowsOf(leaves.workspaceId)).length > 5, "a trial deletes nothing");

  const { code, stderr } = await run("workspaces", "delete", "--workspace", leaves.workspaceId, "--yes");
  const answer = await leaves.call("GET", "/submissions");
  // Later than the URL that nobody used is valid.
  clock = new Date(clock.getTime() + 48 * 3_600_000);
  await retryRemovals(service.app);

  assert.equal(trial.code, 1);
  assert.match(trial.stdout, /This would delete workspace .* 1 submissions/);
  assert.equal(code, 0, stderr);
  assert.deepEqual(await rowsOf(leaves.workspaceId), {});
  assert.deepEqual(await storedFor(leaves.workspaceId), []);
  assert.ok([401, 404, 200].includes(answer.status), "for five seconds a key may still be known");
  assert.deepEqual(await rowsOf(stays.workspaceId), before);
  assert.deepEqual(await storedFor(stays.workspaceId), files);
  const check = await run("storage", "check", "--min-age=0", "--json");
  assert.deepEqual(JSON.parse(check.stdout).orphans, [], check.stdout);
});
