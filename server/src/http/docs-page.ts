import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { OpenApiDocument } from "./docs/openapi-document.ts";
import { renderPage } from "./docs/page.ts";
import { prefix } from "./route.ts";

const securityPolicy =
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type File = { type: string; tag: string; bytes: Buffer; zipped: Buffer };

/**
 * The reference of the API for people: the document as a page of our own files, nothing from elsewhere. Not Redoc or
 * Scalar: 327 kB and 1.3 MB of gzipped script against 4 kB of style and script here, and nothing to read without it.
 */
export function serveDocs(server: FastifyInstance, describe: () => object): void {
  const style = serveAsset(server, readAsset("docs.css", "text/css; charset=utf-8"));
  const script = serveAsset(server, readAsset("docs.js", "text/javascript; charset=utf-8"));
  const icon = serveAsset(server, readAsset("icon.svg", "image/svg+xml"));
  const links = { style, script, icon, document: prefix.slice(1) + "/openapi.json" };

  let page: File | undefined;
  server.get("/docs", async (request, reply) => {
    page ??= file(renderPage(describe() as OpenApiDocument, links), "text/html; charset=utf-8");
    return answerFile(page, { request, reply, caching: "no-cache" });
  });
  // Relative, so that it holds beneath a path of a proxy too.
  server.get("/docs/", async (_request, reply) => reply.redirect("../docs", 308));
}

type Asset = File & { name: string };

function readAsset(name: string, type: string): Asset {
  return { name, ...file(readFileSync(new URL(`./docs/${name}`, import.meta.url), "utf8"), type) };
}

/** The address changes with the content, so browsers may keep it for ever. */
function serveAsset(server: FastifyInstance, asset: Asset): string {
  const name = asset.name.replace(".", `.${asset.tag}.`);
  server.get(`/docs/${name}`, async (request, reply) =>
    answerFile(asset, { request, reply, caching: "public, max-age=31536000, immutable" }),
  );
  return `docs/${name}`;
}

function file(text: string, type: string): File {
  const bytes = Buffer.from(text);
  const tag = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  return { type, tag, bytes, zipped: gzipSync(bytes, { level: 9 }) };
}

function answerFile(
  { type, tag, bytes, zipped }: File,
  { request, reply, caching }: { request: FastifyRequest; reply: FastifyReply; caching: string },
): FastifyReply {
  const etag = `W/"${tag}"`;
  const isZipped = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  void reply.headers({
    "content-security-policy": securityPolicy,
    "cache-control": caching,
    // The CORS hook may have set one already.
    vary: [reply.getHeader("vary") ?? [], "Accept-Encoding"].flat().join(", "),
    etag,
  });
  if (request.headers["if-none-match"] === etag) return reply.code(304).send();
  if (isZipped) void reply.header("content-encoding", "gzip");
  return reply.type(type).send(isZipped ? zipped : bytes);
}
