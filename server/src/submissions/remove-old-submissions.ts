import type { App } from "../app.ts";
import { firstUuidAt } from "../db/uuid.ts";
import { removeSubmission } from "./delete-submission.ts";

const batchSize = 100;
const maxBatches = 20;

/** Deletes submissions that ended before that time, with everything that their own deletion would take along. */
export async function removeOldSubmissions(
  app: App,
  { endedBefore }: { endedBefore: Date },
): Promise<{ removed: number }> {
  let removed = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const old = await app.db
      .selectFrom("submissions")
      .select(["submissionId", "workspaceId"])
      // Made before it ended: by its key, in order of time, the old ones are found without reading the others.
      .where("submissionId", "<", firstUuidAt(endedBefore))
      .where("completedAt", "<", endedBefore)
      .orderBy("submissionId")
      .limit(batchSize)
      .execute();
    for (const ids of old) {
      // A retry may have begun meanwhile.
      const isOld = ({ completedAt }: { completedAt: Date | null }) =>
        completedAt !== null && completedAt < endedBefore;
      if (await removeSubmission(app, { ...ids, mayRemove: isOld })) removed++;
    }
    if (old.length < batchSize) break;
  }
  return { removed };
}
