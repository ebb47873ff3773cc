import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table workspaces add column markets text[]`,
  // No reference: who made a key stays true when the person is gone.
  `alter table api_keys add column created_by uuid`,
  `update api_keys set created_by = audit_entries.actor_id::uuid from audit_entries
    where audit_entries.workspace_id = api_keys.workspace_id and action = 'key.created' and actor_kind = 'person'
      and target_id = key_id::text`,
];
