import { createHash } from "node:crypto";
import type { App } from "../app.ts";
import { Failure } from "../failure.ts";
import { verifyPassword } from "./password.ts";
import { findPerson, normalizeEmail } from "./person.ts";
import { startSession, type Browser } from "./sessions.ts";

/** Attempts a minute, right or wrong: guessing is hopeless at this pace. */
const perAccount = 10;
/** Each way has its own count: somebody's wrong passwords must not lock their colleagues out of single sign-on. */
const perAddress = { password: 100, link: 100, "single sign-on": 600 };

/** One answer and one duration, whether the account does not exist, is disabled or has another password. */
export async function signIn(
  app: App,
  options: { email: string; password: string; browser: Browser },
): Promise<{ token: string }> {
  const { email, password, browser } = options;
  requirePasswords(app);
  await throttleSignIn(app, { by: "password", email, address: browser.address });
  const person = await findPerson(app.db, email);
  const isRight = await verifyPassword(password, person?.disabledAt ? null : person?.passwordHash);
  if (!person || !isRight) {
    app.log.warn({ address: browser.address }, "sign-in failed");
    throw new Failure("sign_in_failed", "The e-mail address or the password is not right.");
  }
  return startSession(app.db, { personId: person.personId, browser, now: app.now() });
}

export function requirePasswords(app: App): void {
  if (!app.config.passwords)
    throw new Failure("passwords_off", "Passwords are switched off here. Sign in with your organisation's account.");
}

/** Also before a link is tried: tokens cannot be guessed, but each try costs the database a look. */
export async function throttleSignIn(
  app: App,
  { by, email, address }: { by: keyof typeof perAddress; email?: string; address: string },
): Promise<void> {
  const counted = [
    { keyId: uuidOf(`${by} ${address}`), limit: perAddress[by] },
    ...(email === undefined ? [] : [{ keyId: uuidOf(`account ${normalizeEmail(email)}`), limit: perAccount }]),
  ];
  for (const { keyId, limit } of counted) {
    const refused = await app.rateLimiter.take({ keyId, bucket: "sign_in", limit });
    if (refused)
      throw new Failure(
        "rate_limited",
        `Too many attempts to sign in. Try again in ${refused.retryAfterSeconds} s.`,
        refused,
      );
  }
}

/** The limiter counts by uuid. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
