import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { OperatorError } from "../failure.ts";
import { createKey } from "./manage-keys.ts";
import { createWorkspace, listWorkspaces } from "./manage-workspaces.ts";
import type { Plans } from "./plans.ts";

export type FirstWorkspace = { workspaceId: string; name: string; plan: string; liveKey: string; sandboxKey: string };

/** On a database without any workspace, makes one with a key of each mode, so that the first call works at once. */
export async function createFirstWorkspace(context: {
  db: Kysely<Tables>;
  plans: Plans;
}): Promise<FirstWorkspace | undefined> {
  if ((await listWorkspaces(context.db)).length > 0) return undefined;
  try {
    const { workspaceId, name, plan } = await createWorkspace(context, { name: "default", plan: "local" });
    const live = await createKey(context.db, { workspace: workspaceId, mode: "live", name: "first live key" });
    const sandbox = await createKey(context.db, { workspace: workspaceId, mode: "sandbox", name: "first sandbox key" });
    return { workspaceId, name, plan, liveKey: live.key, sandboxKey: sandbox.key };
  } catch (error) {
    // Another process that started at the same moment was first.
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}
