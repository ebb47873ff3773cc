import type { FastifyInstance } from "fastify";

/** Lets pages of these origins call the API. A preflight is answered before the gates: browsers send it without the key. */
export function allowCors(server: FastifyInstance, origins: readonly string[]): void {
  server.addHook("onRequest", async (request, reply) => {
    const origin = request.headers.origin;
    void reply.header("vary", "Origin");
    if (origin === undefined || !(origins.includes("*") || origins.includes(origin))) return;
    void reply.headers({
      "access-control-allow-origin": origins.includes("*") ? "*" : origin,
      "access-control-expose-headers": "X-Request-Id, Retry-After, Idempotent-Replayed",
    });
    if (request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined)
      await reply
        .code(204)
        .headers({
          "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE",
          "access-control-allow-headers": "X-API-Key, Content-Type, Idempotency-Key, Last-Event-ID",
          "access-control-max-age": "600",
        })
        .send();
  });
}
