import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import type { EventType } from "../db/tables.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";
import { startTestService, type TestService, type TestWorkspace } from "../testing/test-service.ts";
import { createAttemptRecorder } from "../webhooks/delivering/attempt-recorder.ts";
import { claimDeliveries } from "../webhooks/delivering/claim-deliveries.ts";
import type { Delivery } from "../webhooks/delivery.ts";
import { recordEvent } from "../webhooks/record-event.ts";
import { wakeDeliverers } from "../webhooks/wake-deliverers.ts";
import { deliverWebhooks } from "./deliver-webhooks.ts";

const completed = "asset.processing.completed";
const failed = "asset.processing.failed";

let service: TestService;
/** Moved by tests; it runs, so that libraries find timestamps fresh. */
let ahead = 0;
const now = () => new Date(Date.now() + ahead);
before(async () => {
  service = await startTestService({
    now,
    env: { GREENLIT_WEBHOOK_ALLOW: "127.0.0.0/8", GREENLIT_WEBHOOK_HTTP: "true" },
  });
});
after(() => service[Symbol.asyncDispose]());

test("an event arrives once, signed, with the body that was stored, and is recorded", async () => {
  await using receiver = await startReceiver();
  const { workspace, path, secret } = await subscribe(receiver);

  await fire(workspace, { data: { zebra: 1, filename: "Überraschung.mp4", a: null } });

  const delivery = await settled(workspace, path);
  const [got] = receiver.received;
  assert.equal(receiver.received.length, 1);
  assert.match(
    got?.body ?? "",
    /^\{"type":"asset\.processing\.completed","timestamp":"[^"]+","data":\{"zebra":1,"filename":/,
  );
  const headers = got?.headers as Record<string, string>;
  assert.equal(headers["webhook-id"], delivery.eventId);
  new StandardWebhook(secret).verify(got?.body ?? "", headers);
  new SvixWebhook(secret).verify(got?.body ?? "", headers);
  assert.deepEqual(
    [delivery.status, delivery.attempt, delivery.responseStatusCode, delivery.error, delivery.nextAttemptAt],
    ["succeeded", 1, 200, null, null],
  );
  assert.equal(delivery.attempts.length, 1);
});

test("a subscription gets only the types it asked for", async () => {
  await using receiver = await startReceiver();
  const { workspace, path } = await subscribe(receiver, { eventTypes: [failed] });

  await fire(workspace, { type: completed });
  await fire(workspace, { type: failed });

  assert.equal((await settled(workspace, path)).eventType, failed);
  assert.equal(receiver.received.length, 1);
});

test("while a rotation's grace lasts both secrets verify, afterwards only the new one", async () => {
  await using receiver = await startReceiver();
  const { workspace, path, secret: old } = await subscribe(receiver);
  const rotated = await workspace.call("POST", `${path}/secret/rotate`, { body: { gracePeriodSeconds: 60 } });
  const secret = String(rotated.json["secret"]);

  await fire(workspace);
  await receiver.until(1);
  ahead += 61_000;
  await fire(workspace);
  await receiver.until(2);

  const [during, later] = receiver.received;
  assert.deepEqual([verifies(old, during), verifies(secret, during)], [true, true]);
  assert.deepEqual([verifies(old, later), verifies(secret, later)], [false, true]);
  assert.equal(later?.headers["webhook-signature"]?.toString().split(" ").length, 1);
});

test("a test event reaches its subscription alone, whatever it subscribes to", async () => {
  await using receiver = await startReceiver();
  await using other = await startReceiver();
  const { workspace, path, secret } = await subscribe(receiver, { eventTypes: [failed] });
  await subscribe(other, { workspace });

  const sent = await workspace.call("POST", `${path}/test`, { body: { eventType: completed } });

  assert.equal(sent.status, 202);
  await receiver.until(1);
  const [got] = receiver.received;
  assert.equal(verifies(secret, got), true);
  assert.equal((JSON.parse(got?.body ?? "") as { data: { livemode: boolean } }).data.livemode, false);
  assert.equal(other.received.length, 0);
});

test("500 then 200: tried again 5 s later under the same webhook-id, and the history says both in words", async () => {
  await using receiver = await startReceiver((response, _request, count) => {
    response.writeHead(count === 1 ? 500 : 200).end();
  });
  const { workspace, path } = await subscribe(receiver);
  await fire(workspace);
  const first = await settled(workspace, path);
  assert.deepEqual([first.status, first.attempt], ["failed", 1]);
  assertDelay(first, 5);

  await moveTo(first.nextAttemptAt);

  const second = await settled(workspace, path, 2);
  assert.deepEqual([second.status, second.attempt, second.error], ["succeeded", 2, null]);
  assert.match(second.attempts[0]?.error ?? "", /^answered 500 in \d+ ms$/);
  assert.equal(second.attempts[1]?.error, null);
  const [one, two] = receiver.received;
  assert.equal(one?.headers["webhook-id"], two?.headers["webhook-id"]);
  assert.equal(one?.body, two?.body);
});

test("after eight failed attempts on schedule a delivery is exhausted", async () => {
  const { workspace, path } = await subscribe({ url: await closedUrl() });
  await fire(workspace);

  const delays: number[] = [];
  for (let attempt = 1; attempt <= 8; attempt++) {
    const delivery = await settled(workspace, path, attempt);
    assert.equal(delivery.error, "connection refused");
    if (delivery.nextAttemptAt === null) break;
    delays.push(delayOf(delivery));
    await moveTo(delivery.nextAttemptAt);
  }

  const expected = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
  assert.equal(delays.length, expected.length);
  for (const [i, delay] of delays.entries())
    assert.ok(delay >= (expected[i] ?? 0) && delay <= (expected[i] ?? 0) * 1.1 + 0.1, `${delay} for ${expected[i]}`);
  const last = await settled(workspace, path, 8);
  assert.deepEqual([last.status, last.nextAttemptAt], ["exhausted", null]);
});

test("Retry-After of a 429 is honoured, for the delivery and for those behind it", async () => {
  await using receiver = await startReceiver((response, _request, count) => {
    if (count === 1) response.writeHead(429, { "retry-after": "50" });
    response.end();
  });
  const { workspace, path } = await subscribe(receiver);
  await fire(workspace);
  const limited = await settled(workspace, path);
  assertDelay(limited, 50);

  await fire(workspace);
  await setTimeout(300);
  assert.equal(receiver.received.length, 1);
  await moveTo(limited.nextAttemptAt);

  await receiver.until(3);
});

test("410 disables with a reason; what waits is delivered when it is made active again", async () => {
  let status = 410;
  await using receiver = await startReceiver((response) => {
    response.writeHead(status).end();
  });
  const { workspace, path, subscriptionId } = await subscribe(receiver);

  await fire(workspace);
  const gone = await settled(workspace, path);

  assert.deepEqual([gone.status, gone.nextAttemptAt], ["exhausted", null]);
  const disabled = await workspace.call("GET", path);
  assert.equal(disabled.json["isActive"], false);
  assert.match(String(disabled.json["disabledReason"]), /^The receiver answered 410 Gone on 20/);

  status = 200;
  await insertDelivery(workspace, { subscriptionId });
  await setTimeout(200);
  assert.equal(receiver.received.length, 1);
  const revived = await workspace.call("PATCH", path, { body: { isActive: true } });
  assert.deepEqual([revived.json["isActive"], revived.json["disabledReason"]], [true, null]);
  await receiver.until(2);
});

test("five days of nothing but failures disable with a reason; a success in between does not", async () => {
  let status = 500;
  await using receiver = await startReceiver((response) => {
    response.writeHead(status).end();
  });
  const { workspace, path } = await subscribe(receiver);
  const day = 24 * 60 * 60 * 1000;
  const attempt = async (next: number) => {
    status = next;
    await fire(workspace);
    await settled(workspace, path);
  };

  await attempt(500);
  ahead += 3 * day;
  await attempt(200);
  ahead += 3 * day;
  await attempt(500);
  assert.equal((await workspace.call("GET", path)).json["isActive"], true);
  ahead += 5 * day;
  await wakeDeliverers(service.app.db);

  await until(async () => (await workspace.call("GET", path)).json["isActive"] === false);
  const disabled = await workspace.call("GET", path);
  assert.match(String(disabled.json["disabledReason"]), /^Nothing but failures for five days; the last: answered 500/);
});

test("a replay sends the same event again and begins a new schedule", async () => {
  let status = 200;
  await using receiver = await startReceiver((response) => {
    response.writeHead(status).end();
  });
  const { workspace, path } = await subscribe(receiver);
  await fire(workspace);
  const { deliveryId } = await settled(workspace, path);
  status = 500;

  const replayed = await workspace.call("POST", `${path}/deliveries/${deliveryId}/replay`);

  assert.deepEqual(
    [replayed.status, replayed.json["deliveryId"], replayed.json["status"]],
    [202, deliveryId, "pending"],
  );
  const again = await settled(workspace, path, 2);
  assert.equal(again.status, "failed");
  assertDelay(again, 5);
  const [one, two] = receiver.received;
  assert.equal(one?.headers["webhook-id"], two?.headers["webhook-id"]);
});

test("recovery sends what failed and what happened during a pause, and nothing that was delivered", async () => {
  let status = 200;
  await using receiver = await startReceiver((response) => {
    response.writeHead(status).end();
  });
  const { workspace, path } = await subscribe(receiver);
  await fire(workspace);
  await receiver.until(1);
  await settled(workspace, path);
  const since = now();
  await setTimeout(5);
  await fire(workspace);
  await receiver.until(2);
  status = 500;
  await fire(workspace);
  await workspace.call("POST", `${path}/test`, { body: { eventType: completed } });
  await receiver.until(4);
  await settled(workspace, path);
  await workspace.call("PATCH", path, { body: { isActive: false } });
  await fire(workspace);
  assert.equal((await workspace.call("POST", `${path}/recover`, { body: { since } })).status, 409);
  await workspace.call("PATCH", path, { body: { isActive: true } });
  status = 200;

  const recovered = await workspace.call("POST", `${path}/recover`, { body: { since } });
  const again = await workspace.call("POST", `${path}/recover`, { body: { since } });

  assert.deepEqual([recovered.status, recovered.json], [202, { count: 2 }]);
  assert.deepEqual(again.json, { count: 0 });
  await receiver.until(6);
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  assert.equal(ids[4] === ids[2] || ids[5] === ids[2], true);
});

test("what a worker took and did not finish is taken by another when its lease is over", async () => {
  await using receiver = await startReceiver();
  const { workspace, path, subscriptionId } = await subscribe(receiver, { isActive: false });
  const deliveryId = await insertDelivery(workspace, { subscriptionId });
  await service.app.db
    .updateTable("webhookSubscriptions")
    .set({ isActive: true })
    .where("subscriptionId", "=", subscriptionId)
    .execute();
  const taken = await claimDeliveries(service.app, [{ subscriptionId, most: 1 }]);
  if (taken.length === 1) {
    await setTimeout(100);
    assert.equal(receiver.received.length, 0);
    ahead += 31_000;
  }

  await wakeDeliverers(service.app.db);

  assert.equal((await settled(workspace, path)).deliveryId, deliveryId);
});

test("three workers share deliveries without sending one twice", async () => {
  await using receiver = await startReceiver();
  const { workspace, path } = await subscribe(receiver);
  await using _second = deliverWebhooks(service.app);
  await using _third = deliverWebhooks(service.app);

  for (let i = 0; i < 300; i += 5) await Promise.all([1, 2, 3, 4, 5].map(() => fire(workspace)));

  await receiver.until(300);
  await until(async () => (await deliveriesOf(workspace, path, "?status=pending")).length === 0);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 300);
  assert.equal(receiver.received.length, 300);
});

test("a worker that stops gives back what it could not finish, uncounted", async () => {
  await using receiver = await startReceiver(() => {});
  const { workspace, path } = await subscribe(receiver);
  const worker = deliverWebhooks(service.app);
  for (let i = 0; i < 10; i++) await fire(workspace);
  // Two at once for each of the two workers.
  await receiver.until(4);
  assert.equal((await due(workspace)).length, 6);

  await worker[Symbol.asyncDispose]();

  assert.equal((await due(workspace)).length, 8);
  assert.ok((await deliveriesOf(workspace, path)).every(({ attempt }) => attempt === 0));
});

test("an attempt that cannot be stored does not keep the others from it", async () => {
  const { workspace, path, subscriptionId } = await subscribe({ url: await closedUrl() }, { isActive: false });
  const deliveryId = await insertDelivery(workspace, { subscriptionId });
  const row = await service.app.db
    .selectFrom("deliveries")
    .select("nextAttemptAt")
    .where("deliveryId", "=", deliveryId)
    .executeTakeFirstOrThrow();
  const recorder = createAttemptRecorder(service.app);
  const made = (id: string) => ({
    claimed: {
      deliveryId: id,
      subscriptionId,
      workspaceId: workspace.workspaceId,
      attempt: 0,
      scheduleStart: 0,
      lease: row.nextAttemptAt ?? now(),
      message: { url: "", eventId: "", body: "", headers: {}, secrets: [] },
    },
    attempt: { isSuccess: true, statusCode: 200, responseBody: "", durationMs: 1, error: null },
    at: now(),
  });

  recorder.add(made("not a uuid"));
  recorder.add(made(deliveryId));
  await recorder.stop();

  assert.equal((await settled(workspace, path)).status, "succeeded");
});

test("100 receivers that hang delay a healthy one's event by at most a second", async () => {
  await using hanging = await startReceiver(() => {});
  await using receiver = await startReceiver();
  const { workspace: healthy } = await subscribe(receiver);
  for (const workspace of [await service.newWorkspace(), await service.newWorkspace()]) {
    await Promise.all(Array.from({ length: 50 }, () => subscribe(hanging, { workspace })));
    await Promise.all(Array.from({ length: 5 }, () => fire(workspace)));
  }
  await hanging.until(100);

  for (let i = 1; i <= 5; i++) {
    const firedAt = performance.now();
    await fire(healthy);
    await receiver.until(i);
    const delay = (receiver.received[i - 1]?.at ?? 0) - firedAt;
    assert.ok(delay < 1000, `${delay} ms`);
  }
});

test("100,000 due deliveries to dead receivers delay a healthy one's event by at most a second", async () => {
  await using receiver = await startReceiver();
  const { workspace: healthy } = await subscribe(receiver);
  const dead = await service.newWorkspace();
  const url = await closedUrl();
  await Promise.all(Array.from({ length: 20 }, () => subscribe({ url }, { workspace: dead })));
  await insertBacklog(dead, 100_000);
  await wakeDeliverers(service.app.db);
  await setTimeout(500);

  const delays: number[] = [];
  for (let i = 1; i <= 20; i++) {
    const firedAt = performance.now();
    await fire(healthy);
    await receiver.until(i);
    delays.push((receiver.received[i - 1]?.at ?? 0) - firedAt);
  }

  assert.ok(Math.max(...delays) < 1000, `${delays.map(Math.round).join(" ")} ms`);
});

async function subscribe(
  receiver: { url: string },
  options: { workspace?: TestWorkspace; eventTypes?: EventType[]; isActive?: boolean } = {},
) {
  const { workspace = await service.newWorkspace(), eventTypes = [completed], isActive = true } = options;
  const { status, json } = await workspace.call("POST", "/webhooks", {
    body: { url: receiver.url, eventTypes, isActive },
  });
  assert.equal(status, 201);
  const subscriptionId = String(json["subscriptionId"]);
  return { workspace, subscriptionId, path: `/webhooks/${subscriptionId}`, secret: String(json["secret"]) };
}

async function fire(
  { workspaceId }: TestWorkspace,
  { type = completed, data = { workspace_id: workspaceId } }: { type?: EventType; data?: Record<string, unknown> } = {},
) {
  const event = { workspaceId, type, data, submissionId: randomUUID(), assetId: randomUUID(), now: now() };
  await service.app.db.transaction().execute((trx) => recordEvent(trx, event));
}

async function due({ workspaceId }: TestWorkspace): Promise<unknown[]> {
  return service.app.db
    .selectFrom("deliveries")
    .select("deliveryId")
    .where("workspaceId", "=", workspaceId)
    .where("nextAttemptAt", "<=", now())
    .execute();
}

async function deliveriesOf(workspace: TestWorkspace, path: string, query = ""): Promise<Delivery[]> {
  return (await workspace.call("GET", `${path}/deliveries${query}`)).json["data"] as Delivery[];
}

/** The newest delivery, once its attempt of that number is recorded. */
async function settled(workspace: TestWorkspace, path: string, attempt = 1): Promise<Delivery> {
  let newest: Delivery | undefined;
  await until(async () => {
    [newest] = await deliveriesOf(workspace, path);
    return newest !== undefined && newest.attempt >= attempt && newest.status !== "pending";
  });
  return newest as unknown as Delivery;
}

function delayOf({ lastAttemptAt, nextAttemptAt }: Delivery): number {
  return (Date.parse(nextAttemptAt ?? "") - Date.parse(lastAttemptAt ?? "")) / 1000;
}

function assertDelay(delivery: Delivery, seconds: number): void {
  const delay = delayOf(delivery);
  assert.ok(delay >= seconds && delay <= seconds * 1.1 + 0.1, `${delay} s instead of ${seconds} s`);
}

async function moveTo(time: string | null): Promise<void> {
  ahead += Math.max(0, Date.parse(time ?? "") - now().getTime());
  await wakeDeliverers(service.app.db);
}

function verifies(secret: string, received: Receiver["received"][number] | undefined): boolean {
  try {
    new StandardWebhook(secret).verify(received?.body ?? "", received?.headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

async function closedUrl(): Promise<string> {
  await using receiver = await startReceiver();
  return receiver.url;
}

async function insertDelivery({ workspaceId }: TestWorkspace, { subscriptionId }: { subscriptionId: string }) {
  const { db } = service.app;
  const ids = { eventId: randomUUID(), workspaceId, submissionId: randomUUID(), assetId: randomUUID() };
  await db
    .insertInto("events")
    .values({ ...ids, type: completed, body: "{}", createdAt: now() })
    .execute();
  const deliveryId = randomUUID();
  const times = { createdAt: now(), nextAttemptAt: now() };
  await db
    .insertInto("deliveries")
    .values({ deliveryId, eventId: ids.eventId, subscriptionId, workspaceId, status: "pending", ...times })
    .execute();
  return deliveryId;
}

async function insertBacklog({ workspaceId }: TestWorkspace, count: number): Promise<void> {
  const { pool } = service.app;
  const at = now();
  await pool.query(
    `insert into events (event_id, workspace_id, submission_id, asset_id, type, body, created_at)
      values ($1, $2, $1, $1, $3, '{}', $4)`,
    [randomUUID(), workspaceId, completed, at],
  );
  await pool.query(
    `insert into deliveries (delivery_id, event_id, subscription_id, workspace_id, status, created_at, next_attempt_at)
      select gen_random_uuid(), e.event_id, s.subscription_id, $1, 'pending', $2, $2
      from events e, webhook_subscriptions s, generate_series(1, $3 / 20)
      where e.workspace_id = $1 and s.workspace_id = $1`,
    [workspaceId, at, count],
  );
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, "the condition did not come true in time");
    await setTimeout(10);
  }
}
