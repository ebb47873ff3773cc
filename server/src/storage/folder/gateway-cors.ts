import type { IncomingHttpHeaders } from "node:http";
import { type Answer, refusal } from "./gateway-operations.ts";

const exposed = [
  "etag",
  "last-modified",
  "content-md5",
  "content-range",
  "content-disposition",
  "x-ms-request-id",
  "x-ms-client-request-id",
  "x-ms-version",
  "x-ms-error-code",
  "x-ms-request-server-encrypted",
  "x-ms-blob-content-length",
  "x-ms-blob-type",
].join(", ");

/** What lets a page of an allowed origin read the answer; nothing for other pages. */
export function corsHeaders(headers: IncomingHttpHeaders, allowedOrigins: string[]): Record<string, string> {
  const origin = allowedOrigin(headers, allowedOrigins);
  return origin === null
    ? {}
    : {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": exposed,
        ...(origin === "*" ? {} : { vary: "origin" }),
      };
}

/** The answer to a browser that asks before it sends: needs no signature, since browsers ask without the query's secrets in mind. */
export function preflight(headers: IncomingHttpHeaders, allowedOrigins: string[]): Answer {
  if (headers.origin === undefined)
    return refusal(400, "MissingRequiredHeader", "A preflight request has the header Origin.");
  if (allowedOrigin(headers, allowedOrigins) === null)
    return refusal(403, "CorsPreflightFailure", "Pages of this origin may not upload here.");
  const asked = headers["access-control-request-headers"];
  return {
    status: 200,
    headers: {
      "access-control-allow-methods": "GET, HEAD, PUT, OPTIONS",
      ...(asked === undefined ? {} : { "access-control-allow-headers": asked }),
      "access-control-max-age": "3600",
      vary: "origin, access-control-request-headers",
    },
  };
}

function allowedOrigin({ origin }: IncomingHttpHeaders, allowedOrigins: string[]): string | null {
  if (origin === undefined) return null;
  if (allowedOrigins.includes("*")) return "*";
  return allowedOrigins.includes(origin) ? origin : null;
}
