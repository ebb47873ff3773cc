import { WebhookVerificationError } from "./errors.ts";
import type {
  AssetProcessingCompleted,
  AssetProcessingFailed,
  AssetRejudged,
  AssetReviewDecided,
  CertificateIssued,
  CertificateRevoked,
} from "./generated.ts";

/** An event that proved genuine; `type` tells which. */
export type WebhookEvent =
  | AssetProcessingCompleted
  | AssetProcessingFailed
  | AssetReviewDecided
  | AssetRejudged
  | CertificateIssued
  | CertificateRevoked;

export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

export type UnwrapOptions = {
  /** The body exactly as it was received. Parsed and printed again, it no longer fits its signature. */
  body: string | Uint8Array;
  headers: WebhookHeaders;
  /** `whsec_…`; several while a rotation lasts. */
  secret: string | readonly string[];
  /** How old, or how far ahead, the timestamp may be. Default: 300. */
  toleranceSeconds?: number;
  now?: Date;
};

/** Verifies a delivery by Standard Webhooks 1.0 and gives its event; throws when it is not genuine. */
export async function unwrapWebhook(options: UnwrapOptions): Promise<WebhookEvent> {
  const { body, toleranceSeconds = 300, now = new Date() } = options;
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = headerOf(options.headers, name);
    if (!value) throw new WebhookVerificationError(`The header ${name} is missing.`);
    return value;
  }) as [string, string, string];
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookVerificationError("webhook-timestamp is not a number.");
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(age) > toleranceSeconds)
    throw new WebhookVerificationError(
      `The webhook was sent ${Math.abs(age)} s ${age > 0 ? "ago" : "ahead of this clock"}: a replay, or a wrong clock.`,
    );

  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const given = signatures.split(" ").flatMap((entry) => {
    const [version, signature = ""] = entry.split(",");
    const decoded = version === "v1" ? fromBase64(signature) : null;
    // One signature has one spelling: base64 that only decodes to it is not it.
    return decoded === null || btoa(String.fromCharCode(...decoded)) !== signature ? [] : [decoded];
  });
  for (const secret of [options.secret].flat()) {
    const key = await importSecret(secret);
    for (const signature of given)
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) return parse(new TextDecoder().decode(bytes));
  }
  throw new WebhookVerificationError("No signature fits. Is it the secret of this subscription, and the raw body?");
}

function parse(text: string): WebhookEvent {
  try {
    return JSON.parse(text) as WebhookEvent;
  } catch (error) {
    throw new WebhookVerificationError("The body is signed, but it is not JSON.", { cause: error });
  }
}

async function importSecret(secret: string) {
  const key = fromBase64(secret.replace(/^whsec_/, ""));
  if (key === null || key.length === 0)
    throw new WebhookVerificationError("The secret is not whsec_ and base64, as the subscription showed it.");
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return Array.isArray(value) ? value.join(" ") : value;
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === "function";
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
