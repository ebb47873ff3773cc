import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { housekeeping } from "../jobs/housekeeping.ts";
import { routes } from "../http/routes.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { givenPerson } from "../testing/test-person.ts";
import { startTestService, type TestService, type TestWorkspace } from "../testing/test-service.ts";

/**
 * Tables that stay small, however long a deployment runs: a row a workspace, a person, a key, a subscription; or of the
 * last minutes.
 */
const smallTables = new Set([
  "workspaces",
  "api_keys",
  "people",
  "memberships",
  "sessions",
  "invitations",
  "webhook_subscriptions",
  "audit_heads",
  "queue_heads",
  "signing_keys",
  "settings",
  "rate_slots",
  "sign_in_attempts",
  "kysely_migration",
  "kysely_migration_lock",
]);

const healthClaimsId = "6b1f2a7e-93c4-4d0f-8a55-2f0c7d1e3b11";

test("no query of the service reads a large table as a whole, and every foreign key has its index", async () => {
  await using database = await createTestDatabase();
  const { pathname } = new URL(database.url);
  // So few rows are read as a whole by choice; with this only where there is no index to use.
  await ask(database.url, `alter database ${pathname.slice(1)} set enable_seqscan = off`);
  await using service = await startTestService({
    env: {
      DATABASE_URL: database.url,
      GREENLIT_WEBHOOK_HTTP: "true",
      GREENLIT_WEBHOOK_ALLOW: "127.0.0.0/8",
      GREENLIT_RETENTION_MEDIA: "30d",
      GREENLIT_RETENTION_RESULTS: "60d",
      GREENLIT_RETENTION_EVENTS: "30d",
    },
  });
  const before = await scansOf(database.url);

  await useEverything(service);

  // The counts of a connection are complete when it is closed.
  await service[Symbol.asyncDispose]();
  const after = await scansOf(database.url);
  const scanned = [...after].filter(([table, scans]) => scans > (before.get(table) ?? 0)).map(([table]) => table);
  assert.ok(after.has("assets") && after.has("issues"));
  assert.deepEqual(
    { scanned: scanned.filter((table) => !smallTables.has(table)), keys: await foreignKeysWithoutIndex(database.url) },
    { scanned: [], keys: [] },
  );
});

test("a submission is created without walking all uploads, when most of them have one name", async () => {
  await using database = await createTestDatabase();
  const { pathname } = new URL(database.url);
  // As every statement is planned after some calls: without looking at its values.
  await ask(database.url, `alter database ${pathname.slice(1)} set plan_cache_mode = force_generic_plan`);
  await using service = await startTestService({ role: "api", env: { DATABASE_URL: database.url } });
  const workspace = await service.newWorkspace();
  const others = 20_000;
  await ask(
    database.url,
    `insert into uploads (upload_id, workspace_id, filename, content_type, object_key, issued_at)
      select lpad(to_hex(n), 32, '0')::uuid, '${workspace.workspaceId}', 'final.txt', 'text/plain', 'other-' || n, now()
        from generate_series(1, ${others}) n`,
  );
  await ask(database.url, "vacuum analyze uploads");

  await workspace.submit({ assets: [{ blobPath: await workspace.upload({ filename: "rare.txt" }) }] });

  await service[Symbol.asyncDispose]();
  const [read] = await ask<{ rows: number }>(
    database.url,
    "select sum(idx_tup_read)::int as rows from pg_stat_user_indexes where relname = 'uploads'",
  );
  assert.ok((read?.rows ?? others) < others / 10, `${read?.rows} entries of indexes were read`);
});

async function useEverything(service: TestService): Promise<void> {
  const workspace = await service.newWorkspace();
  const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "admin" }] });
  const ids = await submit(workspace);
  const asset = `/submissions/${ids["submission_id"]}/assets/${ids["asset_id"]}`;
  const changes: [method: string, path: string, body?: unknown][] = [
    ["PATCH", `${asset}/issues/${ids["issue_id"]}`, { status: "ACKNOWLEDGED" }],
    ["POST", `${asset}/issues/decide`, { filter: { severity: ["MAJOR"] }, status: "ACKNOWLEDGED" }],
    ["POST", `${asset}/comments`, { text: "Look here." }],
    ["POST", `${asset}/review/claim`],
    ["POST", `${asset}/review/decisions`, { decision: "rejected", reason: "No." }],
    ["POST", `${asset}/retry`],
    ["POST", `/webhooks/${ids["subscription_id"]}/recover`, { since: new Date(0).toISOString() }],
  ];
  for (const [method, path, body] of changes) {
    const { status, text } = await person.call(method, path, { body: body ?? {} });
    assert.ok(status < 500, text);
  }
  for (const { method, path } of routes) {
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? ids["submission_id"] ?? "");
    if (method !== "GET" || path.startsWith("/realtime")) continue;
    for (const answer of [await workspace.call("GET", filled), await person.call("GET", filled)])
      assert.ok(answer.status < 500, `${filled}: ${answer.text}`);
  }
  for (const query of ["status=complete", "status=failed"]) await workspace.call("GET", `/submissions?${query}`);
  for (const query of ["state=approved", "assignee=me", "assignee=none", "severity=CRITICAL", "market=UK", "q=note"])
    await person.call("GET", `/reviews?${query}`);
  await housekeeping(service.app);
  await workspace.call("DELETE", `/submissions/${ids["submission_id"]}`);
}

async function submit(workspace: TestWorkspace): Promise<Record<string, string>> {
  const bytes = "This copper bracelet cures arthritis.";
  const subscription = await workspace.call("POST", "/webhooks", {
    body: { url: "http://127.0.0.1:8999/hook", eventTypes: ["asset.processing.completed"] },
  });
  const submission = { sidekickIds: [healthClaimsId], metadata: { jurisdictions: ["UK"] } };
  const first = await workspace.submit({ ...submission, assets: [{ blobPath: await workspace.upload({ bytes }) }] });
  await workspace.finish(first.submissionId);
  const { submissionId, assets } = await workspace.submit({
    ...submission,
    assets: [{ blobPath: await workspace.upload({ bytes }), previousSubmissionId: first.submissionId }],
  });
  await workspace.finish(submissionId);
  const assetId = assets[0]?.assetId ?? "";
  const issues = await workspace.call("GET", `/submissions/${submissionId}/assets/${assetId}/issues`);
  const issueId = (issues.json["issues"] as { id: string }[])[0]?.id;
  assert.ok(issueId, "the text has a finding");
  const subscriptionId = String(subscription.json["subscriptionId"]);
  const deliveries = await workspace.call("GET", `/webhooks/${subscriptionId}/deliveries`);
  assert.equal(deliveries.status, 200, `${subscription.text} ${deliveries.text}`);
  return {
    submission_id: submissionId,
    asset_id: assetId,
    issue_id: issueId,
    subscription_id: subscriptionId,
    delivery_id: (deliveries.json["data"] as { deliveryId: string }[])[0]?.deliveryId ?? "",
    sidekick_id: healthClaimsId,
    page_number: "1",
  };
}

async function scansOf(url: string): Promise<Map<string, number>> {
  const rows = await ask<{ relname: string; seq_scan: string }>(
    url,
    "select relname, seq_scan from pg_stat_user_tables where schemaname = 'public'",
  );
  return new Map(rows.map(({ relname, seq_scan }) => [relname, Number(seq_scan)]));
}

/** Deleting what they point at would read the whole table. */
async function foreignKeysWithoutIndex(url: string): Promise<string[]> {
  const rows = await ask<{ name: string }>(
    url,
    `select conname as name from pg_constraint c
      where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
        select from pg_index i where i.indrelid = c.conrelid and i.indisvalid
          and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
      ) order by name`,
  );
  return rows.map(({ name }) => name);
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
