import type { FastifyInstance } from "fastify";
import type { App } from "../app.ts";
import { readPublicStatus } from "../certificates/public-status.ts";
import { publishedKeys } from "../certificates/signing-keys.ts";
import { serveConsole } from "./console/serve-console.ts";
import { serveDocs } from "./docs-page.ts";
import { describeApi } from "./openapi.ts";
import { prefix, type Route } from "./route.ts";

/** What needs no key: health, the API's description and its page, the console's pages. */
export function servePages(server: FastifyInstance, app: App, routes: readonly Route[]): void {
  server.get("/healthz", async () => ({ status: "ok" }));

  server.get("/readyz", async (_request, reply) => {
    const checks = await app.checkReadiness();
    const isReady = Object.values(checks).every((state) => state === "ok");
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ok" : "unavailable", checks });
  });

  // For programs that verify a certificate without this service.
  server.get("/.well-known/greenlit-keys.json", async (_request, reply) =>
    reply.header("cache-control", "public, max-age=300").send(await publishedKeys(app.db)),
  );

  // Where the code on a printed certificate leads.
  server.get<{ Params: { certificateId: string } }>("/certificates/:certificateId/status", async (request, reply) =>
    reply.header("cache-control", "no-store").send(await readPublicStatus(app, request.params.certificateId)),
  );

  let document: string | undefined;
  server.get(`${prefix}/openapi.json`, async (_request, reply) => {
    document ??= JSON.stringify(describeApi(routes, app.publicUrl()));
    return reply.header("content-type", "application/json; charset=utf-8").send(document);
  });
  serveDocs(server, () => describeApi(routes, app.publicUrl()));
  serveConsole(server, app);
}
