import { createHmac, randomBytes } from "node:crypto";

/** Standard Webhooks: `whsec_` and the base64 of the key. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** The headers a receiver verifies by; one signature for each secret, the newest first. */
export function signatureHeaders(message: {
  eventId: string;
  sentAt: Date;
  body: string;
  secrets: readonly string[];
}): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000));
  const signed = `${message.eventId}.${timestamp}.${message.body}`;
  const signatures = message.secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  });
  return {
    "webhook-id": message.eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
