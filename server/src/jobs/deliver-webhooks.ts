import { setTimeout } from "node:timers/promises";
import type { App } from "../app.ts";
import { createAttemptRecorder } from "../webhooks/delivering/attempt-recorder.ts";
import {
  claimDeliveries,
  findWaiting,
  releaseDeliveries,
  type Claimed,
} from "../webhooks/delivering/claim-deliveries.ts";
import { createFairShare } from "../webhooks/delivering/fair-share.ts";
import { deliveriesChannel } from "../webhooks/record-event.ts";
import { createNetworkPolicy } from "../webhooks/sending/network-policy.ts";
import { traceDelivery } from "./trace-delivery.ts";
import { createSender, type Attempt, type Sender } from "../webhooks/sending/sender.ts";

const longestHoldSeconds = 60;
const troubleMs = 1000;
const lostRaceMs = 50;
const drainMs = 2000;

/**
 * Sends due deliveries for as long as it is not disposed. Any number of processes do so side by side; each takes what
 * no other has. Disposed, it waits a moment for attempts that are running and gives the others back.
 */
export function deliverWebhooks(app: App, options: { sender?: Sender } = {}): AsyncDisposable {
  const sender = options.sender ?? senderOf(app);
  const fairShare = createFairShare();
  const recorder = createAttemptRecorder(app);
  const alarm = createAlarm();
  const running = new Map<Claimed, Promise<void>>();
  /** Subscriptions of which as many as allowed were taken, so that more may be due when one ends. */
  const unfinished = new Set<string>();
  let isCrowded = false;
  const stopping = new AbortController();
  let state: "running" | "stopped" = "running";
  const subscription = app.listener.on(deliveriesChannel, alarm.ring);

  async function deliver(claimed: Claimed): Promise<void> {
    const { deliveryId, subscriptionId, workspaceId } = claimed;
    const turn = fairShare.begin(subscriptionId);
    let attempt: Attempt | undefined;
    try {
      const trace = traceDelivery(app, claimed);
      attempt = await sender.send(trace?.message ?? claimed.message, stopping.signal);
      trace?.end(attempt);
      recorder.add({ claimed, attempt, at: app.now() });
      app.log[attempt.isSuccess ? "debug" : "info"](
        { deliveryId, subscriptionId, workspaceId, eventId: claimed.message.eventId, ...logged(attempt) },
        "webhook attempt",
      );
    } catch (error) {
      // Cut off by the end of the service: it stays among those that are given back.
      if (stopping.signal.aborted) return;
      app.log.error({ err: error, deliveryId, workspaceId }, "webhook attempt failed");
    } finally {
      turn.end({ isSuccess: attempt?.isSuccess ?? false, holdUntil: holdOf(app, attempt) });
    }
    running.delete(claimed);
    if (isCrowded || (unfinished.has(subscriptionId) && fairShare.isHalfIdle(subscriptionId))) alarm.ring();
  }

  async function takeTurn(): Promise<number> {
    const { shares, lookAgainMs, ...rest } = fairShare.deal(await findWaiting(app), app.now());
    isCrowded = rest.isCrowded;
    if (shares.length === 0) return lookAgainMs;
    const claimed = await claimDeliveries(app, shares);
    const counts = Map.groupBy(claimed, ({ subscriptionId }) => subscriptionId);
    for (const { subscriptionId, most } of shares)
      if ((counts.get(subscriptionId)?.length ?? 0) >= most) unfinished.add(subscriptionId);
      else unfinished.delete(subscriptionId);
    for (const delivery of claimed) running.set(delivery, deliver(delivery));
    return claimed.length === 0 ? lostRaceMs : lookAgainMs;
  }

  const isRunning = () => state === "running";

  async function run(): Promise<void> {
    while (isRunning()) {
      const waitMs = await takeTurn().catch((error: unknown) => {
        if (isRunning()) app.log.warn({ err: error }, "webhook deliveries could not be taken");
        return troubleMs;
      });
      if (isRunning()) await alarm.wait(waitMs);
    }
  }

  const loop = run();
  return {
    async [Symbol.asyncDispose]() {
      state = "stopped";
      subscription[Symbol.dispose]();
      alarm.ring();
      await loop;
      await Promise.race([Promise.all(running.values()), setTimeout(drainMs, undefined, { ref: false })]);
      stopping.abort();
      await Promise.all(running.values());
      await recorder.stop();
      if (running.size > 0) await releaseDeliveries(app, [...running.keys()]).catch(() => {});
      if (!options.sender) await sender[Symbol.asyncDispose]();
    },
  };
}

function senderOf({ config, now, log }: App): Sender {
  return createSender({
    policy: createNetworkPolicy(config.webhookAllow),
    allowHttp: config.webhookHttp,
    now,
    onRefused: (refusal) => log.warn(refusal, "webhook target refused"),
  });
}

/** A receiver that asks for time gets it from all its deliveries, for a while; the one it asked for waits as long as it said. */
function holdOf(app: App, attempt: Attempt | undefined): Date | undefined {
  if (!attempt?.retryAfterSeconds) return undefined;
  return new Date(app.now().getTime() + Math.min(attempt.retryAfterSeconds, longestHoldSeconds) * 1000);
}

function logged({ statusCode, durationMs, error }: Attempt) {
  return { statusCode, durationMs, error };
}

/** Waits for a time or a ring, whichever comes first; a ring while nobody waits ends the next wait at once. */
function createAlarm(): { ring: () => void; wait(milliseconds: number): Promise<void> } {
  let rung = Promise.withResolvers<void>();
  return {
    ring: () => rung.resolve(),
    async wait(milliseconds) {
      const timer = new AbortController();
      await Promise.race([rung.promise, setTimeout(milliseconds, undefined, { signal: timer.signal }).catch(() => {})]);
      timer.abort();
      rung = Promise.withResolvers<void>();
    },
  };
}
