import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, test } from "node:test";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { until } from "@greenlit/engine/testing/until.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";
import { closedUrl, completed, failed, startWebhookService } from "../testing/webhook-service.ts";
import type { WebhookService } from "../testing/webhook-service.ts";
import { createAttemptRecorder } from "../webhooks/delivering/attempt-recorder.ts";
import { claimDeliveries, releaseDeliveries } from "../webhooks/delivering/claim-deliveries.ts";
import type { Delivery } from "../webhooks/delivery.ts";
import { wakeDeliverers } from "../webhooks/wake-deliverers.ts";

let service: WebhookService;
/** Moved by tests; it runs, so that libraries find timestamps fresh. */
let ahead = 0;
const now = () => new Date(Date.now() + ahead);
before(async () => {
  service = await startWebhookService({ now });
});
after(() => service[Symbol.asyncDispose]());

test("an event arrives once, signed, with the body that was stored, and is recorded", async () => {
  await using receiver = await startReceiver();
  const { workspace, path, secret } = await service.subscribe(receiver);

  await service.fire(workspace, { data: { zebra: 1, filename: "Überraschung.mp4", a: null } });

  const delivery = await service.settled(workspace, path);
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
  const { workspace, path } = await service.subscribe(receiver, { eventTypes: [failed] });

  await service.fire(workspace, { type: completed });
  await service.fire(workspace, { type: failed });

  assert.equal((await service.settled(workspace, path)).eventType, failed);
  assert.equal(receiver.received.length, 1);
});

test("while a rotation's grace lasts both secrets verify, afterwards only the new one", async () => {
  await using receiver = await startReceiver();
  const { workspace, path, secret: old } = await service.subscribe(receiver);
  const rotated = await workspace.call("POST", `${path}/secret/rotate`, { body: { gracePeriodSeconds: 60 } });
  const secret = String(rotated.json["secret"]);

  await service.fire(workspace);
  await receiver.until(1);
  ahead += 61_000;
  await service.fire(workspace);
  await receiver.until(2);

  const [during, later] = receiver.received;
  assert.deepEqual([verifies(old, during), verifies(secret, during)], [true, true]);
  assert.deepEqual([verifies(old, later), verifies(secret, later)], [false, true]);
  assert.equal(later?.headers["webhook-signature"]?.toString().split(" ").length, 1);
});

test("a test event reaches its subscription alone, whatever it subscribes to", async () => {
  await using receiver = await startReceiver();
  await using other = await startReceiver();
  const { workspace, path, secret } = await service.subscribe(receiver, { eventTypes: [failed] });
  await service.subscribe(other, { workspace });

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
  const { workspace, path } = await service.subscribe(receiver);
  await service.fire(workspace);
  const first = await service.settled(workspace, path);
  assert.deepEqual([first.status, first.attempt], ["failed", 1]);
  assertDelay(first, 5);

  await moveTo(first.nextAttemptAt);

  const second = await service.settled(workspace, path, 2);
  assert.deepEqual([second.status, second.attempt, second.error], ["succeeded", 2, null]);
  assert.match(second.attempts[0]?.error ?? "", /^answered 500 in \d+ ms$/);
  assert.equal(second.attempts[1]?.error, null);
  const [one, two] = receiver.received;
  assert.equal(one?.headers["webhook-id"], two?.headers["webhook-id"]);
  assert.equal(one?.body, two?.body);
});

test("after eight failed attempts on schedule a delivery is exhausted", async () => {
  const { workspace, path } = await service.subscribe({ url: await closedUrl() });
  await service.fire(workspace);

  const delays: number[] = [];
  for (let attempt = 1; attempt <= 8; attempt++) {
    const delivery = await service.settled(workspace, path, attempt);
    assert.equal(delivery.error, "connection refused");
    if (delivery.nextAttemptAt === null) break;
    delays.push(delayOf(delivery));
    await moveTo(delivery.nextAttemptAt);
  }

  const expected = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
  assert.equal(delays.length, expected.length);
  for (const [i, delay] of delays.entries())
    assert.ok(delay >= (expected[i] ?? 0) && delay <= (expected[i] ?? 0) * 1.1 + 0.1, `${delay} for ${expected[i]}`);
  const last = await service.settled(workspace, path, 8);
  assert.deepEqual([last.status, last.nextAttemptAt], ["exhausted", null]);
});

test("Retry-After of a 429 is honoured, for the delivery and for those behind it", async () => {
  await using receiver = await startReceiver((response, _request, count) => {
    if (count === 1) response.writeHead(429, { "retry-after": "50" });
    response.end();
  });
  const { workspace, path } = await service.subscribe(receiver);
  await service.fire(workspace);
  const limited = await service.settled(workspace, path);
  assertDelay(limited, 50);

  await service.fire(workspace);
  await service.looked();
  assert.equal(receiver.received.length, 1);
  await moveTo(limited.nextAttemptAt);

  await receiver.until(3);
});

test("410 disables although deliveries beside it succeed", async () => {
  const held: ServerResponse[] = [];
  await using receiver = await startReceiver((response, _request, count) => {
    // One that succeeded makes room for three at once; answered together, they are recorded together.
    if (count === 1) response.end();
    else if (held.push(response) === 3)
      for (const [index, each] of held.entries()) each.writeHead(index === 2 ? 410 : 200).end();
  });
  const { workspace, path } = await service.subscribe(receiver);
  await service.fire(workspace);
  await service.settled(workspace, path);

  await Promise.all([service.fire(workspace), service.fire(workspace), service.fire(workspace)]);

  await until(async () => (await service.deliveriesOf(workspace, path)).every(({ attempt }) => attempt === 1));
  assert.equal((await workspace.call("GET", path)).json["isActive"], false);
});

test("410 disables with a reason; what waits is delivered when it is made active again", async () => {
  let status = 410;
  await using receiver = await startReceiver((response) => {
    response.writeHead(status).end();
  });
  const { workspace, path, subscriptionId } = await service.subscribe(receiver);

  await service.fire(workspace);
  const gone = await service.settled(workspace, path);

  assert.deepEqual([gone.status, gone.nextAttemptAt], ["exhausted", null]);
  const disabled = await workspace.call("GET", path);
  assert.equal(disabled.json["isActive"], false);
  assert.match(String(disabled.json["disabledReason"]), /^The receiver answered 410 Gone on 20/);

  status = 200;
  await service.insertDelivery(workspace, { subscriptionId });
  await service.looked();
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
  const { workspace, path } = await service.subscribe(receiver);
  const day = 24 * 60 * 60 * 1000;
  const attempt = async (next: number) => {
    status = next;
    await service.fire(workspace);
    await service.settled(workspace, path);
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
  const { workspace, path } = await service.subscribe(receiver);
  await service.fire(workspace);
  const { deliveryId } = await service.settled(workspace, path);
  status = 500;

  const replayed = await workspace.call("POST", `${path}/deliveries/${deliveryId}/replay`);

  assert.deepEqual(
    [replayed.status, replayed.json["deliveryId"], replayed.json["status"]],
    [202, deliveryId, "pending"],
  );
  const again = await service.settled(workspace, path, 2);
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
  const { workspace, path } = await service.subscribe(receiver);
  await service.fire(workspace);
  await receiver.until(1);
  await service.settled(workspace, path);
  const since = now();
  ahead += 5;
  await service.fire(workspace);
  await receiver.until(2);
  status = 500;
  await service.fire(workspace);
  await workspace.call("POST", `${path}/test`, { body: { eventType: completed } });
  await receiver.until(4);
  await service.settled(workspace, path);
  await workspace.call("PATCH", path, { body: { isActive: false } });
  await service.fire(workspace);
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
  const { workspace, path, subscriptionId } = await service.subscribe(receiver, { isActive: false });
  const deliveryId = await service.insertDelivery(workspace, { subscriptionId });
  await service.app.db
    .updateTable("webhookSubscriptions")
    .set({ isActive: true })
    .where("subscriptionId", "=", subscriptionId)
    .execute();
  const taken = await claimDeliveries(service.app, [{ subscriptionId, most: 1 }]);
  if (taken.length === 1) {
    await service.looked();
    assert.equal(receiver.received.length, 0);
    ahead += 31_000;
  }

  await wakeDeliverers(service.app.db);

  assert.equal((await service.settled(workspace, path)).deliveryId, deliveryId);
});

test("an attempt that cannot be stored does not keep the others from it", async () => {
  const { workspace, path, subscriptionId } = await service.subscribe({ url: await closedUrl() }, { isActive: false });
  const deliveryId = await service.insertDelivery(workspace, { subscriptionId });
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

  assert.equal((await service.settled(workspace, path)).status, "succeeded");
});

test("a worker whose lease is over neither records a failure nor gives the delivery back", async () => {
  const { workspace, path, subscriptionId } = await service.subscribe({ url: await closedUrl() }, { isActive: false });
  const deliveryId = await service.insertDelivery(workspace, { subscriptionId });
  const lost = {
    deliveryId,
    subscriptionId,
    workspaceId: workspace.workspaceId,
    attempt: 0,
    scheduleStart: 0,
    lease: new Date(now().getTime() - 60_000),
    message: { url: "", eventId: "", body: "", headers: {}, secrets: [] },
  };
  const [before] = await service.deliveriesOf(workspace, path);
  const recorder = createAttemptRecorder(service.app);

  const attempt = { isSuccess: false, statusCode: 500, responseBody: "", durationMs: 1, error: "answered 500" };
  recorder.add({ claimed: lost, attempt, at: now() });
  await recorder.stop();
  ahead += 1000;
  await releaseDeliveries(service.app, [lost]);

  const [after] = await service.deliveriesOf(workspace, path);
  assert.deepEqual(after, before);
});

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
