import type { FailureDetail } from "../failure.ts";
import type { Vault } from "../secret-key.ts";

const maxHeaders = 20;
const maxBytes = 4096;

/** Those that we set, and those that belong to the connection. */
const reserved = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "expect",
  "forwarded",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
  "via",
]);

/** What is wrong with a customer's own headers, one detail each. */
export function checkHeaders(headers: Record<string, string>): FailureDetail[] {
  const entries = Object.entries(headers);
  const details = entries.flatMap(([name, value]) =>
    problemsOf(name, value).map((message) => ({ path: `headers.${name}`, message })),
  );
  const names = entries.map(([name]) => name.toLowerCase());
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) details.push({ path: `headers.${repeated}`, message: "is there twice" });
  if (entries.length > maxHeaders) details.push({ path: "headers", message: `must be at most ${maxHeaders}` });
  if (entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > maxBytes)
    details.push({ path: "headers", message: "must be at most 4 KiB together" });
  return details;
}

function problemsOf(name: string, value: string): string[] {
  const lower = name.toLowerCase();
  if (!/^[!#$%&'*+\-.^_`|~0-9a-z]{1,128}$/.test(lower)) return ["is not a valid header name"];
  if (reserved.has(lower) || lower.startsWith("webhook-")) return ["is set by the service and cannot be given"];
  return /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(value)
    ? []
    : ["must be printable ASCII without spaces at its ends"];
}

/** The values may be credentials of the receiver: at rest they are encrypted. */
export function sealHeaders(vault: Vault, headers: Record<string, string>): string {
  return JSON.stringify(mapValues(headers, (value) => vault.encrypt(value).toString("base64")));
}

export function openHeaders(vault: Vault, sealed: Record<string, unknown>): Record<string, string> {
  return mapValues(sealed, (value) => vault.decrypt(Buffer.from(String(value), "base64")));
}

/** For answers: a key of the workspace must not reveal the receiver's credentials. */
export function maskHeaders(headers: Record<string, string>): Record<string, string> {
  return mapValues(headers, (value, name) => (/auth|cookie|key|pass|secret|signature|token/i.test(name) ? "…" : value));
}

function mapValues<T>(record: Record<string, T>, change: (value: T, name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}
