import { sql } from "kysely";
import { Type } from "typebox";
import { defineRoute } from "../route.ts";

const weeks = 12;

const Week = Type.Object(
  {
    week: Type.String({ description: "Its Monday, like `2026-11-09`." }),
    assets: Type.Integer({ description: "Analysed to their end." }),
    failed: Type.Integer(),
    sizeBytes: Type.Number({ description: "Of all of them." }),
    minutes: Type.Number({ description: "Of film and sound, where renditions are made; one decimal." }),
    credits: Type.Integer({ description: "Taken. 0 where the workspace is not metered." }),
  },
  { title: "UsageWeek" },
);

type WeekRow = {
  week: string;
  assets: number;
  failed: number;
  sizeBytes: number;
  minutes: number;
  credits: number;
};

export const readUsage = defineRoute({
  method: "GET",
  path: "/usage",
  bucket: "console",
  role: "viewer",
  auth: "person",
  tag: "People",
  operationId: "readUsage",
  summary: "Read what was analysed, week by week",
  description: "The last twelve weeks of the workspace in live mode, the oldest first. Weeks begin on Monday, UTC.",
  responses: {
    200: {
      description: "The weeks.",
      schema: Type.Object({ data: Type.Array(Week) }, { title: "Usage" }),
      example: {
        data: [{ week: "2026-11-09", assets: 42, failed: 1, sizeBytes: 1_234_567_890, minutes: 38.5, credits: 61 }],
      },
    },
  },
  failures: [],
  async handler({ app, caller }) {
    const { workspaceId } = caller;
    const { rows } = await sql<WeekRow>`
      with weeks as (
        select generate_series(
          date_trunc('week', ${app.now()}::timestamptz at time zone 'UTC') - make_interval(weeks => ${weeks - 1}),
          date_trunc('week', ${app.now()}::timestamptz at time zone 'UTC'), interval '1 week') as monday
      ), analysed as (
        select date_trunc('week', assets.completed_at at time zone 'UTC') as monday,
            count(*) filter (where assets.status = 'complete') as assets,
            count(*) filter (where assets.status = 'failed') as failed, sum(assets.size_bytes) as size, sum(duration_seconds) / 60 as minutes
          from assets join submissions using (submission_id) left join rendering using (asset_id)
          where assets.workspace_id = ${workspaceId} and submissions.mode = 'live' and assets.completed_at is not null
          group by 1
      ), paid as (
        select date_trunc('week', created_at at time zone 'UTC') as monday,
            -sum(amount) filter (where kind in ('hold', 'release')) as credits
          from credit_ledger where workspace_id = ${workspaceId} group by 1
      )
      select to_char(monday, 'YYYY-MM-DD') as week, coalesce(assets, 0)::int as assets, coalesce(failed, 0)::int as failed,
          coalesce(size, 0)::float8 as "sizeBytes",
          round(coalesce(minutes, 0)::numeric, 1)::float8 as minutes, greatest(coalesce(credits, 0), 0)::int as credits
        from weeks left join analysed using (monday) left join paid using (monday) order by monday`.execute(app.db);
    return { status: 200, body: { data: rows } };
  },
});
