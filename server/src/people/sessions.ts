import type { Kysely } from "kysely";
import type { Role } from "../db/people-tables.ts";
import { runPrepared } from "../db/prepared.ts";
import type { Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { createFreshCache } from "../fresh-cache.ts";
import { hashToken, newToken } from "./token.ts";

export type Membership = {
  workspaceId: string;
  workspaceName: string;
  plan: string;
  role: Role;
  markets: string[] | null;
};

export type Session = {
  sessionId: string;
  personId: string;
  email: string;
  name: string;
  /** The workspace of requests that name none. */
  workspaceId: string | null;
  mustRotate: boolean;
  lastSeenAt: Date;
  memberships: Membership[];
};

export type Sessions = {
  find(token: string): Promise<Session | undefined>;
  findById(sessionId: string): Promise<Session | undefined>;
  /** This process looks again at once; the others do within two seconds. */
  forget(): void;
};

/** A change of role, a sign-out and a disabled person are seen within this time. */
const freshMs = 2000;
const idleMs = 12 * 60 * 60 * 1000;
const lifetimeMs = 30 * 24 * 60 * 60 * 1000;
/** Requests that were sent before the browser had the new cookie. */
const rotationGraceMs = 30_000;

/** Looks sessions up by the hash of their token, and remembers them for two seconds. */
export function createSessions({ db, now }: { db: Kysely<Tables>; now: () => Date }): Sessions {
  async function read(by: { tokenHash: Buffer } | { sessionId: string }): Promise<Session | undefined> {
    const at = now();
    const [found] = await runPrepared<Session>(db, "tokenHash" in by ? byToken : byId, [
      "tokenHash" in by ? by.tokenHash : by.sessionId,
      at,
      new Date(at.getTime() - idleMs),
    ]);
    // A write a minute and session, not one a request.
    if (found && at.getTime() - found.lastSeenAt.getTime() > 60_000)
      await db
        .updateTable("sessions")
        .set({ lastSeenAt: at })
        .where("sessionId", "=", found.sessionId)
        .where("lastSeenAt", "<", at)
        .execute();
    return found;
  }

  const cache = createFreshCache({ freshMs, read });
  return {
    async find(token) {
      if (!/^[\w-]{43}$/.test(token)) return undefined;
      const tokenHash = hashToken(token);
      return cache.get(tokenHash.toString("base64"), { tokenHash });
    },
    findById: (sessionId) => cache.get(sessionId, { sessionId }),
    forget: () => cache.clear(),
  };
}

const select = (condition: string) => `
  select s.session_id, s.person_id, p.email, p.name, s.workspace_id, s.must_rotate, s.last_seen_at,
    (select coalesce(jsonb_agg(jsonb_build_object('workspaceId', m.workspace_id, 'workspaceName', w.name,
        'plan', w.plan, 'role', m.role, 'markets', m.markets) order by w.created_at, w.workspace_id), '[]')
      from memberships m join workspaces w using (workspace_id) where m.person_id = s.person_id) as memberships
  from sessions s join people p using (person_id)
  where ${condition} and p.disabled_at is null and s.expires_at > $2 and s.last_seen_at > $3`;

const byToken = select("(s.token_hash = $1 or (s.previous_token_hash = $1 and s.previous_valid_until > $2))");
const byId = select("s.session_id = $1");

export type Browser = { userAgent: string | undefined; address: string };

/** Every sign-in makes a new session: a token that somebody planted before it is worth nothing. */
export async function startSession(
  trx: Kysely<Tables>,
  options: { personId: string; workspaceId?: string | null; browser: Browser; now: Date },
): Promise<{ token: string; sessionId: string }> {
  const { personId, workspaceId = null, browser, now } = options;
  const { token, tokenHash } = newToken();
  const sessionId = uuidv7(now.getTime());
  await trx
    .insertInto("sessions")
    .values({
      sessionId,
      personId,
      tokenHash,
      workspaceId,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + lifetimeMs),
      userAgent: browser.userAgent?.slice(0, 300) ?? null,
      address: browser.address,
    })
    .execute();
  return { token, sessionId };
}

/** A new token for a session whose person got another role; undefined when another request was faster. */
export async function rotateSession(
  db: Kysely<Tables>,
  { sessionId, now }: { sessionId: string; now: Date },
): Promise<string | undefined> {
  const { token, tokenHash } = newToken();
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set((where) => ({
      previousTokenHash: where.ref("tokenHash"),
      previousValidUntil: new Date(now.getTime() + rotationGraceMs),
      tokenHash,
      mustRotate: false,
    }))
    .where("sessionId", "=", sessionId)
    .where("mustRotate", "=", true)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n ? token : undefined;
}

export async function endSessions(
  db: Kysely<Tables>,
  options: { personId: string; sessionId?: string; exceptSessionId?: string },
): Promise<number> {
  const { personId, sessionId, exceptSessionId } = options;
  const { numDeletedRows } = await db
    .deleteFrom("sessions")
    .where("personId", "=", personId)
    .$if(sessionId !== undefined, (query) => query.where("sessionId", "=", sessionId ?? ""))
    .$if(exceptSessionId !== undefined, (query) => query.where("sessionId", "!=", exceptSessionId ?? ""))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Sessions nobody can use any more. */
export async function sweepSessions(db: Kysely<Tables>, now: Date): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where((where) =>
      where.or([where("expiresAt", "<", now), where("lastSeenAt", "<", new Date(now.getTime() - idleMs))]),
    )
    .execute();
  await db.deleteFrom("signInAttempts").where("expiresAt", "<", now).execute();
}
