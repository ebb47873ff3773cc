import { analysisQueues } from "@greenlit/server/queue/queues.ts";
import { say } from "../report.ts";
import { connect } from "../scratch.ts";

/** A submission that went through the whole service; all others are its copies under other ids. */
export type Template = { workspaceId: string; submissionId: string; assetId: string };

const rowsAtOnce = 50_000;
/** A millisecond each, all of them within the last days. */
export const baseMs = Date.now() - 2 * 86_400_000;
/** Of ten submissions one still waits for its analysis. */
export const waitsEach = 10;

/** Which rows belong to the template, by table. An asset has at most three issues. */
const tables: Record<string, string> = {
  uploads: "upload_id in (select upload_id from media join assets using (media_id) where asset_id = $2)",
  media: "media_id in (select media_id from assets where asset_id = $2)",
  version_groups: "version_group_id in (select version_group_id from assets where asset_id = $2)",
  submissions: "submission_id = $1",
  assets: "asset_id = $2",
  asset_results: "asset_id = $2",
  issues: "asset_id = $2 and position < 3",
  reviews: "asset_id = $2",
  events: "asset_id = $2",
  deliveries: "event_id in (select event_id from events where asset_id = $2)",
  realtime_messages: "submission_id = $1",
  audit_entries: "target_id = $1::text and action = 'submission.created'",
};

/** What differs from copy to copy, in the columns of these names. The rest is the template's. */
const differing: Record<string, string> = {
  submission_id: id(1),
  asset_id: id(2),
  upload_id: id(3),
  object_key: `'copy/' || ${id(3)}`,
  media_id: id(4),
  reference: `'copy/' || ${id(4)}`,
  version_group_id: id(5),
  issue_id: id(6, "n * 4 + t.position"),
  review_id: id(7),
  event_id: id(8),
  delivery_id: id(9),
  entry_id: id(10),
  target_id: `${id(1)}::text`,
  number: "n + 1000",
  workflow_id: "'wf_' || n",
};

/** The id of the n-th copy: in the order of time, as those of the service are. */
function id(kind: number, n = "n"): string {
  return `(lpad(to_hex(${baseMs} + n), 12, '0') || '70008' || lpad(to_hex(${kind}), 3, '0') || lpad(to_hex(${n}), 12, '0'))::uuid`;
}

/** The same in JavaScript. */
export function copyId(kind: "submission" | "asset" | "issue", n: number): string {
  const [number, tail] = { submission: [1, n], asset: [2, n], issue: [6, n * 4] }[kind] as [number, number];
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
  const text = `${hex(baseMs + n, 12)}70008${hex(number, 3)}${hex(tail, 12)}`;
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}

/** Copies `from` to `to`, made inside the database, which is faster than sending them to it. */
export async function fillScale(
  databaseUrl: string,
  options: { template: Template; from: number; to: number },
): Promise<void> {
  const { template, from, to } = options;
  const { submissionId, assetId } = template;
  await using client = await connect(databaseUrl);
  await client.query("set statement_timeout = 0");
  for (let first = from; first <= to; first += rowsAtOnce) {
    const last = Math.min(to, first + rowsAtOnce - 1);
    for (const [table, condition] of Object.entries(tables)) {
      const columns = await columnsOf(client, table);
      const values = columns.map((column) => (column in differing ? differing[column] : `t.${column}`));
      await client.query(
        `insert into ${table} (${columns.join(", ")})
          select ${values.join(", ")}
            from (select t.* from ${table} t where ${condition}) t, generate_series($3::bigint, $4::bigint) n
            where $1::uuid is not null and $2::uuid is not null`,
        [submissionId, assetId, first, last],
      );
    }
    await client.query(waiting, [first, last, template.workspaceId]);
    say(`${last} submissions`);
  }
  await client.query(`vacuum analyze ${Object.keys(tables).join(", ")}, pgboss.job`);
}

async function columnsOf(client: Awaited<ReturnType<typeof connect>>, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'
      order by ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}

const waiting = `
  with waiting as (
    update submissions set status = 'submitted', completed_at = null
      from generate_series($1::bigint, $2::bigint) n where submission_id = ${id(1)} and n % ${waitsEach} = 0
  ), assets_waiting as (
    update assets set status = 'submitted', completed_at = null
      from generate_series($1::bigint, $2::bigint) n where asset_id = ${id(2)} and n % ${waitsEach} = 0
  )
  insert into pgboss.job (name, data, priority, start_after, created_on, keep_until, expire_seconds, deletion_seconds,
      retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds)
    select queue.name, jsonb_build_object('assetId', ${id(2)}, 'submissionId', ${id(1)}, 'workspaceId', $3::text, 'workflowId', 'wf_' || n),
        -n, now(), now(), now() + interval '30 days', queue.expire_seconds, queue.deletion_seconds,
        queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.retry_delay_max, queue.policy, queue.dead_letter,
        queue.heartbeat_seconds
      from pgboss.queue cross join generate_series($1::bigint, $2::bigint) n
      where queue.name = '${analysisQueues.small}' and n % ${waitsEach} = 0`;
