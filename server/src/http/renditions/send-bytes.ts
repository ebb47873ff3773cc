import type { TSchema } from "typebox";
import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import type { ShownBytes } from "../../renditions/find-rendition.ts";
import { parseRange } from "./byte-range.ts";

const openBytes = 8 * 1024 * 1024;

/** The headers of every byte of a foreign file: show it as what we say it is, and run nothing. */
const safely = {
  "content-disposition": "inline",
  "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  // Asked for again each time, so that nothing is shown from a cache when the session is over.
  "cache-control": "private, no-cache",
};

export const bytesResponses = (contentType: string, json?: { stored: TSchema; example: unknown }) =>
  ({
    200: { description: "All of it. `ETag` identifies it.", contentType, ...json },
    206: {
      description: "The part that `Range` asks for; an open end is answered in parts of 8 MiB.",
      contentType,
      ...(json && { example: JSON.stringify(json.example).slice(0, 10) }),
    },
    304: { description: "What `If-None-Match` names.", schema: null },
    416: { description: "`Range` begins beyond the end; `Content-Range` has the size.", schema: null },
  }) as const;

/** Answers with the bytes, or with the part or the confirmation that the request asks for. */
export async function sendBytes(app: App, { bytes, request }: { bytes: ShownBytes; request: FastifyRequest }) {
  const { key, sizeBytes, contentType } = bytes;
  const etag = `"${bytes.tag}"`;
  const headers = { ...safely, etag, "accept-ranges": "bytes" };
  if (namesEtag(request.headers["if-none-match"], etag)) return { status: 304 as const, headers };
  const ifRange = request.headers["if-range"];
  const wanted = ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
  const range = parseRange(wanted, { sizeBytes, openBytes });
  if (range === "unsatisfiable")
    return { status: 416 as const, headers: { ...headers, "content-range": `bytes */${sizeBytes}` } };
  const stream = await app.store.open(key, { etag: bytes.etag, ...range });
  const length = range === null ? sizeBytes : range.end - range.start + 1;
  const described = { ...headers, "content-type": contentType, "content-length": String(length) };
  if (range === null) return { status: 200 as const, headers: described, stream };
  const contentRange = `bytes ${range.start}-${range.end}/${sizeBytes}`;
  return { status: 206 as const, headers: { ...described, "content-range": contentRange }, stream };
}

function namesEtag(header: string | undefined, etag: string): boolean {
  const known = header?.split(",").map((value) => value.trim().replace(/^W\//, ""));
  return known?.some((value) => value === etag || value === "*") ?? false;
}
