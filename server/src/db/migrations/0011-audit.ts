import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table audit_heads (
    workspace_id text primary key references workspaces on delete cascade,
    number bigint not null,
    hash bytea not null
  ) with (fillfactor = 50)`,
  `create table audit_entries (
    workspace_id text not null references workspaces on delete cascade,
    number bigint not null,
    entry_id uuid not null,
    created_at timestamptz not null,
    actor_kind text not null,
    actor_id text,
    actor_name text,
    action text not null,
    target_kind text not null,
    target_id text not null,
    detail jsonb not null,
    -- Over this entry alone, and over it and everything before it.
    content_hash bytea not null,
    hash bytea not null,
    primary key (workspace_id, number)
  )`,
  `create index audit_entries_by_target on audit_entries (workspace_id, target_id, number)`,
  `create index audit_entries_by_actor on audit_entries (workspace_id, actor_id, number)`,

  // In the transaction of the change, as late as possible: the next to append in the workspace waits for its commit.
  `create function append_audit(p_workspace text, p_entries jsonb) returns bigint language plpgsql as $$
  declare
    head_number bigint; head_hash bytea; entry jsonb;
  begin
    insert into audit_heads values (p_workspace, 0, sha256(convert_to(p_workspace, 'UTF8'))) on conflict do nothing;
    select number, hash into strict head_number, head_hash from audit_heads where workspace_id = p_workspace for update;
    for entry in select * from jsonb_array_elements(p_entries) loop
      head_number := head_number + 1;
      head_hash := sha256(head_hash || decode(entry ->> 'contentHash', 'hex'));
      insert into audit_entries values (p_workspace, head_number, (entry ->> 'entryId')::uuid,
        (entry ->> 'createdAt')::timestamptz, entry ->> 'actorKind', entry ->> 'actorId', entry ->> 'actorName',
        entry ->> 'action', entry ->> 'targetKind', entry ->> 'targetId', entry -> 'detail',
        decode(entry ->> 'contentHash', 'hex'), head_hash);
    end loop;
    update audit_heads set number = head_number, hash = head_hash where workspace_id = p_workspace;
    return head_number;
  end $$`,
];
