import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import type { Database } from "@greenlit/server/db/database.ts";
import { isKnownMigration, migrationNames } from "@greenlit/server/db/migrate.ts";
import type { Check, Finding } from "./doctor-check.ts";

const maxSkewSeconds = 5;
const maxWaitMinutes = 15;
const maxHosts = 10;
const connectMs = 5000;

/** What only the database knows: its own state, and that of the work in it. */
export async function examineDatabase(pool: Database["pool"]): Promise<Check[]> {
  const migrations = await checkMigrations(pool);
  const clock = { name: "clock", ...(await checkClock(pool)) };
  if (migrations === undefined)
    return [{ name: "migrations", status: "ok", message: "none yet; the first start makes the tables" }, clock];
  return [
    { name: "migrations", ...migrations },
    clock,
    { name: "queue", ...(await checkQueue(pool)) },
    { name: "stuck assets", ...(await checkStuckAssets(pool)) },
    { name: "removals", ...(await checkRemovals(pool)) },
    { name: "webhook egress", ...(await checkEgress(pool)) },
  ];
}

/** Undefined where nothing was ever made. */
async function checkMigrations(pool: Database["pool"]): Promise<Finding | undefined> {
  if (!(await hasTable(pool, "kysely_migration"))) return undefined;
  const { rows } = await pool.query<{ name: string }>("select name from kysely_migration");
  const done = new Set(rows.map(({ name }) => name));
  const newer = [...done].filter((name) => !isKnownMigration(name));
  if (newer.length > 0)
    return {
      status: "warning",
      message: `the database is of a newer release (${newer.join(", ")}). Upgrade this one.`,
    };
  const pending = migrationNames.filter((name) => !done.has(name));
  if (pending.length > 0)
    return { status: "warning", message: `${pending.join(", ")} to come; the next start brings them in` };
  return { status: "ok", message: `all ${done.size} are in` };
}

/** Upload addresses, sessions and webhook signatures are only valid for a time. */
async function checkClock(pool: Database["pool"]): Promise<Finding> {
  const before = Date.now();
  const { rows } = await pool.query<{ ms: number }>(
    "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
  );
  const skewSeconds = Math.abs((rows[0]?.ms ?? 0) - (before + Date.now()) / 2) / 1000;
  const message = `${skewSeconds.toFixed(1)} s from the database's`;
  if (skewSeconds <= maxSkewSeconds) return { status: "ok", message };
  return { status: "warning", message: `${message}. Set both by NTP: what expires would do so too early or too late.` };
}

async function checkQueue(pool: Database["pool"]): Promise<Finding> {
  if (!(await hasTable(pool, "pgboss.job"))) return { status: "ok", message: "not made yet" };
  const { rows } = await pool.query<{ waiting: number; active: number; minutes: number | null }>(`
    select count(*) filter (where state < 'active' and start_after <= now())::int as waiting,
      count(*) filter (where state = 'active')::int as active,
      (extract(epoch from now() - min(greatest(created_on, start_after)) filter (where state < 'active' and start_after <= now())) / 60)::float8 as minutes
    from pgboss.job where state < 'completed' and name <> 'housekeeping'`);
  const { waiting = 0, active = 0, minutes = null } = rows[0] ?? {};
  const message = `${waiting} waiting, ${active} running`;
  if (minutes === null || minutes < maxWaitMinutes) return { status: "ok", message };
  const advice = active === 0 ? "No worker takes them: start one (greenlit serve --role worker)." : "Add workers.";
  return { status: "warning", message: `${message}; the oldest waits for ${Math.round(minutes)} minutes. ${advice}` };
}

async function checkStuckAssets(pool: Database["pool"]): Promise<Finding> {
  const { rows } = await pool.query<{ assetId: string; total: number }>(`
    select asset_id as "assetId", count(*) over ()::int as total
    from assets join submissions using (submission_id)
    where assets.completed_at is null and assets.status in ('submitted', 'processing') and mode = 'live'
      and created_at < now() - interval '10 minutes'
      and not exists (select from pgboss.job where state < 'completed' and data ->> 'assetId' = asset_id::text)
    limit 3`);
  const total = rows[0]?.total ?? 0;
  if (total === 0) return { status: "ok", message: "none" };
  return {
    status: "warning",
    message: `${total} are unfinished and no job works on them, like ${rows.map(({ assetId }) => assetId).join(", ")}. Delete and submit them again, and report it with the log.`,
  };
}

async function checkRemovals(pool: Database["pool"]): Promise<Finding> {
  const { rows } = await pool.query<{ late: number }>(
    "select count(*)::int as late from removals where created_at < now() - interval '15 minutes'",
  );
  const late = rows[0]?.late ?? 0;
  if (late === 0) return { status: "ok", message: "no bytes wait to be removed" };
  return {
    status: "warning",
    message: `${late} objects should be gone from the store and are not. See the log for what the store says, and that a worker runs.`,
  };
}

/** Whether this machine reaches the hosts that webhooks go to; run it where workers run. */
async function checkEgress(pool: Database["pool"]): Promise<Finding> {
  const { rows } = await pool.query<{ url: string }>(
    "select distinct on (substring(url from '^[a-z]+://[^/?#]+')) url from webhook_subscriptions where is_active limit $1",
    [maxHosts],
  );
  if (rows.length === 0) return { status: "ok", message: "no active subscription" };
  const tried = await Promise.all(
    rows.map(async ({ url }) => ({ host: new URL(url).host, why: await whyUnreached(url) })),
  );
  const failed = tried.filter(({ why }) => why !== undefined);
  if (failed.length === 0) return { status: "ok", message: `${tried.length} of ${tried.length} hosts answer` };
  const names = failed.map(({ host, why }) => `${host} (${why})`).join(", ");
  return { status: "warning", message: `${failed.length} of ${tried.length} hosts do not answer: ${names}` };
}

async function whyUnreached(url: string): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(url);
  try {
    const { address } = await lookup(hostname.replaceAll(/[[\]]/g, ""));
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ host: address, port: Number(port) || (protocol === "http:" ? 80 : 443) });
      socket.setTimeout(connectMs, () => socket.destroy(new Error("no answer")));
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.destroy();
        resolve();
      });
    });
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : (error as Error).message;
  }
}

async function hasTable(pool: Database["pool"], name: string): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>("select to_regclass($1) is not null as found", [name]);
  return rows[0]?.found === true;
}
