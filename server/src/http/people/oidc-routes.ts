import { Type } from "typebox";
import type { App } from "../../app.ts";
import { beginOidc, finishOidc } from "../../people/sign-in-oidc.ts";
import { defineRoute, prefix } from "../route.ts";
import { browserOf, cookieName, readCookie, sessionCookie, setCookie } from "./cookie.ts";

const path = "/session/oidc";
const base = { method: "GET", bucket: "console", role: "public", tag: "People" } as const;

function attemptCookie(app: App): string {
  return `${cookieName(app)}-oidc`;
}

function failedUrl(app: App, reason: string): string {
  return `${app.publicUrl()}/console#sign-in-failed=${reason}`;
}

export const beginSingleSignOn = defineRoute({
  ...base,
  path,
  operationId: "beginSingleSignOn",
  summary: "Begin single sign-on",
  description:
    "Send the browser here: it goes to the provider and comes back signed in. Where the provider cannot be reached it goes to `/console#sign-in-failed=provider_unavailable`.",
  responses: { 302: { description: "To the provider.", schema: null } },
  failures: ["not_found"],
  async handler({ app, request }) {
    const redirectUri = `${app.publicUrl()}${prefix}${path}/callback`;
    const begun = await beginOidc(app, { redirectUri, address: request.ip });
    if ("failed" in begun) return { status: 302, headers: { location: failedUrl(app, begun.failed) } };
    const { url, browserToken } = begun;
    const cookie = setCookie(app, { name: attemptCookie(app), value: browserToken, maxAgeSeconds: 600 });
    return { status: 302, headers: { location: url, "set-cookie": cookie } };
  },
});

export const finishSingleSignOn = defineRoute({
  ...base,
  path: `${path}/callback`,
  operationId: "finishSingleSignOn",
  summary: "Finish single sign-on",
  description:
    "Where the provider sends the browser back to. Ends at `/console`, signed in, or with `#sign-in-failed=` and the reason: `answer_not_valid`, `email_not_verified`, `not_invited` or `account_disabled`.",
  query: Type.Object({}, { additionalProperties: true }),
  responses: { 302: { description: "To the console.", schema: null } },
  failures: ["not_found"],
  async handler({ app, request }) {
    const outcome = await finishOidc(app, {
      answer: new URL(request.url, app.publicUrl()),
      browserToken: readCookie(app, request, attemptCookie(app)),
      browser: browserOf(request),
    });
    if ("failed" in outcome) return { status: 302, headers: { location: failedUrl(app, outcome.failed) } };
    const location = `${app.publicUrl()}/console`;
    return { status: 302, headers: { location, "set-cookie": sessionCookie(app, outcome.token) } };
  },
});
