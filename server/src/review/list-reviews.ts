import type { App } from "../app.ts";
import type { ReviewSeverity, ReviewState } from "../db/people-tables.ts";
import type { Mode } from "../db/tables.ts";
import { sql } from "kysely";
import { describeReview, namesOf, type ReviewRow } from "./review.ts";

export type ReviewFilter = {
  states: readonly ReviewState[];
  /** Null: nobody. */
  assigneeId?: string | null | undefined;
  severity?: ReviewSeverity | undefined;
  market?: string | undefined;
  words?: string | undefined;
};

/**
 * A page of the queue. Each state is read by itself, in the order of an index and no further than the page: one query
 * over several states would sort all that match, a million of them.
 */
export async function listReviews(
  app: App,
  options: {
    workspaceId: string;
    mode: Mode;
    filter: ReviewFilter;
    order: "newest" | "oldest";
    after: string | undefined;
    limit: number;
  },
) {
  const { workspaceId, mode, filter, order, after, limit } = options;
  const direction = order === "newest" ? "desc" : "asc";

  const inState = (state: ReviewState | undefined) => {
    let query = app.db
      .selectFrom("reviews")
      .selectAll()
      .where("workspaceId", "=", workspaceId)
      .where("mode", "=", mode)
      .orderBy("reviewId", direction)
      .limit(limit);
    if (state !== undefined) query = query.where("state", "=", state);
    if (after !== undefined) query = query.where("reviewId", order === "newest" ? "<" : ">", after);
    if (filter.assigneeId === null) query = query.where("assigneeId", "is", null);
    else if (filter.assigneeId !== undefined) query = query.where("assigneeId", "=", filter.assigneeId);
    if (filter.severity !== undefined) query = query.where("severity", "=", filter.severity);
    if (filter.market !== undefined) query = query.where(sql<boolean>`markets @> array[${filter.market}]::text[]`);
    if (filter.words !== undefined)
      query = query.where(sql<boolean>`to_tsvector('simple', filename) @@ plainto_tsquery('simple', ${filter.words})`);
    return query;
  };
  const states = filter.states.length > 0 ? filter.states : [undefined];
  const found: ReviewRow[] = [];
  for (const state of states) found.push(...(await inState(state).execute()));
  const rows = found.toSorted((a, b) => (a.reviewId < b.reviewId === (order === "oldest") ? -1 : 1)).slice(0, limit);
  const names = await namesOf(
    app.db,
    rows.flatMap(({ assigneeId, claimedBy }) => [assigneeId, claimedBy]),
  );
  return rows.map((row) => describeReview(row, { names, now: app.now() }));
}
