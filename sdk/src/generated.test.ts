import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { renderSdkTypes } from "../../scripts/sdk-types.ts";
import { buildDist } from "../build.ts";
import { unwrapWebhook } from "./webhooks.ts";

test("the generated types are those of the routes", () => {
  const committed = readFileSync(new URL("generated.ts", import.meta.url), "utf8");

  assert.ok(committed === renderSdkTypes(), "sdk/src/generated.ts is stale: run npm run docs");
});

test("what npm packs is built from the sources", async () => {
  for (const [name, text] of Object.entries(await buildDist()))
    assert.ok(
      text === readFileSync(new URL(`../dist/${name}`, import.meta.url), "utf8"),
      `sdk/dist/${name} is stale: run npm run docs`,
    );
});

test("unwrap accepts what standardwebhooks signs, and refuses what it refuses", async () => {
  const secret = `whsec_${Buffer.from("a secret of at least 24 bytes").toString("base64")}`;
  const webhook = new Webhook(secret);
  const body = JSON.stringify({ type: "asset.processing.completed", data: { filename: "Ümläut 🎬.mp4" } });
  const now = new Date();
  const signature = webhook.sign("msg_1", now, body);
  const headers = (changes: Record<string, string> = {}) => ({
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": signature,
    ...changes,
  });
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const timed = (seconds: number) => ({
    "webhook-timestamp": String(Math.floor(at(seconds).getTime() / 1000)),
    "webhook-signature": webhook.sign("msg_1", at(seconds), body),
  });
  const deliveries: [string, Record<string, string>][] = [
    [body, headers()],
    [body, headers({ "webhook-signature": `v1,AAAA v1a,xyz ${signature}` })],
    [body, headers(timed(-290))],
    [body, headers(timed(290))],
    [body, headers(timed(-400))],
    [body, headers(timed(400))],
    [`${body}\n`, headers()],
    [body, headers({ "webhook-signature": signature.replace("v1,", "v2,") })],
    [body, headers({ "webhook-signature": signature.slice(0, -2) })],
    [body, headers({ "webhook-signature": signature.slice(3) })],
    [body, headers({ "webhook-signature": "" })],
    [body, headers({ "webhook-id": "msg_2" })],
    [body, headers({ "webhook-timestamp": "now" })],
  ];

  const theirs = deliveries.map(([text, fields]) => {
    try {
      return JSON.stringify(webhook.verify(text, fields));
    } catch {
      return "refused";
    }
  });
  const ours = await Promise.all(
    deliveries.map(([text, fields]) =>
      unwrapWebhook({ body: text, headers: fields, secret }).then(
        (event) => JSON.stringify(event),
        () => "refused",
      ),
    ),
  );

  assert.deepEqual(ours, theirs);
  assert.equal(theirs.filter((outcome) => outcome === "refused").length, 9);
});
