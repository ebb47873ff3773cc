import type { Kysely } from "kysely";
import type { App } from "../app.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Tables } from "../db/tables.ts";
import { operator, type Actor } from "../workspaces/caller.ts";
import type { SubscriptionIds } from "./subscription.ts";

/** A change of a subscription for the audit. A secret, a header's value and an address with its path stay out of it. */
export async function recordSubscriptionChange(
  app: App,
  trx: Kysely<Tables>,
  change: SubscriptionIds & { actor: Actor | undefined; action: string; detail?: Record<string, unknown> },
): Promise<void> {
  const { workspaceId, subscriptionId, actor = operator, action, detail = {} } = change;
  const target = { kind: "webhook", id: subscriptionId };
  await recordAudit(trx, { workspaceId, actor, now: app.now(), changes: [{ action, target, detail }] });
}
