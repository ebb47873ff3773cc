import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort } from "@greenlit/server/testing/free-port.ts";
import { createTestDatabase } from "@greenlit/server/testing/test-database.ts";
import { startTestService, type TestService } from "@greenlit/server/testing/test-service.ts";

const program = fileURLToPath(new URL("../bin/greenlit.js", import.meta.url));

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: TestService;
before(async () => {
  database = await createTestDatabase();
  service = await startTestService({
    role: "api",
    env: { DATABASE_URL: database.url, GREENLIT_WEBHOOK_HTTP: "true", GREENLIT_WEBHOOK_ALLOW: "127.0.0.0/8" },
  });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function examine(settings: Record<string, string> = {}): Promise<Record<string, string>> {
  const env = {
    ...settings,
    PATH: process.env["PATH"] ?? "",
    DATABASE_URL: database.url,
    GREENLIT_ALLOW_NO_JAIL: "true",
  };
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, [program, "doctor", "--json"], { env }, (_error, stdout) => resolve(stdout));
  });
  const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; message: string }[] };
  return Object.fromEntries(checks.map(({ name, status, message }) => [name, `${status}: ${message}`]));
}

test("work that nobody does, bytes that stay and hosts that do not answer are warnings with what to do", async () => {
  const workspace = await service.newWorkspace();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/hook`;
  await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  const healthy = await examine();
  const { submissionId } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  const webhook = await workspace.call("POST", "/webhooks", {
    body: { url, eventTypes: ["asset.processing.completed"] },
  });
  assert.equal(webhook.status, 201, webhook.text);
  const anHourAgo = "now() - interval '1 hour'";
  await service.app.pool.query(`update submissions set created_at = ${anHourAgo}`);
  await service.app.pool.query("delete from pgboss.job where data ->> 'submissionId' = $1", [submissionId]);
  await service.app.pool.query(`update pgboss.job set created_on = ${anHourAgo}, start_after = ${anHourAgo}`);
  await service.app.pool.query(`insert into removals values (gen_random_uuid(), 'object', 'gone', ${anHourAgo})`);
  await service.app.pool.query("delete from kysely_migration where name = (select max(name) from kysely_migration)");

  const troubled = await examine({
    GREENLIT_LLM_URL: `http://127.0.0.1:${port}/v1`,
    GREENLIT_LLM_MODEL: "some-model",
    OTEL_EXPORTER_OTLP_ENDPOINT: service.url,
  });

  for (const name of ["migrations", "clock", "queue", "stuck assets", "removals", "webhook egress", "greenlit"])
    assert.match(healthy[name] ?? "missing", /^ok: /, name);
  assert.match(healthy["second reader"] ?? "", /^ok: off/);
  assert.match(healthy["collector"] ?? "", /^ok: off/);
  assert.match(troubled["second reader"] ?? "", /^warning: 127\.0\.0\.1:\d+ does not answer.*GREENLIT_LLM_URL/);
  assert.match(troubled["collector"] ?? "", /^ok: OTLP at 127\.0\.0\.1:\d+ answers/);
  assert.match(healthy["queue"] ?? "", /1 waiting, 0 running/);
  assert.match(troubled["queue"] ?? "", /^warning: 1 waiting.*oldest waits for \d+ minutes\. No worker takes them/);
  assert.match(troubled["stuck assets"] ?? "", /^warning: 1 are unfinished and no job works on them/);
  assert.match(troubled["removals"] ?? "", /^warning: 1 objects should be gone/);
  assert.equal(troubled["webhook egress"], `warning: 1 of 1 hosts do not answer: 127.0.0.1:${port} (ECONNREFUSED)`);
  assert.match(troubled["migrations"] ?? "", /^warning: \S+ to come/);
});
