import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import type { Browser } from "../../people/sessions.ts";

/** Browsers keep a `__Host-` cookie only over https; a service on this machine alone may do without. */
function isPlainLoopback(app: App): boolean {
  const { protocol, hostname } = new URL(app.publicUrl());
  return protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

export function cookieName(app: App): string {
  return isPlainLoopback(app) ? "greenlit" : "__Host-greenlit";
}

/** The token of the request's session cookie; undefined when there is none. */
export function readCookie(app: App, request: FastifyRequest, name = cookieName(app)): string | undefined {
  const header = request.headers.cookie;
  if (header === undefined) return undefined;
  const start = `${name}=`;
  const found = header.split(";").find((part) => part.trim().startsWith(start));
  return found?.trim().slice(start.length) || undefined;
}

export function sessionCookie(app: App, token: string): string {
  return setCookie(app, { name: cookieName(app), value: token, maxAgeSeconds: 30 * 24 * 60 * 60 });
}

export function endedCookie(app: App): string {
  return setCookie(app, { name: cookieName(app), value: "", maxAgeSeconds: 0 });
}

export function setCookie(app: App, options: { name: string; value: string; maxAgeSeconds: number }): string {
  const secure = isPlainLoopback(app) ? "" : "; Secure";
  return `${options.name}=${options.value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${options.maxAgeSeconds}${secure}`;
}

export function browserOf(request: FastifyRequest): Browser {
  return { userAgent: request.headers["user-agent"], address: request.ip };
}
