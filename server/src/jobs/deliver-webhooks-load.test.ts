import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import { startReceiver } from "../testing/receiver.ts";
import type { TestWorkspace } from "../testing/test-service.ts";
import { closedUrl, completed, startWebhookService } from "../testing/webhook-service.ts";
import type { WebhookService } from "../testing/webhook-service.ts";
import { createNetworkPolicy } from "../webhooks/sending/network-policy.ts";
import { createSender } from "../webhooks/sending/sender.ts";
import { wakeDeliverers } from "../webhooks/wake-deliverers.ts";
import { deliverWebhooks } from "./deliver-webhooks.ts";

let service: WebhookService;
before(async () => {
  service = await startWebhookService();
});
after(() => service[Symbol.asyncDispose]());

test("three workers share deliveries without sending one twice", async () => {
  await using receiver = await startReceiver();
  const { workspace, path } = await service.subscribe(receiver);
  await using _second = deliverWebhooks(service.app);
  await using _third = deliverWebhooks(service.app);

  for (let i = 0; i < 300; i += 5) await Promise.all([1, 2, 3, 4, 5].map(() => service.fire(workspace)));

  await receiver.until(300);
  await until(async () => (await service.deliveriesOf(workspace, path, "?status=pending")).length === 0);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 300);
  assert.equal(receiver.received.length, 300);
});

test("a worker that stops gives back what it could not finish, uncounted", async () => {
  await using receiver = await startReceiver(() => {});
  const { workspace, path } = await service.subscribe(receiver);
  const worker = deliverWebhooks(service.app);
  for (let i = 0; i < 10; i++) await service.fire(workspace);
  // Two at once for each of the two workers.
  await receiver.until(4);
  assert.equal((await due(workspace)).length, 6);

  await worker[Symbol.asyncDispose]();

  assert.equal((await due(workspace)).length, 8);
  assert.ok((await service.deliveriesOf(workspace, path)).every(({ attempt }) => attempt === 0));
});

test("100 receivers that hang hold up no healthy one", async () => {
  await using service = await startWebhookService({ role: "api" });
  // Longer than the test waits for anything.
  await using sender = createSender({
    policy: createNetworkPolicy(service.app.config.webhookAllow),
    allowHttp: true,
    now: service.app.now,
    timeoutMs: 600_000,
  });
  await using _worker = deliverWebhooks(service.app, { sender });
  await using hanging = await startReceiver(() => {});
  await using receiver = await startReceiver();
  const { workspace: healthy } = await service.subscribe(receiver);
  for (const workspace of [await service.newWorkspace(), await service.newWorkspace()]) {
    await Promise.all(Array.from({ length: 50 }, () => service.subscribe(hanging, { workspace })));
    await Promise.all(Array.from({ length: 5 }, () => service.fire(workspace)));
  }
  await hanging.until(100);

  for (let i = 1; i <= 5; i++) {
    await service.fire(healthy);
    await receiver.until(i);
  }
});

test("a healthy receiver's events pass 100,000 due deliveries to dead receivers", async () => {
  await using receiver = await startReceiver();
  const { workspace: healthy } = await service.subscribe(receiver);
  const dead = await service.newWorkspace();
  const url = await closedUrl();
  await Promise.all(Array.from({ length: 20 }, () => service.subscribe({ url }, { workspace: dead })));
  await insertBacklog(dead, 100_000);
  await wakeDeliverers(service.app.db);
  await until(async () => (await attempted(dead)).length > 0);

  for (let i = 1; i <= 20; i++) {
    await service.fire(healthy);
    await receiver.until(i);
  }

  assert.ok((await due(dead)).length > 0);
});

async function due({ workspaceId }: TestWorkspace): Promise<unknown[]> {
  return service.app.db
    .selectFrom("deliveries")
    .select("deliveryId")
    .where("workspaceId", "=", workspaceId)
    .where("nextAttemptAt", "<=", new Date())
    .execute();
}

async function attempted({ workspaceId }: TestWorkspace): Promise<unknown[]> {
  return service.app.db
    .selectFrom("deliveries")
    .select("deliveryId")
    .where("workspaceId", "=", workspaceId)
    .where("attempt", ">", 0)
    .limit(1)
    .execute();
}

async function insertBacklog({ workspaceId }: TestWorkspace, count: number): Promise<void> {
  const { pool } = service.app;
  const at = new Date();
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
