import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startTestService, type TestService } from "@greenlit/server/testing/test-service.ts";
import { newWebhookSecret, signatureHeaders } from "@greenlit/server/webhooks/sending/signature.ts";
import { verifyWebhook } from "./verify-webhook.ts";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service[Symbol.asyncDispose]());

const secret = newWebhookSecret();
const body = '{"type": "asset.processing.completed"}';
const now = new Date("2026-11-15T12:00:00.000Z");
const signed = signatureHeaders({
  eventId: "019a8c3e-5f70-7c21-9d5e-2b1f0c9a7e11",
  sentAt: now,
  body,
  secrets: [secret],
});

function verify(
  changes: { secret?: string; headers?: Record<string, string>; body?: string; now?: Date } = {},
): string[] {
  const headers = { ...signed, ...changes.headers };
  return verifyWebhook({
    secret: changes.secret ?? secret,
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\r\n"),
    body: Buffer.from(changes.body ?? body),
    now: changes.now ?? now,
  });
}

test("a genuine webhook verifies, also with two signatures during a rotation", () => {
  const both = signatureHeaders({
    eventId: signed["webhook-id"],
    sentAt: now,
    body,
    secrets: [newWebhookSecret(), secret],
  });

  assert.deepEqual(verify(), []);
  assert.deepEqual(verify({ headers: both }), []);
});

const hex = createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
  .update(`${signed["webhook-id"]}.${signed["webhook-timestamp"]}.${body}`)
  .digest("hex");

for (const [name, changes, message] of [
  ["another secret", { secret: newWebhookSecret() }, /neither this secret nor this body/],
  ["a secret that is none", { secret: "hunter2" }, /must be whsec_/],
  ["an altered body", { body: body.replace("completed", "failed") }, /neither this secret nor this body/],
  ["a body with a line break added", { body: `${body}\n` }, /a line break was added/],
  ["a body that was parsed and written anew", { body: JSON.stringify(JSON.parse(body), null, 2) }, /neither|parsed/],
  ["an old timestamp", { now: new Date(now.getTime() + 3_600_000) }, /3600 s old/],
  ["a hex signature", { headers: { "webhook-signature": `v1,${hex}` } }, /written in hex/],
  ["no signature", { headers: { "webhook-signature": "" } }, /lack webhook-signature/],
] as [string, Parameters<typeof verify>[0], RegExp][])
  test(`verify names ${name}`, () => {
    assert.match(verify(changes).join(" "), message);
  });

test("listen forwards what ends in the workspace, signed", { timeout: 900_000 }, async () => {
  const workspace = await service.newWorkspace();
  const received: { headers: IncomingMessage["headers"]; body: string }[] = [];
  const receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      received.push({ headers: request.headers, body: text });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const program = fileURLToPath(new URL("../bin/greenlit.js", import.meta.url));
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const child = spawn(
    process.execPath,
    [program, "webhooks", "listen", "--forward-to", target, "--api", service.url, "--json"],
    {
      env: { PATH: process.env["PATH"] ?? "", GREENLIT_API_KEY: workspace.keys.sandbox },
    },
  );
  try {
    const first = await new Promise<string>((resolve) =>
      child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString())),
    );
    const listening = JSON.parse(first) as { listening: string; secret: string };
    const blobPath = await workspace.upload();
    while (received.length === 0) {
      await workspace.finish((await workspace.submit({ assets: [{ blobPath }] }, { mode: "sandbox" })).submissionId);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }

    const { headers, body: text } = received[0] ?? { headers: {}, body: "" };
    const lines = Object.entries(headers)
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join("\n");
    assert.equal(listening.listening, workspace.workspaceId);
    assert.deepEqual(
      verifyWebhook({ secret: listening.secret, headers: lines, body: Buffer.from(text), now: new Date() }),
      [],
    );
    const { type, data } = JSON.parse(text) as { type: string; data: Record<string, unknown> };
    assert.equal(type, "asset.processing.completed");
    assert.deepEqual(
      [data["status"], data["workspace_id"], data["filename"], data["livemode"]],
      ["complete", workspace.workspaceId, "note.txt", false],
    );
  } finally {
    child.kill("SIGKILL");
    receiver.close();
  }
});
