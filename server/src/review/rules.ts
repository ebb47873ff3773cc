import type { Kysely } from "kysely";
import type { ReviewRules } from "../db/people-tables.ts";
import type { Tables } from "../db/tables.ts";

/** What holds in a workspace that has said nothing else. Keys decided issues alone before there were people. */
export const defaultReviewRules: ReviewRules = {
  uploaderMayNotApprove: true,
  secondPersonForCritical: false,
  openCriticalBlocksApproval: true,
  keyMayNotApprove: true,
};

export async function readReviewRules(db: Kysely<Tables>, workspaceId: string): Promise<ReviewRules> {
  const row = await db
    .selectFrom("workspaces")
    .select("reviewRules")
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  return { ...defaultReviewRules, ...row?.reviewRules };
}
