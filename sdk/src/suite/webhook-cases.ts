import { createGreenlit, unwrapWebhook, WebhookVerificationError } from "../index.ts";
import { equal, rejection, type SuiteCase } from "./suite-case.ts";

const secret = `whsec_${btoa("a secret of at least 24 bytes")}`;
const body = JSON.stringify({ type: "asset.processing.failed", timestamp: "2026-11-15T09:30:00.000Z", data: {} });

async function sign(text: string, { secret: signing = secret, at = Date.now() } = {}): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1000));
  const bytes = (value: string) => Uint8Array.from(value, (letter) => letter.charCodeAt(0));
  const raw = bytes(atob(signing.slice("whsec_".length)));
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`msg_1.${timestamp}.${text}`));
  return {
    "Webhook-Id": "msg_1",
    "Webhook-Timestamp": timestamp,
    "Webhook-Signature": `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
}

export const webhookCases: SuiteCase[] = [
  {
    name: "a genuine webhook is unwrapped from plain headers, Headers, text, bytes, and under either secret of a rotation",
    async run() {
      const { webhooks } = createGreenlit();
      const headers = await sign(body);
      const other = `whsec_${btoa("another secret of this length")}`;

      const events = [
        await webhooks.unwrap({ body, headers, secret }),
        await webhooks.unwrap({ body: new TextEncoder().encode(body), headers: new Headers(headers), secret }),
        await webhooks.unwrap({ body, headers, secret: [other, secret] }),
      ];

      equal(new Set(events.map(({ type }) => type)).size, 1);
      const event = events[0];
      if (event?.type === "asset.processing.failed") equal(event.data.error_message, undefined);
      else throw new Error("the type does not tell the event");
    },
  },
  {
    name: "a forged, altered, old, future or unsigned webhook is refused",
    async run() {
      const headers = await sign(body);
      const signature = headers["Webhook-Signature"] ?? "";
      const attempts = [
        { body: `${body} `, headers },
        { body, headers: await sign(body, { secret: `whsec_${btoa("another secret of this length")}` }) },
        { body, headers: await sign(body, { at: Date.now() - 400_000 }) },
        { body, headers: await sign(body, { at: Date.now() + 400_000 }) },
        { body, headers: { ...headers, "Webhook-Id": "msg_2" } },
        { body, headers: { ...headers, "Webhook-Signature": signature.replace("v1,", "v2,") } },
        { body, headers: { ...headers, "Webhook-Signature": `${signature} `.replace("=", "") } },
        { body, headers: { ...headers, "Webhook-Timestamp": "soon" } },
        { body, headers: {} },
      ];

      for (const attempt of attempts) {
        const error = await rejection(unwrapWebhook({ ...attempt, secret }));
        equal(error instanceof WebhookVerificationError, true, error.message);
      }
    },
  },
];
