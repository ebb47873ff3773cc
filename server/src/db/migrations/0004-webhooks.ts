import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The text is what is signed and sent, the same in every attempt; jsonb would reorder and respace it.
  `alter table events alter column body type json using body::json`,
  // Set: a test that only this subscription gets, and that no recovery delivers again.
  `alter table events add column test_subscription_id uuid`,

  `alter table deliveries add column attempts jsonb not null default '[]'`,
  `alter table deliveries add column schedule_start integer not null default 0`,

  // By subscription first: one with 100,000 due deliveries must not stand in front of the others.
  `drop index deliveries_due`,
  `create index deliveries_waiting on deliveries (subscription_id, next_attempt_at) where next_attempt_at is not null`,
  // Failures are what people look for; those that succeed never enter it.
  `create index deliveries_unsuccessful on deliveries (subscription_id, delivery_id desc) where status in ('failed', 'exhausted')`,
];
