import { sql, type Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";

export type UsageWeek = {
  week: string;
  assets: number;
  failed: number;
  sizeBytes: number;
  minutes: number;
  credits: number;
};

const changesAtOnce = 10_000;
const maxBatches = 100;

/** The last weeks of a workspace in live mode, the oldest first. Weeks begin on Monday, UTC. */
export async function readUsageWeeks(
  db: Kysely<Tables>,
  { workspaceId, weeks, now }: { workspaceId: string; weeks: number; now: Date },
): Promise<UsageWeek[]> {
  const { rows } = await sql<UsageWeek>`
    with shown as (
      select monday::date as week from generate_series(
        date_trunc('week', ${now}::timestamptz at time zone 'UTC') - make_interval(weeks => ${weeks - 1}),
        date_trunc('week', ${now}::timestamptz at time zone 'UTC'), interval '1 week') monday
    ), counted as (
      select week, assets, failed, size_bytes, seconds, credits from usage_weeks where workspace_id = ${workspaceId}
      union all
      select week, assets, failed, size_bytes, seconds, credits from usage_changes where workspace_id = ${workspaceId}
    )
    select to_char(week, 'YYYY-MM-DD') as week, coalesce(sum(assets), 0)::int as assets,
        coalesce(sum(failed), 0)::int as failed, coalesce(sum(size_bytes), 0)::float8 as "sizeBytes",
        round(coalesce(sum(seconds) / 60, 0)::numeric, 1)::float8 as minutes,
        greatest(coalesce(sum(credits), 0), 0)::int as credits
      from shown left join counted using (week) group by week order by week`.execute(db);
  return rows;
}

/** Adds the changes since the last time to their weeks, so that a read meets only those of the last minute. */
export async function foldUsage(db: Kysely<Tables>): Promise<void> {
  for (let batch = 0; batch < maxBatches; batch++) {
    const { rows } = await sql<{ taken: number }>`
      with taken as (
        delete from usage_changes
          where change_id in (select change_id from usage_changes order by change_id limit ${changesAtOnce})
          returning *
      ), folded as (
        insert into usage_weeks (workspace_id, week, assets, failed, size_bytes, seconds, credits)
          select workspace_id, week, sum(assets), sum(failed), sum(size_bytes), sum(seconds), sum(credits)
            -- One that was deleted meanwhile has no usage.
            from taken join workspaces using (workspace_id) group by 1, 2
          on conflict (workspace_id, week) do update set assets = usage_weeks.assets + excluded.assets,
            failed = usage_weeks.failed + excluded.failed, size_bytes = usage_weeks.size_bytes + excluded.size_bytes,
            seconds = usage_weeks.seconds + excluded.seconds, credits = usage_weeks.credits + excluded.credits
      )
      select count(*)::int as taken from taken`.execute(db);
    if ((rows[0]?.taken ?? 0) < changesAtOnce) return;
  }
}
