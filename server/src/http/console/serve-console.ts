import { createReadStream, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { Failure } from "../../failure.ts";
import { readCookie } from "../people/cookie.ts";
import { consolePage } from "./console-page.ts";

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** A short film whose small print is too small: it shows findings that every reader understands. */
const samplePath = new URL("../../../../engine/golden/files/supers-prices.mp4", import.meta.url);
const icon = readFileSync(new URL("../docs/icon.svg", import.meta.url));

/** The console for people, at `/console`, where `/` leads. Its pages need no session: what they show does. */
export function serveConsole(server: FastifyInstance, app: App): void {
  const zipped = new Map<string, Buffer>();
  const answerPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const build = await app.console();
    const hasSession = readCookie(app, request) !== undefined;
    void reply.headers({
      "content-security-policy": await securityPolicy(app),
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-cache",
    });
    return reply.type("text/html; charset=utf-8").send(consolePage(build, { base: basePath(app), hasSession }));
  };
  server.get("/", async (_request, reply) => reply.redirect(`${basePath(app)}/console`, 302));
  server.get("/console", answerPage);
  server.get("/console/*", answerPage);
  server.get("/console/icon.svg", async (_request, reply) =>
    reply.header("cache-control", "public, max-age=86400").type("image/svg+xml").send(icon),
  );
  server.get("/console/sample", async (_request, reply) => reply.type("video/mp4").send(createReadStream(samplePath)));
  server.get<{ Params: { name: string } }>("/console/files/:name", async (request, reply) => {
    const { name } = request.params;
    const bytes = (await app.console()).files.get(name);
    if (!bytes) throw new Failure("not_found", "There is no such file. Load the page again.");
    void reply.headers({
      "cache-control": "public, max-age=31536000, immutable",
      vary: [reply.getHeader("vary") ?? [], "Accept-Encoding"].flat().join(", "),
    });
    void reply.type(types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream");
    if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) return reply.send(bytes);
    const small = zipped.get(name) ?? gzipSync(bytes, { level: 9 });
    zipped.set(name, small);
    return reply.header("content-encoding", "gzip").send(small);
  });
}

/** Beneath a path of a proxy the console is there too. */
function basePath(app: App): string {
  return new URL(app.publicUrl()).pathname.replace(/\/$/, "");
}

/** Nothing from elsewhere, and nothing inline. Large uploads go to the store, which has an origin of its own. */
async function securityPolicy(app: App): Promise<string> {
  const store = await storeOrigin(app);
  return [
    "default-src 'self'",
    "img-src 'self' blob:",
    `media-src 'self' ${store}`,
    `connect-src 'self' ${store}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const origins = new WeakMap<App, string>();

/** Every store signs addresses of one origin; which, only it knows. */
async function storeOrigin(app: App): Promise<string> {
  const known = origins.get(app);
  if (known !== undefined) return known;
  const expiresAt = new Date(app.now().getTime() + 1000);
  const url = await app.store.signPut("origin", { expiresAt, maxBytes: 1, contentType: "text/plain" });
  const { origin } = new URL(url);
  origins.set(app, origin);
  return origin;
}
