import { sql, type Kysely } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(countRates).execute(db);
  await sql.raw(checkAt).execute(db);
}

/** The default is for processes of an older release; all earlier uploads are looked at once more. */
const checkAt = `alter table uploads add column check_at timestamptz default now() + interval '1 hour'`;

/**
 * As `take_rates`, which processes of an older release still call. Besides what is wanted it counts what was granted
 * before (`p_granted`), and it tells what is used. A count that a crash of the database loses is worth no sync.
 */
const countRates = `
  create function count_rates(
    p_keys uuid[], p_buckets text[], p_granted integer[], p_wanted integer[], p_limits integer[], p_now timestamptz
  ) returns table (granted integer, wait_ms integer, used integer) language plpgsql as $$
  declare
    now_ms bigint; first_slot bigint;
  begin
    perform set_config('synchronous_commit', 'off', true);
    for i in 1 .. cardinality(p_keys) loop
      perform pg_advisory_xact_lock(hashtextextended(p_keys[i]::text || p_buckets[i], 7));
      now_ms := floor(extract(epoch from coalesce(p_now, clock_timestamp())) * 1000);
      first_slot := (now_ms - 60000) / 100;

      select coalesce(sum(hits), 0) + p_granted[i] into used from rate_slots
        where key_id = p_keys[i] and bucket = p_buckets[i] and slot >= first_slot;
      granted := least(p_wanted[i], greatest(p_limits[i] - used, 0));
      used := used + granted;
      wait_ms := 0;

      if granted + p_granted[i] > 0 then
        insert into rate_slots values (p_keys[i], p_buckets[i], now_ms / 100, granted + p_granted[i])
          on conflict (key_id, bucket, slot) do update set hits = rate_slots.hits + excluded.hits;
        if now_ms / 100 % 10 = 0 then
          delete from rate_slots where key_id = p_keys[i] and bucket = p_buckets[i] and slot < first_slot;
        end if;
      end if;

      if granted < p_wanted[i] then
        select (min(slot) + 1) * 100 + 60000 - now_ms into wait_ms from (
          select slot, sum(hits) over (order by slot) as freed from rate_slots
            where key_id = p_keys[i] and bucket = p_buckets[i] and slot >= first_slot
        ) slots where count_rates.used - freed < p_limits[i];
      end if;
      return next;
    end loop;
  end $$`;
