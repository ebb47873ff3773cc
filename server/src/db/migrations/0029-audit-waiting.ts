import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Entries of changes that must not wait for each other. They are written with their change and chained soon after.
  `create table audit_waiting (
    workspace_id text not null references workspaces on delete cascade,
    waiting_id bigint generated always as identity,
    entry jsonb not null,
    primary key (workspace_id, waiting_id)
  )`,

  // What waits comes first, so that a change never stands before the one that it followed.
  `create or replace function append_audit(p_workspace text, p_entries jsonb) returns bigint language plpgsql as $$
  declare
    head_number bigint; head_hash bytea; waiting jsonb; entry jsonb;
  begin
    insert into audit_heads values (p_workspace, 0, sha256(convert_to(p_workspace, 'UTF8'))) on conflict do nothing;
    select number, hash into strict head_number, head_hash from audit_heads where workspace_id = p_workspace for update;
    with taken as (
      delete from audit_waiting where workspace_id = p_workspace returning *
    ) select coalesce(jsonb_agg(taken.entry order by waiting_id), '[]') into waiting from taken;
    for entry in select * from jsonb_array_elements(waiting || p_entries) loop
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
