import type pg from "pg";
import type { Channel } from "./channel.ts";
import type { StoredMessage } from "./message.ts";
import type { MessageKey, Position } from "./position.ts";
import type { RealtimeEvent } from "./record-message.ts";

type Row = {
  ord: number;
  snapshot: string;
  submission_id: string | null;
  event_number: number;
  event: RealtimeEvent;
  data: Record<string, unknown>;
  created_at: Date;
  transaction_id: string;
};

const pageSize = 200;
const columns = "m.submission_id, m.event_number, m.event, m.data, m.created_at, m.transaction_id::text";

/** Where the channel is now; undefined when it does not exist in its workspace. */
export async function readPosition(pool: pg.Pool, channel: Channel): Promise<Position | undefined> {
  if (channel.kind === "workspace") {
    const { rows } = await pool.query<{ snapshot: string }>("select pg_current_snapshot()::text as snapshot");
    return rows[0]?.snapshot;
  }
  const { rows } = await pool.query<{ event_number: number }>({
    name: "realtime_position",
    text: "select event_number from submissions where submission_id = $1 and workspace_id = $2",
    values: [channel.submissionId, channel.workspaceId],
  });
  return rows[0]?.event_number.toString();
}

type Wanted = { channel: Channel; position: Position };
type News = { messages: StoredMessage[]; position: Position; hasMore: boolean };

/** What is new on each of many channels, in one query a kind: a burst on a thousand submissions is one round trip. */
export async function readNews<T extends Wanted>(pool: pg.Pool, wanted: readonly T[]): Promise<Map<T, News>> {
  const { submission = [], workspace = [] } = Object.groupBy(wanted, ({ channel }) => channel.kind);
  return new Map([
    ...(submission.length > 0 ? await readSubmissionNews(pool, submission) : []),
    ...(workspace.length > 0 ? await readWorkspaceNews(pool, workspace) : []),
  ]);
}

async function readSubmissionNews<T extends Wanted>(pool: pg.Pool, wanted: readonly T[]): Promise<[T, News][]> {
  const { rows } = await pool.query<Row>({
    name: "realtime_submission_news",
    text: `select t.ord, ${columns}
      from unnest($1::uuid[], $2::text[], $3::bigint[]) with ordinality as t (submission_id, workspace_id, position, ord)
      cross join lateral (
        select * from realtime_messages m
        where m.submission_id = t.submission_id and m.workspace_id = t.workspace_id and m.event_number > t.position
        order by m.event_number limit ${pageSize}
      ) m order by t.ord, m.event_number`,
    values: [
      wanted.map(({ channel }) => (channel.kind === "submission" ? channel.submissionId : null)),
      wanted.map(({ channel }) => channel.workspaceId),
      wanted.map(({ position }) => position),
    ],
  });
  const found = Map.groupBy(rows, ({ ord }) => ord - 1);
  return wanted.map((item, index) => {
    const messages = messagesOf(found.get(index) ?? []);
    const position = messages.at(-1)?.eventNumber.toString() ?? item.position;
    return [item, { messages, position, hasMore: messages.length === pageSize }];
  });
}

async function readWorkspaceNews<T extends Wanted>(pool: pg.Pool, wanted: readonly T[]): Promise<[T, News][]> {
  const { rows } = await pool.query<Row>({
    name: "realtime_workspace_news",
    text: `select t.ord, pg_current_snapshot()::text as snapshot, ${columns}
      from unnest($1::text[], $2::text[]) with ordinality as t (workspace_id, position, ord)
      left join lateral (
        select * from realtime_messages m
        where m.workspace_id = t.workspace_id and m.is_terminal
          and m.transaction_id >= pg_snapshot_xmin(t.position::pg_snapshot)
          and not pg_visible_in_snapshot(m.transaction_id, t.position::pg_snapshot)
      ) m on true order by t.ord, m.transaction_id, m.submission_id, m.event_number`,
    values: [wanted.map(({ channel }) => channel.workspaceId), wanted.map(({ position }) => position)],
  });
  const found = Map.groupBy(rows, ({ ord }) => ord - 1);
  return wanted.map((item, index) => {
    const group = found.get(index) ?? [];
    return [item, { messages: messagesOf(group), position: group[0]?.snapshot ?? item.position, hasMore: false }];
  });
}

/** What lies after one position, or after a key on the way, up to another, a page at a time, for a listener that catches up at its own pace. */
export async function* readBetween(
  read: (query: { name: string; text: string; values: unknown[] }) => Promise<{ rows: Row[] }>,
  channel: Channel,
  { position, upTo, after }: { position: Position; upTo: Position; after?: MessageKey | undefined },
): AsyncGenerator<StoredMessage[]> {
  for (let last = after; ;) {
    const { rows } = await read(
      channel.kind === "submission"
        ? {
            name: "realtime_submission_page",
            text: `select ${columns} from realtime_messages m
              where m.submission_id = $1 and m.workspace_id = $2 and m.event_number > $3 and m.event_number <= $4
              order by m.event_number limit ${pageSize}`,
            values: [channel.submissionId, channel.workspaceId, last?.eventNumber ?? position, upTo],
          }
        : {
            name: "realtime_workspace_page",
            text: `select ${columns} from realtime_messages m
              where m.workspace_id = $1 and m.is_terminal
                and m.transaction_id >= pg_snapshot_xmin($2::text::pg_snapshot)
                and not pg_visible_in_snapshot(m.transaction_id, $2::text::pg_snapshot)
                and pg_visible_in_snapshot(m.transaction_id, $3::text::pg_snapshot)
                and (m.transaction_id, m.submission_id, m.event_number) > ($4::text::xid8, $5::uuid, $6::bigint)
              order by m.transaction_id, m.submission_id, m.event_number limit ${pageSize}`,
            values: [
              channel.workspaceId,
              position,
              upTo,
              last?.transactionId ?? "0",
              last?.submissionId ?? "00000000-0000-0000-0000-000000000000",
              last?.eventNumber ?? 0,
            ],
          },
    );
    const messages = messagesOf(rows);
    if (messages.length > 0) yield messages;
    if (messages.length < pageSize) return;
    last = messages.at(-1);
  }
}

export type PageReader = Parameters<typeof readBetween>[0];

function messagesOf(rows: readonly Row[]): StoredMessage[] {
  return rows.flatMap((row) =>
    row.submission_id === null
      ? []
      : [
          {
            submissionId: row.submission_id,
            eventNumber: row.event_number,
            event: row.event,
            data: row.data,
            createdAt: row.created_at,
            transactionId: row.transaction_id,
          },
        ],
  );
}
