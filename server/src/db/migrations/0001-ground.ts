import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table workspaces (
      workspace_id text primary key,
      name text not null unique,
      plan text not null,
      credit_balance bigint check (credit_balance >= 0),
      created_at timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table api_keys (
      key_id uuid primary key,
      workspace_id text not null references workspaces on delete cascade,
      mode text not null check (mode in ('live', 'sandbox')),
      name text,
      key_hash bytea not null unique,
      key_hint text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      revoked_at timestamptz,
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index api_keys_by_workspace on api_keys (workspace_id)`.execute(db);

  await sql`
    create table credit_ledger (
      entry_id uuid primary key,
      workspace_id text not null references workspaces on delete cascade,
      kind text not null,
      amount bigint not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index credit_ledger_by_workspace on credit_ledger (workspace_id, entry_id)`.execute(db);

  // What every process of one deployment must agree on, such as the fingerprint of the secret key.
  await sql`create table deployment (name text primary key, value text not null)`.execute(db);

  // Unlogged: a crash of the database forgets a minute of counting, and no request waits for a disk.
  await sql`
    create unlogged table rate_slots (
      key_id uuid not null,
      bucket text not null,
      slot bigint not null,
      hits integer not null,
      primary key (key_id, bucket, slot)
    ) with (fillfactor = 50)`.execute(db);

  await sql.raw(takeRates).execute(db);
}

/**
 * Grants as many of the wanted requests as the last 60 seconds leave, for many keys and buckets at once.
 * Hits are counted in slots of 100 ms that leave the window as a whole, so the limit is never exceeded in any
 * 60 seconds and room comes back at most 100 ms late. Callers pass their pairs sorted: two batches that lock in
 * different orders would deadlock.
 */
const takeRates = `
  create function take_rates(
    p_keys uuid[], p_buckets text[], p_wanted integer[], p_limits integer[], p_now timestamptz
  ) returns table (granted integer, wait_ms integer) language plpgsql as $$
  declare
    now_ms bigint; first_slot bigint; used bigint;
  begin
    for i in 1 .. cardinality(p_keys) loop
      perform pg_advisory_xact_lock(hashtextextended(p_keys[i]::text || p_buckets[i], 7));
      now_ms := floor(extract(epoch from coalesce(p_now, clock_timestamp())) * 1000);
      first_slot := (now_ms - 60000) / 100;

      select coalesce(sum(hits), 0) into used from rate_slots
        where key_id = p_keys[i] and bucket = p_buckets[i] and slot >= first_slot;
      granted := least(p_wanted[i], greatest(p_limits[i] - used, 0));
      wait_ms := 0;

      if granted > 0 then
        insert into rate_slots values (p_keys[i], p_buckets[i], now_ms / 100, granted)
          on conflict (key_id, bucket, slot) do update set hits = rate_slots.hits + excluded.hits;
        if now_ms / 100 % 10 = 0 then
          delete from rate_slots where key_id = p_keys[i] and bucket = p_buckets[i] and slot < first_slot;
        end if;
      end if;

      if granted < p_wanted[i] then
        select (min(slot) + 1) * 100 + 60000 - now_ms into wait_ms from (
          select slot, sum(hits) over (order by slot) as freed from rate_slots
            where key_id = p_keys[i] and bucket = p_buckets[i] and slot >= first_slot
        ) slots where used + granted - freed < p_limits[i];
      end if;
      return next;
    end loop;
  end $$`;
