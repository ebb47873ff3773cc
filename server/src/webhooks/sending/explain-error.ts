import { RefusedTarget } from "./guarded-connector.ts";

/** What went wrong before there was an answer, in the words of the delivery history. */
export function explainError(error: unknown, hostname: string): string {
  for (const cause of causesOf(error)) {
    if (cause instanceof RefusedTarget) return cause.message;
    const words = cause.name === "HTTPParserError" ? notHttp : wordsOf(codeOf(cause), hostname);
    if (words !== undefined) return words;
  }
  return `the request failed (${codeOf(error) || "for a reason unknown"})`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** With several addresses tried, each has an error of its own and the first says most. */
function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    yield cause;
    if (cause instanceof AggregateError) yield* cause.errors.filter((inner) => inner instanceof Error);
  }
}

function wordsOf(code: string, hostname: string): string | undefined {
  const words = wordsByCode[code];
  if (words !== undefined) return words;
  if (noAddressCodes.has(code)) return `no address found for ${hostname}`;
  if (dnsTroubleCodes.has(code)) return `the name servers of ${hostname} did not answer`;
  if (code.startsWith("ERR_SSL_") || code === "EPROTO") return "the TLS handshake failed";
  if (code.startsWith("CERT_") || code.startsWith("ERR_TLS_CERT_")) return `certificate not valid (${code})`;
  return undefined;
}

const notHttp = "the answer is not valid HTTP";
const closed = "the connection was closed before the answer was complete";
const unknownIssuer = "certificate not issued by a known authority";

const wordsByCode: Record<string, string> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
  EADDRNOTAVAIL: "host unreachable",
  ETIMEDOUT: "the connection could not be made in time",
  UND_ERR_CONNECT_TIMEOUT: "the connection could not be made in time",
  UND_ERR_HEADERS_OVERFLOW: "the headers of the answer are too large",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closed,
  CERT_HAS_EXPIRED: "certificate expired",
  CERT_NOT_YET_VALID: "certificate not valid yet",
  CERT_REVOKED: "certificate revoked",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate made for another name",
};

const noAddressCodes = new Set(["ENOTFOUND", "ENODATA", "EAI_NONAME", "EBADNAME", "ENONAME"]);
const dnsTroubleCodes = new Set([
  "ESERVFAIL",
  "EREFUSED",
  "ETIMEOUT",
  "ECANCELLED",
  "EFORMERR",
  "EBADRESP",
  "EAI_AGAIN",
]);
