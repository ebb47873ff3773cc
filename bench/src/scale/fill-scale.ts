import { analysisQueues } from "@greenlit/server/queue/queues.ts";
import { say } from "../report.ts";
import { connect } from "../scratch.ts";

/** A submission that went through the whole service; all others are its copies under other ids. */
export type Template = { workspaceId: string; submissionId: string; assetId: string };

type Client = Awaited<ReturnType<typeof connect>>;

const rowsAtOnce = 250_000;
const clients = 2;
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
  review_terms: "review_id in (select review_id from reviews where asset_id = $2)",
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
  // Those that were taken are looked at once, and then never again.
  check_at: "null",
};

/** Some still wait. */
const differingStatus: Record<string, string> = {
  status: `case when n % ${waitsEach} = 0 then 'submitted' else t.status end`,
  completed_at: `case when n % ${waitsEach} = 0 then null else t.completed_at end`,
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

/**
 * Copies `from` to `to`, made inside the database, which is faster than sending them to it. Indexes and references come
 * back at the end: kept up row by row they take most of the time.
 */
export async function fillScale(
  databaseUrl: string,
  options: { template: Template; from: number; to: number },
): Promise<void> {
  const { template, from, to } = options;
  const names = Object.keys(tables);
  await using client = await connect(databaseUrl);
  await client.query("set statement_timeout = 0");
  for (const table of names) {
    await client.query(`create table ${originalOf(table)} as select * from ${table} where false`);
    await client.query(
      `insert into ${originalOf(table)} select * from ${table}
        where ${tables[table]} and $1::uuid is not null and $2::uuid is not null`,
      [template.submissionId, template.assetId],
    );
    await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
    await client.query(`alter table ${table} disable trigger user`);
  }
  const { references, indexes } = await dropAround(client, names);

  const chunks: { first: number; last: number; table: string }[] = [];
  for (let first = from; first <= to; first += rowsAtOnce)
    for (const table of [...names, "pgboss.job"])
      chunks.push({ first, last: Math.min(to, first + rowsAtOnce - 1), table });
  await atOnce(databaseUrl, chunks, async (each, { first, last, table }) => {
    if (table === "pgboss.job") await each.query(waiting, [first, last, template.workspaceId]);
    else await each.query(await copyOf(each, table), [first, last]);
    if (table === "pgboss.job") say(`${last} submissions`);
  });

  say(`making ${indexes.length} indexes`);
  await atOnce(databaseUrl, indexes, async (each, index) => {
    await each.query("set maintenance_work_mem = '512MB'");
    await each.query(index);
  });
  for (const reference of references) await client.query(reference);
  for (const table of names) {
    await client.query(`drop table ${originalOf(table)}`);
    await client.query(`alter table ${table} reset (autovacuum_enabled)`);
    await client.query(`alter table ${table} enable trigger user`);
  }
  say("vacuum");
  await atOnce(databaseUrl, [...names, "pgboss.job"], (each, table) => each.query(`vacuum analyze ${table}`));
}

function originalOf(table: string): string {
  return `scale_original_${table}`;
}

async function copyOf(client: Client, table: string): Promise<string> {
  const columns = await columnsOf(client, table);
  const own = { ...differing, ...(["submissions", "assets"].includes(table) && differingStatus) };
  const values = columns.map((column) => own[column] ?? `t.${column}`);
  return `insert into ${table} (${columns.join(", ")})
    select ${values.join(", ")} from ${originalOf(table)} t, generate_series($1::bigint, $2::bigint) n`;
}

/** Takes away what is kept up with every row, and gives the statements that bring it back. */
async function dropAround(client: Client, names: readonly string[]) {
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and conrelid = any ($1::regclass[])`,
    [names],
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
      from pg_index where indrelid = any ($1::regclass[])
        and not exists (select from pg_constraint where conindid = indexrelid)`,
    [names],
  );
  for (const { table, name } of references) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return {
    // Not valid: kept for every new row, and not looked up for the copies, which are whole.
    references: references.map(({ table, name, definition }) => {
      const isMarked = definition.endsWith("NOT VALID");
      return `alter table ${table} add constraint ${name} ${definition}${isMarked ? "" : " not valid"}`;
    }),
    indexes: indexes.map(({ definition }) => definition),
  };
}

/** Each by the next client that is free. */
async function atOnce<Item>(
  databaseUrl: string,
  items: readonly Item[],
  work: (client: Client, item: Item) => Promise<unknown>,
): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: clients }, async () => {
      await using client = await connect(databaseUrl);
      await client.query("set statement_timeout = 0");
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(client, item);
    }),
  );
}

async function columnsOf(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'
      order by ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}

const waiting = `
  insert into pgboss.job (name, data, priority, start_after, created_on, keep_until, expire_seconds, deletion_seconds,
      retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds)
    select queue.name, jsonb_build_object('assetId', ${id(2)}, 'submissionId', ${id(1)}, 'workspaceId', $3::text, 'workflowId', 'wf_' || n),
        -n, now(), now(), now() + interval '30 days', queue.expire_seconds, queue.deletion_seconds,
        queue.retry_limit, queue.retry_delay, queue.retry_backoff, queue.retry_delay_max, queue.policy, queue.dead_letter,
        queue.heartbeat_seconds
      from pgboss.queue cross join generate_series($1::bigint, $2::bigint) n
      where queue.name = '${analysisQueues.small}' and n % ${waitsEach} = 0`;
