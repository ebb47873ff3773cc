import { setTimeout as sleep } from "node:timers/promises";
import { recordAnalysis } from "@greenlit/server/submissions/running/record-analysis.ts";
import { givenSubmission } from "@greenlit/server/testing/given-submission.ts";
import { createSubscription } from "@greenlit/server/webhooks/create-subscription.ts";
import { deliveriesChannel } from "@greenlit/server/webhooks/record-event.ts";
import { createWorkspace } from "@greenlit/server/workspaces/manage-workspaces.ts";
import { servePart } from "../part.ts";
import { startBenchService, type ServiceOptions } from "../service.ts";
import { eventBody } from "./event-body.ts";

export type Workspace = { workspaceId: string; subscriptionIds: string[] };

export type DeliveringPart = {
  argument: ServiceOptions;
  ready: null;
  commands: {
    /** A workspace with a subscription to each URL. */
    subscribe(options: { name: string; urls: string[] }): Promise<Workspace>;
    /** So many events, each for every subscription of the workspace, all due at once. */
    giveEvents(options: Workspace & { count: number }): Promise<void>;
    /** Gives the seconds until every delivery of the workspace is recorded as having succeeded. */
    deliver(options: Workspace & { count: number }): Promise<number>;
    /** Completes so many assets one after the other, as a worker does. */
    complete(options: { workspaceId: string; count: number; everyMs: number }): Promise<void>;
  };
};

servePart<DeliveringPart>(async (options, stack) => {
  const { service } = await startBenchService(options, stack);
  const { app } = service;

  async function giveEvents({ workspaceId, subscriptionIds, count }: Workspace & { count: number }): Promise<void> {
    const client = await app.pool.connect();
    try {
      await client.query("begin");
      await client.query("set local statement_timeout = 0");
      await client.query(giveStatement, [workspaceId, count, eventBody, subscriptionIds]);
      await client.query(`notify ${deliveriesChannel}`);
      await client.query("commit");
    } finally {
      client.release();
    }
  }

  async function countUndelivered(workspaceId: string): Promise<number> {
    const { rows } = await app.pool.query<{ count: number }>(
      "select count(*) as count from deliveries where workspace_id = $1 and status <> 'succeeded'",
      [workspaceId],
    );
    return rows[0]?.count ?? 0;
  }

  return {
    ready: null,
    commands: {
      async subscribe({ name, urls }) {
        const { workspaceId } = await createWorkspace(app, { name, plan: "scale" });
        const subscriptionIds: string[] = [];
        for (const url of urls) {
          const settings = { url, eventTypes: ["asset.processing.completed" as const] };
          const { subscriptionId } = await createSubscription(app, { workspaceId, settings, idempotent: undefined });
          subscriptionIds.push(subscriptionId);
        }
        return { workspaceId, subscriptionIds };
      },
      giveEvents,
      async deliver(events) {
        const startedAt = performance.now();
        await giveEvents(events);
        while ((await countUndelivered(events.workspaceId)) > 0) await sleep(25);
        return (performance.now() - startedAt) / 1000;
      },
      async complete({ workspaceId, count, everyMs }) {
        for (let done = 0; done < count; done++) {
          const { submissionId, assetId } = await givenSubmission(app, { workspaceId });
          const result = { findings: [], measurements: {}, context: {} };
          await recordAnalysis(app, { submissionId, workspaceId, assetId, run: 0, result });
          await sleep(everyMs);
        }
      },
    },
  };
});

const giveStatement = `
  with made as (
    insert into events (event_id, workspace_id, submission_id, asset_id, type, body, created_at)
    select uuidv7(), $1, uuidv7(), uuidv7(), 'asset.processing.completed', $3::json, now()
    from generate_series(1, $2::int)
    returning event_id
  )
  insert into deliveries (delivery_id, event_id, subscription_id, workspace_id, status, created_at, next_attempt_at)
  select uuidv7(), event_id, subscription_id, $1, 'pending', now(), now()
  from made cross join unnest($4::uuid[]) as subscription_id`;
