import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import { startTestService, type TestService, type TestWorkspace } from "../../testing/test-service.ts";
import { recordEvent } from "../../webhooks/record-event.ts";

/** Nothing listens there. */
const url = "https://127.0.0.1:65535/greenlit";
const eventTypes = ["asset.processing.completed", "asset.processing.failed"];

let service: TestService;
before(async () => {
  service = await startTestService({ env: { GREENLIT_WEBHOOK_ALLOW: "127.0.0.1" } });
});
after(() => service[Symbol.asyncDispose]());

test("201 with the secret, which no other answer holds and the database only encrypted", async () => {
  const workspace = await service.newWorkspace();

  const created = await workspace.call("POST", "/webhooks", { body: { url, eventTypes } });

  assert.equal(created.status, 201);
  const { secret, subscriptionId, createdAt, updatedAt, ...rest } = created.json;
  assert.match(String(secret), /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(rest, { url, eventTypes, isActive: true, description: null, headers: {}, disabledReason: null });
  const read = await workspace.call("GET", `/webhooks/${String(subscriptionId)}`);
  const list = await workspace.call("GET", "/webhooks");
  assert.deepEqual([read.status, list.status], [200, 200]);
  assert.deepEqual(read.json, { ...rest, subscriptionId, createdAt, updatedAt });
  assert.doesNotMatch(read.text + list.text, /whsec_|"secret"/);
  const stored = await service.app.pool.query("select * from webhook_subscriptions where subscription_id = $1", [
    subscriptionId,
  ]);
  assert.doesNotMatch(JSON.stringify(stored.rows), new RegExp(String(secret).slice(6, 20)));
});

for (const [what, body, path] of [
  ["no url", { eventTypes }, "url"],
  ["no event types", { url }, "eventTypes"],
  ["an empty list of event types", { url, eventTypes: [] }, "eventTypes"],
  ["an unknown event type", { url, eventTypes: ["asset.deleted"] }, "eventTypes.0"],
  ["an event type twice", { url, eventTypes: [eventTypes[0], eventTypes[0]] }, "eventTypes"],
  ["an unknown property", { url, eventTypes, secret: "whsec_mine" }, "secret"],
  ["a number for a boolean", { url, eventTypes, isActive: 1 }, "isActive"],
  ["http", { url: "http://hooks.example.com/", eventTypes }, "url"],
  ["credentials", { url: "https://me:mine@hooks.example.com/", eventTypes }, "url"],
  ["a scheme without slashes", { url: "https:hooks.example.com", eventTypes }, "url"],
  ["another scheme", { url: "ftp://hooks.example.com/", eventTypes }, "url"],
  ["a private address", { url: "https://10.0.0.5/", eventTypes }, "url"],
  ["a private address in disguise", { url: "https://0xa.5/", eventTypes }, "url"],
  ["a port of another protocol", { url: "https://hooks.example.com:25/", eventTypes }, "url"],
  ["no URL at all", { url: "hooks", eventTypes }, "url"],
  ["a header we set", { url, eventTypes, headers: { "Webhook-Id": "1" } }, "headers.Webhook-Id"],
  [
    "a header of the connection",
    { url, eventTypes, headers: { "Transfer-Encoding": "x" } },
    "headers.Transfer-Encoding",
  ],
  ["a header with a line break", { url, eventTypes, headers: { "X-A": "1\r\nHost: b" } }, "headers.X-A"],
  ["a header that is no token", { url, eventTypes, headers: { "X A": "1" } }, "headers.X A"],
  ["a header twice", { url, eventTypes, headers: { "X-A": "1", "x-a": "2" } }, "headers.x-a"],
  ["too many headers", { url, eventTypes, headers: manyHeaders(21) }, "headers"],
  ["too large headers", { url, eventTypes, headers: { "X-A": "a".repeat(5000) } }, "headers"],
] as const)
  test(`422 that names the place for ${what}`, async () => {
    const workspace = await service.newWorkspace();

    const answer = await workspace.call("POST", "/webhooks", { body });

    assert.equal(answer.status, 422, answer.text);
    assert.equal(answer.json["error_code"], "invalid_request");
    const details = answer.json["details"] as { path: string; message: string }[];
    assert.ok(
      details.some((detail) => detail.path === path),
      answer.text,
    );
  });

test("the refusal of a private address says which variable would allow it", async () => {
  const workspace = await service.newWorkspace();

  const { text } = await workspace.call("POST", "/webhooks", { body: { url: "https://10.0.0.5/", eventTypes } });

  assert.match(text, /the address 10\.0\.0\.5 is not public; GREENLIT_WEBHOOK_ALLOW would allow it/);
});

test("null for an optional property is the same as leaving it out", async () => {
  const workspace = await service.newWorkspace();
  const body = { url, eventTypes, description: null, isActive: null, headers: null };

  const created = await workspace.call("POST", "/webhooks", { body });
  const path = `/webhooks/${String(created.json["subscriptionId"])}`;
  const patched = await workspace.call("PATCH", path, {
    body: { ...body, url: null, eventTypes: null },
  });

  assert.deepEqual([created.status, created.json["isActive"], created.json["headers"]], [201, true, {}]);
  assert.equal(patched.status, 200);
});

test("a change changes what it names and nothing else", async () => {
  const workspace = await service.newWorkspace();
  const headers = { "X-Environment": "test", Authorization: "Bearer abc" };
  const { path } = await subscribe(workspace, { description: "first", headers });

  const changed = await workspace.call("PATCH", path, { body: { eventTypes: [eventTypes[1]], isActive: false } });
  const cleared = await workspace.call("PATCH", path, { body: { description: "", headers: {} } });
  const nothing = await workspace.call("PATCH", path, { body: {} });
  const refused = await workspace.call("PATCH", path, { body: { url: "https://127.0.0.2/" } });

  assert.deepEqual(
    [changed.json["url"], changed.json["eventTypes"], changed.json["isActive"], changed.json["description"]],
    [url, [eventTypes[1]], false, "first"],
  );
  assert.deepEqual(changed.json["headers"], { "X-Environment": "test", Authorization: "…" });
  assert.deepEqual([cleared.json["description"], cleared.json["headers"]], [null, {}]);
  assert.deepEqual([nothing.status, refused.status], [200, 422]);
});

test("204 for a deletion, 404 from then on, and its deliveries are gone", async () => {
  const workspace = await service.newWorkspace();
  const { path, subscriptionId } = await subscribe(workspace);
  await fire(workspace);

  const deleted = await workspace.call("DELETE", path);

  assert.equal(deleted.status, 204);
  assert.equal(deleted.text, "");
  assert.equal((await workspace.call("DELETE", path)).status, 404);
  const left = await service.app.db
    .selectFrom("deliveries")
    .where("subscriptionId", "=", subscriptionId)
    .selectAll()
    .execute();
  assert.deepEqual(left, []);
});

test("another workspace's subscription is 404, byte for byte the same as one that never was", async () => {
  const [owner, stranger] = [await service.newWorkspace(), await service.newWorkspace()];
  const { subscriptionId } = await subscribe(owner);
  await fire(owner);
  const { json } = await owner.call("GET", `/webhooks/${subscriptionId}/deliveries`);
  const [{ deliveryId }] = json["data"] as [{ deliveryId: string }];
  const requests = (id: string, delivery: string) =>
    [
      ["GET", `/webhooks/${id}`],
      ["PATCH", `/webhooks/${id}`, { isActive: false }],
      ["DELETE", `/webhooks/${id}`],
      ["GET", `/webhooks/${id}/deliveries`],
      ["GET", `/webhooks/${id}/deliveries/${delivery}`],
      ["POST", `/webhooks/${id}/deliveries/${delivery}/replay`],
      ["POST", `/webhooks/${id}/recover`, { since: "2026-01-01T00:00:00Z" }],
      ["POST", `/webhooks/${id}/secret/rotate`],
      ["POST", `/webhooks/${id}/test`, { eventType: eventTypes[0] }],
    ] as const;
  const call = ([method, path, body]: readonly [string, string, unknown?]) => stranger.call(method, path, { body });

  const foreign = await Promise.all(requests(subscriptionId, deliveryId).map(call));
  const unknown = await Promise.all(requests(randomUUID(), randomUUID()).map(call));

  assert.deepEqual(
    foreign.map(({ status, text }) => [status, text]),
    unknown.map(({ text }) => [404, text]),
  );
  assert.equal((await owner.call("GET", `/webhooks/${subscriptionId}`)).json["isActive"], true);
  const own = await subscribe(owner);
  assert.equal((await owner.call("POST", `${own.path}/deliveries/${deliveryId}/replay`)).status, 404);
  assert.equal((await owner.call("GET", `${own.path}/deliveries/${deliveryId}`)).status, 404);
});

test("one delivery is read as the history shows it, with what was sent", async () => {
  const workspace = await service.newWorkspace();
  const { path } = await subscribe(workspace);
  await fire(workspace);
  const history = async () =>
    (await workspace.call("GET", `${path}/deliveries`)).json["data"] as { deliveryId: string; attempt: number }[];
  await until(async () => ((await history())[0]?.attempt ?? 0) > 0);
  const [listed] = await history();

  const { status, json } = await workspace.call("GET", `${path}/deliveries/${listed?.deliveryId}`);

  const { payload, ...delivery } = json;
  assert.deepEqual([status, delivery], [200, listed]);
  const { timestamp, ...sent } = JSON.parse(String(payload)) as Record<string, unknown>;
  assert.deepEqual(sent, { type: "asset.processing.completed", data: {} });
  assert.ok(!Number.isNaN(Date.parse(String(timestamp))));
});

test("422 for an id that is no uuid", async () => {
  const workspace = await service.newWorkspace();

  assert.equal((await workspace.call("GET", "/webhooks/1")).status, 422);
  assert.equal((await workspace.call("POST", `/webhooks/${randomUUID()}/deliveries/x/replay`)).status, 422);
});

test("409 beyond 50 subscriptions, also when they are made at once", async () => {
  const workspace = await service.newWorkspace();
  for (let i = 0; i < 9; i++) await Promise.all(Array.from({ length: 5 }, () => subscribe(workspace)));

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => workspace.call("POST", "/webhooks", { body: { url, eventTypes } })),
  );

  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [201, 201, 201, 201, 201, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  assert.equal(refused?.json["error_code"], "subscription_limit_reached");
  assert.match(refused?.text ?? "", /Delete one/);
});

test("the same creation under one Idempotency-Key makes one subscription and gives one secret", async () => {
  const workspace = await service.newWorkspace();
  const send = (body: unknown) =>
    workspace.call("POST", "/webhooks", { body, headers: { "idempotency-key": "create-1" } });

  const first = await send({ url, eventTypes });
  const second = await send({ url, eventTypes });
  const other = await send({ url: `${url}/other`, eventTypes });

  assert.equal(second.text, first.text);
  assert.equal(second.headers.get("idempotent-replayed"), "true");
  assert.equal(other.status, 422);
  assert.equal(((await workspace.call("GET", "/webhooks")).json["data"] as unknown[]).length, 1);
});

test("lists are newest first, in pages", async () => {
  const workspace = await service.newWorkspace();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await subscribe(workspace)).subscriptionId);

  const seen = await readPages(workspace, "/webhooks?limit=2", "subscriptionId");

  assert.deepEqual(seen.pages, [2, 2, 1]);
  assert.deepEqual(seen.ids.toSorted(), ids.toSorted());
  for (const query of ["limit=0", "limit=101", "limit=x", "cursor=nonsense", "status=pending"])
    assert.equal((await workspace.call("GET", `/webhooks?${query}`)).status, 422, query);
});

test("the history has filters and pages", async () => {
  const workspace = await service.newWorkspace();
  const { path, subscriptionId } = await subscribe(workspace);
  for (let i = 0; i < 5; i++) await fire(workspace);
  await workspace.call("PATCH", path, { body: { isActive: false } });
  await service.app.pool.query(
    `update deliveries set status = 'exhausted', next_attempt_at = null where delivery_id in
      (select delivery_id from deliveries where subscription_id = $1 order by delivery_id limit 3)`,
    [subscriptionId],
  );

  const all = await readPages(workspace, `${path}/deliveries?limit=2`, "deliveryId");
  const exhausted = await readPages(workspace, `${path}/deliveries?status=exhausted&limit=2`, "deliveryId");

  assert.deepEqual(all.pages, [2, 2, 1]);
  assert.deepEqual(all.ids, all.ids.toSorted().toReversed());
  assert.equal(exhausted.ids.length, 3);
  assert.equal((await workspace.call("GET", `${path}/deliveries?status=lost`)).status, 422);
});

test("409 for what would be sent to an inactive subscription", async () => {
  const workspace = await service.newWorkspace();
  const { path } = await subscribe(workspace, { isActive: false });

  const tested = await workspace.call("POST", `${path}/test`, { body: { eventType: eventTypes[0] } });

  assert.deepEqual([tested.status, tested.json["error_code"]], [409, "subscription_inactive"]);
});

test("422 for a span that is empty or no span", async () => {
  const workspace = await service.newWorkspace();
  const { path } = await subscribe(workspace);

  for (const body of [
    {},
    { since: "yesterday" },
    { since: "2026-02-30T00:00:00Z", until: "x" },
    { since: "2026-01-02T00:00:00Z", until: "2026-01-01T00:00:00Z" },
    { since: "2126-01-01T00:00:00Z" },
    { since: "2016-12-31T23:59:60Z" },
  ])
    assert.equal((await workspace.call("POST", `${path}/recover`, { body })).status, 422, JSON.stringify(body));
});

test("a rotation gives a new secret, with a grace of a day unless told otherwise", async () => {
  const workspace = await service.newWorkspace();
  const { path, secret } = await subscribe(workspace);

  const rotated = await workspace.call("POST", `${path}/secret/rotate`);
  const ended = await workspace.call("POST", `${path}/secret/rotate`, { body: { gracePeriodSeconds: 0 } });
  const refused = await workspace.call("POST", `${path}/secret/rotate`, { body: { gracePeriodSeconds: 604_801 } });

  assert.equal(rotated.status, 200);
  assert.match(String(rotated.json["secret"]), /^whsec_/);
  assert.notEqual(rotated.json["secret"], secret);
  const grace =
    Date.parse(String(rotated.json["previousSecretExpiresAt"])) - Date.parse(String(rotated.json["updatedAt"]));
  assert.equal(grace, 86_400_000);
  assert.equal(ended.json["previousSecretExpiresAt"], null);
  assert.equal(refused.status, 422);
});

test("changes count against webhook_write and reads against webhook_read", async () => {
  const workspace = await service.newWorkspace({ plan: "starter" });
  const { path } = await subscribe(workspace);
  await workspace.call("GET", path);

  const { json } = await workspace.call("GET", "/limits");

  const left = Object.fromEntries(
    (json["buckets"] as { bucket: string; remaining: number }[]).map(({ bucket, remaining }) => [bucket, remaining]),
  );
  assert.deepEqual([left["webhook_write"], left["webhook_read"]], [19, 59]);
  const free = await service.newWorkspace({ plan: "free" });
  assert.equal((await free.call("GET", "/webhooks")).json["bucket"], "webhook_read");
});

test("subscriptions belong to the workspace, whatever the kind of the key", async () => {
  const workspace = await service.newWorkspace();
  const { path } = await subscribe(workspace);

  assert.equal((await workspace.call("GET", path, { mode: "sandbox" })).status, 200);
  assert.equal((await workspace.call("DELETE", path, { mode: "sandbox" })).status, 204);
});

async function subscribe(workspace: TestWorkspace, more: Record<string, unknown> = {}) {
  const { status, json } = await workspace.call("POST", "/webhooks", { body: { url, eventTypes, ...more } });
  assert.equal(status, 201);
  const subscriptionId = String(json["subscriptionId"]);
  return { subscriptionId, path: `/webhooks/${subscriptionId}`, secret: json["secret"] };
}

async function fire({ workspaceId }: TestWorkspace): Promise<void> {
  const ids = { workspaceId, submissionId: randomUUID(), assetId: randomUUID() };
  const event = { ...ids, type: "asset.processing.completed", data: {}, now: new Date() } as const;
  await service.app.db.transaction().execute((trx) => recordEvent(trx, event));
}

async function readPages(workspace: TestWorkspace, path: string, idName: string) {
  const ids: string[] = [];
  const pages: number[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { json } = await workspace.call("GET", `${path}${cursor ? `&cursor=${cursor}` : ""}`);
    const data = json["data"] as Record<string, string>[];
    ids.push(...data.map((item) => item[idName] ?? ""));
    pages.push(data.length);
    assert.equal(json["hasMore"], json["nextCursor"] !== null);
    cursor = json["nextCursor"] as string | null;
  }
  return { ids, pages };
}

function manyHeaders(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, "1"]));
}
