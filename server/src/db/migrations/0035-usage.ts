import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const weekOf = (time: string) => `date_trunc('week', ${time} at time zone 'UTC')::date`;

/** What was analysed in live mode, by the week it ended in. */
const analysed = (condition: string) => `
  select assets.workspace_id, ${weekOf("assets.completed_at")},
      count(*) filter (where assets.status = 'complete'), count(*) filter (where assets.status = 'failed'),
      coalesce(sum(assets.size_bytes), 0), coalesce(sum(duration_seconds), 0)
    from assets join submissions using (submission_id) left join rendering using (asset_id)
    where submissions.mode = 'live' and ${condition} group by 1, 2`;

const shownSince = "now() - interval '13 weeks'";
/** The first id of a day ago: whoever ended since this transaction began was made after it. */
const dayAgoId = `(lpad(to_hex((extract(epoch from now() - interval '1 day') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

const statements = [
  `create table usage_weeks (
    workspace_id text not null references workspaces on delete cascade,
    week date not null,
    assets bigint not null default 0,
    failed bigint not null default 0,
    size_bytes numeric not null default 0,
    seconds double precision not null default 0,
    credits bigint not null default 0,
    primary key (workspace_id, week)
  )`,
  // What is to be added to them. One row a change, because all analyses of a workspace would wait for the row of a
  // week; without a reference, which would lock the workspace's.
  `create table usage_changes (
    change_id bigint generated always as identity primary key,
    workspace_id text not null,
    week date not null,
    assets integer not null default 0,
    failed integer not null default 0,
    size_bytes bigint not null default 0,
    seconds double precision not null default 0,
    credits bigint not null default 0
  )`,
  `create index usage_changes_by_workspace on usage_changes (workspace_id)`,

  // The long part, before anybody has to wait for the triggers.
  `insert into usage_weeks (workspace_id, week, assets, failed, size_bytes, seconds)
    ${analysed(`assets.completed_at >= ${shownSince} and assets.completed_at < now()`)}`,
  `insert into usage_changes (workspace_id, week, credits)
    select workspace_id, ${weekOf("created_at")}, -sum(amount) from credit_ledger
      where kind in ('hold', 'release') and created_at >= ${shownSince} group by 1, 2`,

  // By triggers: assets end by several ways, and in processes of an older release too.
  `create function count_analysed_asset() returns trigger language plpgsql as $$
  declare
    is_live boolean := (select mode = 'live' from submissions where submission_id = new.submission_id);
  begin
    if is_live and old.status in ('complete', 'failed') and old.completed_at is not null then
      insert into usage_changes (workspace_id, week, assets, failed, size_bytes)
        values (old.workspace_id, ${weekOf("old.completed_at")}, -(old.status = 'complete')::integer,
          -(old.status = 'failed')::integer, -coalesce(old.size_bytes, 0));
    end if;
    if is_live and new.status in ('complete', 'failed') and new.completed_at is not null then
      insert into usage_changes (workspace_id, week, assets, failed, size_bytes)
        values (new.workspace_id, ${weekOf("new.completed_at")}, (new.status = 'complete')::integer,
          (new.status = 'failed')::integer, coalesce(new.size_bytes, 0));
    end if;
    return null;
  end $$`,
  `create function count_rendered_seconds() returns trigger language plpgsql as $$
  begin
    insert into usage_changes (workspace_id, week, seconds)
      select assets.workspace_id, ${weekOf("assets.completed_at")},
          coalesce(new.duration_seconds, 0) - coalesce(old.duration_seconds, 0)
        from assets join submissions using (submission_id)
        where asset_id = new.asset_id and mode = 'live' and assets.completed_at is not null;
    return null;
  end $$`,
  `create function count_credits() returns trigger language plpgsql as $$
  begin
    insert into usage_changes (workspace_id, week, credits)
      values (new.workspace_id, ${weekOf("new.created_at")}, -new.amount);
    return null;
  end $$`,
  `create trigger count_analysed_asset after update of status on assets for each row
    when (old.status <> new.status and (old.status in ('complete', 'failed') or new.status in ('complete', 'failed')))
    execute function count_analysed_asset()`,
  `create trigger count_rendered_seconds after update of duration_seconds on rendering for each row
    when (old.duration_seconds is distinct from new.duration_seconds) execute function count_rendered_seconds()`,
  `create trigger count_credits after insert on credit_ledger for each row
    when (new.kind in ('hold', 'release')) execute function count_credits()`,
  `insert into usage_changes (workspace_id, week, assets, failed, size_bytes, seconds)
    ${analysed(`assets.completed_at >= now() and assets.asset_id >= ${dayAgoId}`)}`,
];
