import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { startReceiver } from "../testing/receiver.ts";
import { startWebhookService } from "../testing/webhook-service.ts";
import { spawnWorker } from "../testing/worker-process.ts";
import { deliverWebhooks } from "./deliver-webhooks.ts";

const leaseIsOverMs = 31_000;

test(
  "a worker that is killed while it delivers loses no event, and repeats come under the same id",
  { timeout: 900_000 },
  async () => {
    await using service = await startWebhookService({ role: "api" });
    let isAnswering = false;
    await using receiver = await startReceiver((response) => {
      if (isAnswering) response.end();
    });
    const { workspace, path } = await service.subscribe(receiver);
    const worker = spawnWorker(service.app.config, {
      GREENLIT_WEBHOOK_ALLOW: "127.0.0.0/8",
      GREENLIT_WEBHOOK_HTTP: "true",
    });
    const exited = once(worker, "exit");
    for (let fired = 0; fired < 3; fired++) await service.fire(workspace);
    await receiver.until(3);
    worker.kill("SIGKILL");
    await exited;
    isAnswering = true;

    await using _other = deliverWebhooks({ ...service.app, now: () => new Date(Date.now() + leaseIsOverMs) });
    await receiver.until(6);

    const ids = receiver.received.map(({ headers }) => String(headers["webhook-id"]));
    const deliveries = await service.deliveriesOf(workspace, path);
    const events = deliveries.map(({ eventId }) => eventId).toSorted();
    assert.deepEqual(ids.slice(0, 3).toSorted(), events);
    assert.deepEqual(ids.slice(3).toSorted(), events);
  },
);
