import { createHmac, timingSafeEqual } from "node:crypto";
import { ProtocolError } from "./azure-protocol.ts";

/** What one signed address allows. */
export type Grant = {
  key: string;
  /** `cw` writes (and reads the block list, to resume); `r` reads. */
  permissions: "cw" | "r";
  expiresAt: Date;
  /** 0 for an address that only reads. */
  maxBytes: number;
  contentType: string;
  contentDisposition: string;
};

export type SignedRequest = { grant: Grant; query: URLSearchParams };

/** Clients take the first two path segments for the account and the container when the host is an IP address or localhost. */
const root = "/greenlit/media/";
const version = "2024-11-04";
/** Only names that Azure's signatures have: some SDKs drop all others. `si` carries the size cap. */
const signedNames = ["sv", "sr", "sp", "se", "si", "rscd", "rsct"] as const;

/** Signs an address in the form of Azure's SAS, with an HMAC of our own. */
export function signAddress(grant: Grant, options: { publicUrl: string; signingKey: Uint8Array }): string {
  const query = new Map<string, string>([
    ["sv", version],
    ["sr", "b"],
    ["sp", grant.permissions],
    ["se", new Date(Math.ceil(grant.expiresAt.getTime() / 1000) * 1000).toISOString().replace(".000Z", "Z")],
    ["si", String(grant.maxBytes)],
    ["rscd", grant.contentDisposition],
    ["rsct", grant.contentType],
  ]);
  const signature = signatureOf(options.signingKey, { path: root + grant.key, value: (name) => query.get(name) ?? "" });
  const path = root + grant.key.split("/").map(encodeURIComponent).join("/");
  const text = [...query, ["sig", signature] as const]
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${options.publicUrl.replace(/\/+$/, "")}${path}?${text.join("&")}`;
}

/** The grant of a request's address; throws the 403 that Azure answers when it is not one of ours, altered or expired. */
export function verifyAddress(
  address: string,
  options: { publicPath: string; signingKey: Uint8Array; now: Date },
): SignedRequest {
  const cut = address.indexOf("?");
  const query = new URLSearchParams(cut < 0 ? "" : address.slice(cut + 1));
  const path = withoutPrefix(decodePath(cut < 0 ? address : address.slice(0, cut)), options.publicPath);
  const isAmbiguous = [...signedNames, "sig"].some((name) => query.getAll(name).length > 1);
  const expected = signatureOf(options.signingKey, { path, value: (name) => query.get(name) ?? "" });
  // The text is compared, not the bytes it stands for: several texts in base64 stand for the same bytes.
  const isRight = isEqual(query.get("sig") ?? "", expected);
  const permissions = query.get("sp");
  if (isAmbiguous || !isRight || !path.startsWith(root) || (permissions !== "cw" && permissions !== "r"))
    throw forbidden(
      "The signature does not fit this address. Use the upload address exactly as it was issued, or ask for a new one.",
    );
  const expiresAt = new Date(query.get("se") ?? "");
  if (!(expiresAt > options.now)) throw forbidden(`The address expired at ${query.get("se")}. Ask for a new one.`);
  const grant: Grant = {
    key: path.slice(root.length),
    permissions,
    expiresAt,
    maxBytes: Number(query.get("si")),
    contentType: query.get("rsct") ?? "",
    contentDisposition: query.get("rscd") ?? "",
  };
  return { grant, query };
}

/** Over the decoded path, for clients and proxies differ in what they escape. As JSON, so that no value can reach into the next. */
function signatureOf(key: Uint8Array, request: { path: string; value: (name: string) => string }): string {
  const text = JSON.stringify(["greenlit-1", request.path, ...signedNames.map(request.value)]);
  return createHmac("sha256", key).update(text).digest("base64url");
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ProtocolError(400, "InvalidUri", "The address is not correctly percent-encoded.");
  }
}

function withoutPrefix(path: string, prefix: string): string {
  return prefix !== "/" && path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

function forbidden(message: string): ProtocolError {
  return new ProtocolError(403, "AuthenticationFailed", message);
}
