import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { Failure } from "../failure.ts";

/**
 * A page of another site can have a browser send our cookie along. What changes something is refused unless the browser
 * says that our own page sent it.
 */
export function refuseCrossSite(app: App, request: FastifyRequest, options: { mayBeSilent: boolean }): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const { "sec-fetch-site": site, origin } = request.headers;
  // Programs without a browser send neither; they have no cookie that somebody else could misuse.
  if (site === undefined && origin === undefined && options.mayBeSilent) return;
  const isOurs = site === undefined ? origin === new URL(app.publicUrl()).origin : site === "same-origin";
  if (!isOurs)
    throw new Failure(
      "cross_site_request",
      "A request with a session must come from this service's own pages (Sec-Fetch-Site: same-origin, or its Origin). Programs use an API key.",
    );
}
