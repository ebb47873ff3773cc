import { randomBytes } from "node:crypto";
import type { Role } from "../db/people-tables.ts";
import { insertPerson } from "../people/person.ts";
import { startSession } from "../people/sessions.ts";
import type { Answer, TestService } from "./test-service.ts";

type CallOptions = { headers?: Record<string, string>; body?: unknown; origin?: "same" | "cross" | "none" };

/** Somebody who is signed in, as a browser would call for them. */
export type TestPerson = {
  personId: string;
  email: string;
  cookie: string;
  /** Calls below `/api/integrations`, from a page of the service by default. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
};

/** Makes an account with these roles, and signs it in. */
export async function givenPerson(
  service: TestService,
  options: {
    roles: { workspaceId: string; role: Role; markets?: string[] }[];
    passwordHash?: string;
  },
): Promise<TestPerson> {
  const { db, now } = service.app;
  const email = `p${randomBytes(6).toString("hex")}@example.com`;
  const { token, personId } = await db.transaction().execute(async (trx) => {
    const name = `Person ${email.slice(0, 5)}`;
    const person = await insertPerson(trx, { email, name, passwordHash: options.passwordHash ?? null, now: now() });
    for (const { workspaceId, role, markets } of options.roles)
      await trx
        .insertInto("memberships")
        .values({ personId: person.personId, workspaceId, role, markets: markets ?? null, createdAt: now() })
        .execute();
    const browser = { userAgent: "test", address: "127.0.0.1" };
    return { ...(await startSession(trx, { personId: person.personId, browser, now: now() })), ...person };
  });
  return { personId, email, ...browserWith(service, `greenlit=${token}`) };
}

/** A browser that has this cookie. */
export function browserWith(service: TestService, cookie: string): Pick<TestPerson, "cookie" | "call"> {
  return {
    cookie,
    call: (method, path, { headers = {}, body, origin = "same" } = {}) =>
      service.fetch(`/api/integrations${path}`, {
        method,
        headers: {
          cookie,
          ...(origin !== "none" && { "sec-fetch-site": origin === "same" ? "same-origin" : "cross-site" }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
  };
}

/** The cookie that an answer sets. */
export function cookieOf({ headers }: Answer): string {
  return headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
