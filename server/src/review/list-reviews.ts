import type { App } from "../app.ts";
import type { ReviewSeverity, ReviewState } from "../db/people-tables.ts";
import type { Mode } from "../db/tables.ts";
import { sql, type RawBuilder } from "kysely";
import { nameTerms } from "./name-terms.ts";
import { describeReview, namesOf, withThumbnail, type ReviewRow } from "./review.ts";

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
  const hasWords = filter.words === undefined ? [] : await matchWords(app, { ...options, words: filter.words });
  if (hasWords === undefined) return [];

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
    // What one person has is little: the index of severities would pass over that of everybody else.
    if (filter.severity !== undefined)
      query = filter.assigneeId
        ? query.where(sql<boolean>`severity || '' = ${filter.severity}`)
        : query.where("severity", "=", filter.severity);
    if (filter.market !== undefined) query = query.where(sql<boolean>`markets @> array[${filter.market}]::text[]`);
    for (const hasWord of hasWords) query = query.where(hasWord);
    return query;
  };
  const states = filter.states.length > 0 ? filter.states : [undefined];
  const found: ReviewRow[] = [];
  for (const state of states) found.push(...(await inState(state).execute()));
  const rows = found.toSorted((a, b) => (a.reviewId < b.reviewId === (order === "oldest") ? -1 : 1)).slice(0, limit);
  const people = rows.flatMap(({ assigneeId, claimedBy }) => [assigneeId, claimedBy]);
  const [names, thumbnails] = await Promise.all([namesOf(app.db, people), withThumbnail(app.db, rows)]);
  return rows.map((row) => describeReview(row, { names, thumbnails, now: app.now() }));
}

/** A word in fewer reviews than this is where the search begins. */
const rare = 500;

/**
 * The conditions of a search. Of a rare word the few reviews are looked up: read in the order of the queue, nearly all
 * reviews would be passed over before a page is full. A common word is met soon on the way. The last word may be half
 * typed. Undefined: none can match.
 */
async function matchWords(
  app: App,
  options: { workspaceId: string; mode: Mode; words: string },
): Promise<RawBuilder<boolean>[] | undefined> {
  const { workspaceId, mode, words } = options;
  const terms = nameTerms(words);
  const begun = isBegun(words) ? terms.at(-1) : undefined;
  const endOf = (term: string) => (term === begun ? term + lastCharacter : term);
  const { rows } = await sql<{ term: string; count: number }>`
    select term, (
        select count(*)::integer from (
          select from review_terms t
            where t.workspace_id = ${workspaceId} and t.mode = ${mode} and t.term between asked.term and asked.end_of_term
            limit ${rare + 1}
        ) found
      ) as count
      from unnest(${terms}::text[], ${terms.map(endOf)}::text[]) asked (term, end_of_term)`.execute(app.db);
  const [rarest, ...others] = rows.toSorted((a, b) => a.count - b.count);
  const withTerm = (term: string) =>
    sql<boolean>`t.workspace_id = ${workspaceId} and t.mode = ${mode} and t.term between ${term} and ${endOf(term)}`;
  if (!rarest || rarest.count === 0) return undefined;
  const has = ({ term }: { term: string }) =>
    term === begun
      ? sql<boolean>`exists (select from unnest(review_terms_of(terms, filename)) own where starts_with(own, ${term}))`
      : sql<boolean>`exists (select from review_terms t where ${withTerm(term)} and t.review_id = reviews.review_id)`;
  const first =
    rarest.count > rare
      ? has(rarest)
      : sql<boolean>`review_id = any (array(select t.review_id from review_terms t where ${withTerm(rarest.term)}))`;
  return [first, ...others.map(has)];
}

const lastCharacter = "\u{10FFFF}";

/** Whether somebody may still be typing the last word: what follows a word ends it. */
function isBegun(words: string): boolean {
  return /[\p{L}\p{M}\p{N}]$/u.test(words.normalize("NFKC"));
}
