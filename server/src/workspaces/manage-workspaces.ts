import { sql, type Kysely } from "kysely";
import type { Context, Sidekick } from "@greenlit/engine/sidekick.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { ReviewRules } from "../db/people-tables.ts";
import type { SecondReaderMode, Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { OperatorError } from "../failure.ts";
import { operator, type Actor } from "./caller.ts";
import type { Plans } from "./plans.ts";
import { newWorkspaceId } from "./workspace-id.ts";

export type Workspace = {
  workspaceId: string;
  name: string;
  plan: string;
  creditBalance: number | null;
  defaultSidekickIds: string[] | null;
  defaultContext: Context | null;
  reviewRules: Partial<ReviewRules> | null;
  secondReader: SecondReaderMode;
  markets: string[] | null;
  createdAt: Date;
};

export async function createWorkspace(
  { db, plans }: { db: Kysely<Tables>; plans: Plans },
  options: { name: string; plan: string; credits?: number | undefined },
): Promise<Workspace> {
  const { name, plan, credits } = options;
  checkPlan(plans, plan);
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(name) || name.startsWith("ws_"))
    throw new OperatorError(
      `"${name}" is no name for a workspace: use 1 to 64 letters, digits, spaces, dots, dashes or underscores, and not ws_ at the start.`,
    );

  return db.transaction().execute(async (trx) => {
    const workspace = await trx
      .insertInto("workspaces")
      .values({ workspaceId: newWorkspaceId(), name, plan, creditBalance: credits ?? null })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!workspace) throw new OperatorError(`There is a workspace named "${name}" already. Choose another name.`);
    if (credits) await recordGrant(trx, { workspaceId: workspace.workspaceId, amount: credits });
    await recordChange(trx, workspace, {
      action: "workspace.created",
      detail: { name, plan, credits: credits ?? null },
    });
    return workspace;
  });
}

export async function listWorkspaces(db: Kysely<Tables>): Promise<Workspace[]> {
  return db.selectFrom("workspaces").selectAll().orderBy("createdAt").orderBy("workspaceId").execute();
}

/** By id or by name. */
export async function findWorkspace(db: Kysely<Tables>, idOrName: string): Promise<Workspace> {
  const workspace = await db
    .selectFrom("workspaces")
    .selectAll()
    .where((where) => where.or([where("workspaceId", "=", idOrName), where("name", "=", idOrName)]))
    .executeTakeFirst();
  if (!workspace)
    throw new OperatorError(`There is no workspace "${idOrName}". See them with: greenlit workspaces list`);
  return workspace;
}

export async function setPlan(
  { db, plans }: { db: Kysely<Tables>; plans: Plans },
  options: { workspace: string; plan: string },
): Promise<Workspace> {
  checkPlan(plans, options.plan);
  const { workspaceId } = await findWorkspace(db, options.workspace);
  return db.transaction().execute(async (trx) => {
    const workspace = await trx
      .updateTable("workspaces")
      .set({ plan: options.plan })
      .where("workspaceId", "=", workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(trx, workspace, { action: "workspace.plan_changed", detail: { plan: options.plan } });
    return workspace;
  });
}

/** What submissions of the workspace get when they do not say it themselves. Left out: stays; null: the common default. */
export async function setDefaults(
  { db, sidekicks }: { db: Kysely<Tables>; sidekicks: readonly Sidekick[] },
  options: {
    workspace: string;
    sidekickIds?: string[] | null | undefined;
    context?: Context | null | undefined;
    reviewRules?: Partial<ReviewRules> | undefined;
    markets?: string[] | null | undefined;
    actor?: Actor | undefined;
  },
): Promise<Workspace> {
  const { workspaceId } = await findWorkspace(db, options.workspace);
  const unknown = options.sidekickIds?.find((id) => !sidekicks.some(({ sidekickId }) => sidekickId === id));
  if (unknown !== undefined)
    throw new OperatorError(`There is no sidekick ${unknown}. See them with: greenlit rules list`);
  const { sidekickIds, context, reviewRules, markets, actor } = options;
  const changes = [sidekickIds, context, reviewRules, markets];
  if (changes.every((change) => change === undefined)) return findWorkspace(db, workspaceId);
  return db.transaction().execute(async (trx) => {
    const workspace = await trx
      .updateTable("workspaces")
      .set({
        ...(sidekickIds !== undefined && { defaultSidekickIds: sidekickIds }),
        ...(context !== undefined && { defaultContext: context && JSON.stringify(context) }),
        // What is left out stays, also when two people change two rules at once.
        ...(reviewRules !== undefined && {
          reviewRules: sql<string>`coalesce(review_rules, '{}') || ${JSON.stringify(reviewRules)}::jsonb`,
        }),
        ...(markets !== undefined && { markets }),
      })
      .where("workspaceId", "=", workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    const detail = { sidekickIds, context, reviewRules, markets };
    await recordChange(trx, workspace, { action: "workspace.defaults_changed", detail, actor });
    return workspace;
  });
}

/** What a language model may see of the workspace's assets from now on. */
export async function setSecondReader(
  db: Kysely<Tables>,
  options: { workspace: string; mode: SecondReaderMode },
): Promise<Workspace> {
  const { workspaceId } = await findWorkspace(db, options.workspace);
  return db.transaction().execute(async (trx) => {
    const workspace = await trx
      .updateTable("workspaces")
      .set({ secondReader: options.mode })
      .where("workspaceId", "=", workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordChange(trx, workspace, { action: "workspace.second_reader_changed", detail: { mode: options.mode } });
    return workspace;
  });
}

/** Adds credits. A workspace that was not metered has a balance from then on. */
export async function grantCredits(
  db: Kysely<Tables>,
  options: { workspace: string; amount: number },
): Promise<{ workspace: Workspace; wasMetered: boolean }> {
  const before = await findWorkspace(db, options.workspace);
  return db.transaction().execute(async (trx) => {
    const workspace = await trx
      .updateTable("workspaces")
      .set((where) => ({
        creditBalance: where(where.fn.coalesce("creditBalance", where.lit(0)), "+", options.amount),
      }))
      .where("workspaceId", "=", before.workspaceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordGrant(trx, { workspaceId: before.workspaceId, amount: options.amount });
    await recordChange(trx, workspace, { action: "credits.granted", detail: { amount: options.amount } });
    return { workspace, wasMetered: before.creditBalance !== null };
  });
}

async function recordChange(
  trx: Kysely<Tables>,
  { workspaceId }: { workspaceId: string },
  change: { action: string; detail: Record<string, unknown>; actor?: Actor | undefined },
): Promise<void> {
  const { action, detail, actor = operator } = change;
  const changes = [{ action, target: { kind: "workspace", id: workspaceId }, detail }];
  await recordAudit(trx, { workspaceId, actor, now: new Date(), changes });
}

async function recordGrant(trx: Kysely<Tables>, grant: { workspaceId: string; amount: number }): Promise<void> {
  await trx
    .insertInto("creditLedger")
    .values({ entryId: uuidv7(), kind: "grant", ...grant })
    .execute();
}

function checkPlan(plans: Plans, plan: string): void {
  if (!plans.has(plan))
    throw new OperatorError(`There is no plan "${plan}". The plans are: ${[...plans.keys()].join(", ")}.`);
}
