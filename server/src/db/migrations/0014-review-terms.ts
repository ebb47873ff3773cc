import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Null: written by a process of an older release.
  `alter table reviews add column terms text[]`,
  `create function review_terms_of(p_terms text[], p_filename text) returns text[] language sql immutable as $$
    select coalesce(p_terms, array(
      select distinct term from regexp_split_to_table(lower(p_filename), '[^[:alnum:]]+') term where term <> '' limit 32
    ))
  $$`,

  // In the order of the queue within each term, so that a page of a search is as cheap as a page of the queue.
  `create table review_terms (
    workspace_id text not null,
    mode text not null,
    term text collate "C" not null,
    review_id uuid not null,
    primary key (workspace_id, mode, term, review_id)
  )`,

  // By triggers: reviews come and go by several ways, the cascade of a deletion among them.
  `create function add_review_terms() returns trigger language plpgsql as $$
  begin
    insert into review_terms
      select workspace_id, mode, unnest(review_terms_of(terms, filename)), review_id from changed on conflict do nothing;
    return null;
  end $$`,
  `create function remove_review_terms() returns trigger language plpgsql as $$
  begin
    delete from review_terms using changed
      where review_terms.workspace_id = changed.workspace_id and review_terms.mode = changed.mode
        and review_terms.term = any (review_terms_of(changed.terms, changed.filename))
        and review_terms.review_id = changed.review_id;
    return null;
  end $$`,
  `create trigger add_review_terms after insert on reviews
    referencing new table as changed for each statement execute function add_review_terms()`,
  `create trigger remove_review_terms after delete on reviews
    referencing old table as changed for each statement execute function remove_review_terms()`,
  `insert into review_terms
    select workspace_id, mode, unnest(review_terms_of(terms, filename)), review_id from reviews on conflict do nothing`,
  `drop index reviews_by_words`,
];
