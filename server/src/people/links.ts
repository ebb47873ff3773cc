import type { Kysely, Selectable } from "kysely";
import type { LinkKind, Role } from "../db/people-tables.ts";
import type { Tables } from "../db/tables.ts";
import { uuidv7 } from "../db/uuid.ts";
import { Failure } from "../failure.ts";
import { hashToken, newToken } from "./token.ts";

export type Link = Selectable<Tables["oneTimeLinks"]>;

const lifetimeMs: Record<Exclude<LinkKind, "setup">, number> = {
  invitation: 7 * 24 * 60 * 60 * 1000,
  reset: 24 * 60 * 60 * 1000,
};

/** A link that works once. The token is in this answer and nowhere else. */
export async function createLink(
  trx: Kysely<Tables>,
  options: {
    kind: Exclude<LinkKind, "setup">;
    workspaceId?: string;
    personId?: string;
    email?: string;
    role?: Role;
    markets?: string[] | null;
    createdBy: string | null;
    now: Date;
  },
): Promise<{ link: Link; token: string }> {
  const { kind, now } = options;
  const { token, tokenHash } = newToken();
  const link = await trx
    .insertInto("oneTimeLinks")
    .values({
      linkId: uuidv7(now.getTime()),
      kind,
      tokenHash,
      workspaceId: options.workspaceId ?? null,
      personId: options.personId ?? null,
      email: options.email ?? null,
      role: options.role ?? null,
      markets: options.markets ?? null,
      createdBy: options.createdBy,
      createdAt: now,
      expiresAt: new Date(now.getTime() + lifetimeMs[kind]),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { link, token };
}

/** Uses the link up, in the transaction of what it is for: of two at once one wins. */
export async function takeLink(
  trx: Kysely<Tables>,
  options: { kind: LinkKind; now: Date } & ({ token: string } | { tokenHash: Buffer }),
): Promise<Link> {
  const { kind, now } = options;
  const link = await trx
    .updateTable("oneTimeLinks")
    .set({ usedAt: now })
    .where("kind", "=", kind)
    .where("tokenHash", "=", "token" in options ? hashToken(options.token) : options.tokenHash)
    .where("usedAt", "is", null)
    .where((where) => where.or([where("expiresAt", "is", null), where("expiresAt", ">", now)]))
    .returningAll()
    .executeTakeFirst();
  if (!link)
    throw new Failure(
      "link_not_valid",
      "This link is not valid: it was used, has expired, was withdrawn or is incomplete. Ask for a new one.",
    );
  return link;
}

/** What a link leads to. The token stands behind the #, which no browser sends: no log and no referrer has it. */
export function linkUrl(publicUrl: string, kind: LinkKind, token: string): string {
  return `${publicUrl}/console#${kind}=${token}`;
}
