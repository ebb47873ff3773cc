import { Type } from "typebox";
import type { App } from "../../app.ts";
import { setUpFirstAdmin } from "../../people/first-admin.ts";
import { acceptInvitation as accept } from "../../people/invitations.ts";
import { resetPassword as reset } from "../../people/passwords.ts";
import { signIn as signInWithPassword, throttleSignIn } from "../../people/sign-in.ts";
import { Failure } from "../../failure.ts";
import { defineRoute } from "../route.ts";
import { Body, Maybe, Nullable } from "../schemas.ts";
import { browserOf, sessionCookie } from "./cookie.ts";
import { describeMe } from "./describe-me.ts";
import { callerOf } from "./session-caller.ts";
import { Email, LinkToken, Me, meExample, NewPassword, PersonName } from "./schemas.ts";

/** The cookie of a new session, and who it belongs to. */
async function welcome(app: App, { token }: { token: string }) {
  const session = await app.sessions.find(token);
  if (!session) throw new Failure("sign_in_failed", "This account cannot sign in. Ask an admin.");
  return {
    headers: { "set-cookie": sessionCookie(app, token) },
    body: describeMe(session, session.memberships.length > 0 ? callerOf(session, {}) : undefined),
  };
}

const signedIn = { description: "Signed in; the cookie is set.", schema: Me, example: meExample };

export const readSignInOptions = defineRoute({
  method: "GET",
  path: "/session/options",
  bucket: "console",
  role: "public",
  operationId: "readSignInOptions",
  tag: "People",
  summary: "Read how people can sign in here",
  description: "For a sign-in page.",
  responses: {
    200: {
      description: "The ways to sign in.",
      schema: Type.Object(
        {
          passwords: Type.Boolean(),
          oidc: Nullable(
            Type.Object({
              name: Type.String(),
              url: Type.String({ description: "Send the browser there." }),
            }),
          ),
        },
        { title: "SignInOptions" },
      ),
      example: { passwords: true, oidc: null },
    },
  },
  failures: [],
  async handler({ app }) {
    const { passwords, oidcIssuer, oidcName } = app.config;
    const oidc = oidcIssuer === undefined ? null : { name: oidcName, url: "/api/integrations/session/oidc" };
    return { status: 200, body: { passwords, oidc } };
  },
});

export const signIn = defineRoute({
  method: "POST",
  path: "/session",
  bucket: "console",
  role: "public",
  operationId: "signIn",
  tag: "People",
  summary: "Sign in with a password",
  description:
    "Sets the session cookie. Attempts are limited per account and per address; an unknown account and a wrong password get the same answer.",
  body: Body({ email: Email, password: Type.String({ minLength: 1, maxLength: 1000 }) }, { title: "SignIn" }),
  bodyExample: { email: "ana@example.com", password: "correct horse battery staple" },
  responses: { 200: signedIn },
  failures: ["sign_in_failed", "passwords_off"],
  async handler({ app, body, request }) {
    const session = await signInWithPassword(app, { ...body, browser: browserOf(request) });
    return { status: 200, ...(await welcome(app, session)) };
  },
});

export const setUp = defineRoute({
  method: "POST",
  path: "/setup",
  bucket: "console",
  role: "public",
  operationId: "setUp",
  tag: "People",
  summary: "Make the first admin",
  description:
    "With the token of the link that the service prints at its start until it is used. The first admin is an admin of every workspace there is.",
  body: Body({ token: LinkToken, email: Email, name: PersonName, password: Maybe(NewPassword) }, { title: "Setup" }),
  bodyExample: { token: "kq3…", email: "ana@example.com", name: "Ana Lima", password: "correct horse battery staple" },
  responses: { 201: signedIn },
  failures: ["link_not_valid", "person_exists"],
  async handler({ app, body, request }) {
    const browser = browserOf(request);
    await throttleSignIn(app, { by: "link", address: browser.address });
    const session = await setUpFirstAdmin(app, { ...body, password: body.password ?? undefined, browser });
    return { status: 201, ...(await welcome(app, session)) };
  },
});

export const acceptInvitation = defineRoute({
  method: "POST",
  path: "/invitations/accept",
  bucket: "console",
  role: "public",
  operationId: "acceptInvitation",
  tag: "People",
  summary: "Join a workspace by an invitation",
  description:
    "A new account needs `name` and `password`. Somebody who has an account sends its password, or is signed in.",
  body: Body(
    { token: LinkToken, name: Maybe(PersonName), password: Maybe(NewPassword) },
    { title: "InvitationAcceptance" },
  ),
  bodyExample: { token: "kq3…", name: "Ana Lima", password: "correct horse battery staple" },
  responses: { 200: signedIn },
  failures: ["link_not_valid", "sign_in_failed", "passwords_off", "person_exists"],
  async handler({ app, body, request, session }) {
    const browser = browserOf(request);
    // With a password it is also a guess at that of a known account.
    await throttleSignIn(app, { by: body.password ? "password" : "link", address: browser.address });
    const { token, name, password } = body;
    const started = await accept(app, {
      token,
      name: name ?? undefined,
      password: password ?? undefined,
      session,
      browser,
    });
    return { status: 200, ...(await welcome(app, started)) };
  },
});

export const resetPassword = defineRoute({
  method: "POST",
  path: "/password-reset",
  bucket: "console",
  role: "public",
  operationId: "resetPassword",
  tag: "People",
  summary: "Set a new password by a reset link",
  description: "The link works once. All sessions of the account end: sign in with the new password.",
  body: Body({ token: LinkToken, password: NewPassword }, { title: "PasswordReset" }),
  bodyExample: { token: "kq3…", password: "correct horse battery staple" },
  responses: { 204: { description: "Set.", schema: null } },
  failures: ["link_not_valid", "passwords_off"],
  async handler({ app, body, request }) {
    await reset(app, { ...body, address: request.ip });
    return { status: 204 };
  },
});
