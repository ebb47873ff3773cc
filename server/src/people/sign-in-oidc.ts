import type { Kysely } from "kysely";
import type { App } from "../app.ts";
import type { Tables } from "../db/tables.ts";
import { Failure } from "../failure.ts";
import { joinWorkspace } from "./invitations.ts";
import type { Oidc, OidcIdentity } from "./oidc.ts";
import { findPerson, insertPerson, normalizeEmail, type Person } from "./person.ts";
import { startSession, type Browser } from "./sessions.ts";
import { throttleSignIn } from "./sign-in.ts";
import { hashToken, newToken } from "./token.ts";

const lifetimeMs = 10 * 60 * 1000;

export function requireOidc(app: App): Oidc {
  if (!app.oidc) throw new Failure("not_found", "Single sign-on is not set up here.");
  return app.oidc;
}

/** The browser gets a secret of its own: an answer that somebody else planted in it is refused. */
export async function beginOidc(
  app: App,
  { redirectUri, address }: { redirectUri: string; address: string },
): Promise<{ url: string; browserToken: string } | { failed: "provider_unavailable" }> {
  const oidc = requireOidc(app);
  await throttleSignIn(app, { by: "single sign-on", address });
  const begun = await oidc.begin(redirectUri).catch((error: unknown) => {
    app.log.error({ err: error }, "single sign-on cannot begin: the provider is away or is not the configured issuer");
  });
  if (!begun) return { failed: "provider_unavailable" };
  const { url, state, nonce, codeVerifier } = begun;
  const { token: browserToken, tokenHash: browserHash } = newToken();
  await app.db
    .insertInto("signInAttempts")
    .values({
      stateHash: hashToken(state),
      browserHash,
      nonce,
      codeVerifier: app.vault.encrypt(codeVerifier),
      expiresAt: new Date(app.now().getTime() + lifetimeMs),
    })
    .execute();
  return { url, browserToken };
}

export type OidcOutcome =
  | { token: string }
  /** For the sign-in page. */
  | { failed: "answer_not_valid" | "email_not_verified" | "not_invited" | "account_disabled" };

/** Uses the answer of the provider, once. */
export async function finishOidc(
  app: App,
  options: { answer: URL; browserToken: string | undefined; browser: Browser },
): Promise<OidcOutcome> {
  const { answer, browserToken, browser } = options;
  const oidc = requireOidc(app);
  await throttleSignIn(app, { by: "single sign-on", address: browser.address });
  const state = answer.searchParams.get("state") ?? "";
  const attempt = await app.db
    .deleteFrom("signInAttempts")
    .where("stateHash", "=", hashToken(state))
    .where("browserHash", "=", hashToken(browserToken ?? ""))
    .where("expiresAt", ">", app.now())
    .returningAll()
    .executeTakeFirst();
  if (!attempt) return { failed: "answer_not_valid" };
  let identity: OidcIdentity;
  try {
    const codeVerifier = app.vault.decrypt(attempt.codeVerifier);
    identity = await oidc.finish(answer, { state, nonce: attempt.nonce, codeVerifier });
  } catch (error) {
    app.log.warn({ err: error, address: browser.address }, "single sign-on failed");
    return { failed: "answer_not_valid" };
  }
  return app.db.transaction().execute(async (trx) => {
    const person = await findOrBind(app, trx, identity);
    if (typeof person === "string") return { failed: person };
    if (person.disabledAt !== null) return { failed: "account_disabled" };
    await acceptInvitations(app, trx, person);
    return startSession(trx, { personId: person.personId, browser, now: app.now() });
  });
}

/** By issuer and subject; the first time by an address that the provider has verified. */
async function findOrBind(
  app: App,
  trx: Kysely<Tables>,
  identity: OidcIdentity,
): Promise<Person | "email_not_verified" | "not_invited"> {
  const { issuer, subject, email } = identity;
  const bound = await trx
    .selectFrom("personIdentities")
    .innerJoin("people", "people.personId", "personIdentities.personId")
    .selectAll("people")
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  if (bound) return bound;
  if (email === undefined || !identity.isEmailVerified) return "email_not_verified";
  const now = app.now();
  const known = await findPerson(trx, email);
  if (!known && (await openInvitations(trx, { email, now })).length === 0) return "not_invited";
  const person = known ?? (await insertPerson(trx, { email, name: identity.name ?? email, passwordHash: null, now }));
  await trx
    .insertInto("personIdentities")
    .values({ issuer, subject, personId: person.personId, createdAt: now })
    .execute();
  return person;
}

/** The provider vouches for the address, so the invitations that were sent to it need no link. */
async function acceptInvitations(app: App, trx: Kysely<Tables>, person: Person): Promise<void> {
  const now = app.now();
  for (const link of await openInvitations(trx, { email: person.email, now })) {
    await trx.updateTable("oneTimeLinks").set({ usedAt: now }).where("linkId", "=", link.linkId).execute();
    await joinWorkspace(trx, { person, link, now });
  }
}

function openInvitations(trx: Kysely<Tables>, { email, now }: { email: string; now: Date }) {
  return trx
    .selectFrom("oneTimeLinks")
    .selectAll()
    .where("kind", "=", "invitation")
    .where("email", "=", normalizeEmail(email))
    .where("usedAt", "is", null)
    .where("expiresAt", ">", now)
    .orderBy("workspaceId")
    .forUpdate()
    .execute();
}
