import { hostname } from "node:os";
import { type FilmPlan, partFormatVersion } from "@greenlit/engine/evidence/parts/film-part.ts";
import type { FilmStep } from "@greenlit/engine/film-steps.ts";
import { type RawBuilder, sql } from "kysely";
import type { App } from "../app.ts";
import { storeEvidence } from "../evidence/store-evidence.ts";
import { carryOutRemovals, planRemovals } from "../uploads/removals.ts";

type PartStep = Extract<FilmStep, { kind: "part" }>;

type Film = { assetId: string; workspaceId: string };

/** One part that this process gathers, until it says nothing for `leaseSeconds`; then another takes it. */
export type ClaimedPart = Film & {
  partIndex: number;
  step: PartStep;
  run: number;
  contentType: string;
  media: { reference: string; etag: string };
};

/** For operators who want to know who works on what. */
const worker = `${hostname()}:${process.pid}`;
const leaseSeconds = 20;
export const heartbeatMs = 5000;

/** Writes down which parts there are. Those that are kept from an earlier worker stay, if they were asked for the same. */
export async function planFilmParts(app: App, film: Film, { parts, needs }: FilmPlan): Promise<void> {
  const steps = parts.map((part): PartStep => ({ kind: "part", part, needs: needs.toSorted() }));
  await removeParts(
    app,
    sql`
    with planned as (
      select (n - 1)::int as part_index, step from jsonb_array_elements(${JSON.stringify(steps)}::jsonb)
        with ordinality as listed (step, n)
    ) delete from film_parts using (
        select film_parts.asset_id, film_parts.part_index from film_parts left join planned using (part_index)
          where asset_id = ${film.assetId} and planned.step is distinct from film_parts.step) other
      where film_parts.asset_id = other.asset_id and film_parts.part_index = other.part_index
      returning object_key`,
  );
  await sql`
    insert into film_parts (asset_id, workspace_id, part_index, step, state, due_at)
      select ${film.assetId}, ${film.workspaceId}, n - 1, step, 'waiting', now()
        from jsonb_array_elements(${JSON.stringify(steps)}::jsonb) with ordinality as listed (step, n)
      on conflict do nothing`.execute(app.db);
}

/**
 * The first part that nobody has, of this film or of any. Who only helps gets none that a worker has failed with: the one
 * that has the film's job must meet that error, because only it may end the asset with it.
 */
export async function claimFilmPart(
  { db }: App,
  { film, isHelp }: { film?: Film; isHelp: boolean },
): Promise<ClaimedPart | undefined> {
  const ofFilm = film === undefined ? sql`true` : sql`asset_id = ${film.assetId}`;
  const untried = isHelp ? sql`failures = 0` : sql`true`;
  const { rows } = await sql<Omit<ClaimedPart, "media"> & ClaimedPart["media"]>`
    with claimed as (
      update film_parts set state = 'working', run = run + 1, worker = ${worker}, progress_percent = 0,
          due_at = now() + ${leaseSeconds} * interval '1 second'
        where (asset_id, part_index) = (
          select asset_id, part_index from film_parts
            where state <> 'done' and due_at <= now() and ${ofFilm} and ${untried}
              and (step -> 'part' ->> 'version')::int = ${partFormatVersion}
            order by due_at, part_index limit 1 for update skip locked)
        returning asset_id, workspace_id, part_index, step, run)
    select claimed.*, content_type, reference, media.etag
      from claimed join assets using (asset_id) join media using (media_id)`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { reference, etag, ...part } = row;
  return { ...part, media: { reference, etag } };
}

/** Says that the work goes on. False: it is somebody else's now, or the asset is gone. */
export async function holdFilmPart({ db }: App, part: ClaimedPart, progressPercent: number): Promise<boolean> {
  const { rows } = await sql`
    update film_parts set due_at = now() + ${leaseSeconds} * interval '1 second', progress_percent = ${progressPercent}
      where ${isHeld(part)} returning asset_id`.execute(db);
  return rows.length > 0;
}

/** Hands it back at once. */
export async function releaseFilmPart({ db }: App, part: ClaimedPart, { isFailure = false } = {}): Promise<void> {
  await sql`
    update film_parts set state = 'waiting', due_at = now(), progress_percent = 0, failures = failures + ${isFailure ? 1 : 0}
      where ${isHeld(part)}`.execute(db);
}

/** Keeps what was gathered. What came too late, because another worker has the part, is thrown away. */
export async function keepFilmPart(app: App, part: ClaimedPart, bytes: Buffer): Promise<void> {
  const { workspaceId, assetId } = part;
  const stored = await storeEvidence(app, { workspaceId, assetId, kind: "film-parts", bytes });
  const { rows } = await sql`
    with kept as (
      update film_parts set state = 'done', progress_percent = 100, object_key = ${stored.objectKey}, etag = ${stored.etag}
        where ${isHeld(part)} returning object_key
    ), called_off as (
      delete from removals using kept where removals.object_key = kept.object_key
    ) select object_key from kept`.execute(app.db);
  if (rows.length === 0) await stored.discard();
}

type FilmProgress = { isDone: boolean; fraction: number };

export async function filmProgress({ db }: App, { assetId }: Film): Promise<FilmProgress> {
  const { rows } = await sql<{ isDone: boolean | null; percent: number | null }>`
    select bool_and(state = 'done') as is_done, avg(progress_percent)::float8 as percent
      from film_parts where asset_id = ${assetId}`.execute(db);
  return { isDone: rows[0]?.isDone === true, fraction: (rows[0]?.percent ?? 0) / 100 };
}

export async function keptFilmParts({ db }: App, { assetId }: Film): Promise<{ objectKey: string; etag: string }[]> {
  const { rows } = await sql<{ objectKey: string; etag: string }>`
    select object_key, etag from film_parts where asset_id = ${assetId} and state = 'done' order by part_index`.execute(
    db,
  );
  return rows;
}

/** When a film is done, or has failed, nobody needs its parts. */
export async function sweepFilmParts(app: App): Promise<void> {
  await removeParts(
    app,
    sql`
    delete from film_parts using assets
      where film_parts.asset_id = assets.asset_id and assets.status in ('complete', 'failed')
      returning object_key`,
  );
}

function isHeld({ assetId, partIndex, run }: ClaimedPart) {
  return sql`asset_id = ${assetId} and part_index = ${partIndex} and run = ${run} and state = 'working'`;
}

/** Rows and the plan to remove their bytes go in one transaction: after a crash between them nobody would know the bytes. */
async function removeParts(app: App, deletion: RawBuilder<{ objectKey: string | null }>): Promise<void> {
  const planned = await app.db.transaction().execute(async (trx) => {
    const { rows } = await deletion.execute(trx);
    const removals = rows.flatMap(({ objectKey }) =>
      objectKey === null ? [] : [{ kind: "object" as const, objectKey }],
    );
    return planRemovals(trx, { removals, now: app.now() });
  });
  await carryOutRemovals(app, planned);
}
