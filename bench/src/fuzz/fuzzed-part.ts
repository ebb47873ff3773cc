import { randomBytes } from "node:crypto";
import { until } from "@greenlit/engine/testing/until.ts";
import { insertPerson } from "@greenlit/server/people/person.ts";
import { startSession } from "@greenlit/server/people/sessions.ts";
import { createKey } from "@greenlit/server/workspaces/manage-keys.ts";
import { servePart } from "../part.ts";
import { startBenchService, type ServiceOptions } from "../service.ts";
import type { Targets } from "./make-request.ts";

export type FuzzedPart = {
  argument: ServiceOptions;
  ready: { apiUrl: string };
  commands: {
    /** New credentials and something of every kind: requests revoke and delete what they are given. */
    giveTargets(): Promise<Targets>;
  };
};

const healthClaimsId = "6b1f2a7e-93c4-4d0f-8a55-2f0c7d1e3b11";

/** Behind all that the requests before it have submitted. */
const analysisPatienceSeconds = 900;

servePart<FuzzedPart>(async (options, stack) => {
  const { service, workspaceId } = await startBenchService(options, stack);
  const { app, apiUrl = "" } = service;

  async function signIn(role: "admin" | "reviewer"): Promise<{ cookie: string; personId: string }> {
    const now = new Date();
    const email = `${randomBytes(6).toString("hex")}@example.com`;
    const { personId } = await insertPerson(app.db, { email, name: "Fuzz", passwordHash: null, now });
    await app.db.insertInto("memberships").values({ personId, workspaceId, role, createdAt: now }).execute();
    const browser = { userAgent: "soak", address: "127.0.0.1" };
    return { personId, cookie: `greenlit=${(await startSession(app.db, { personId, browser, now })).token}` };
  }

  async function giveTargets(): Promise<Targets> {
    const live = await createKey(app.db, { workspace: workspaceId, mode: "live" });
    const sandbox = await createKey(app.db, { workspace: workspaceId, mode: "sandbox" });
    const call = async (method: string, path: string, body?: unknown, key = live.key) => {
      const answer = await fetch(`${apiUrl}/api/integrations${path}`, {
        method,
        headers: { "x-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as Record<string, unknown>;
    };
    const form = new FormData();
    form.set("file", new File(["This copper bracelet cures arthritis."], "copy.txt", { type: "text/plain" }));
    const upload = await fetch(`${apiUrl}/api/integrations/uploads/direct`, {
      method: "POST",
      headers: { "x-api-key": live.key },
      body: form,
    });
    const { blobPath } = (await upload.json()) as { blobPath: string };
    const submission = await call("POST", "/submissions", {
      assets: [{ blobPath }],
      sidekickIds: [healthClaimsId],
      metadata: { jurisdictions: ["UK"] },
    });
    const submissionId = String(submission["submissionId"]);
    const assetId = String((submission["assets"] as { assetId: string }[])[0]?.assetId);
    await until(
      async () => {
        const { status } = await call("GET", `/submissions/${submissionId}`);
        return status === "complete" || status === "failed";
      },
      { patienceSeconds: analysisPatienceSeconds },
    );
    const path = `/submissions/${submissionId}/assets/${assetId}`;
    const asset = await call("GET", path);
    const hook = { url: "https://hooks.example.com/greenlit", eventTypes: ["asset.processing.completed"] };
    const webhook = await call("POST", "/webhooks", hook);
    const subscriptionId = String(webhook["subscriptionId"]);
    await call("POST", "/sandbox/events/fire", { eventType: "asset.processing.completed", submissionId }, sandbox.key);
    const deliveries = await call("GET", `/webhooks/${subscriptionId}/deliveries`);
    const comment = await call("POST", `${path}/comments`, { text: "Look here." });
    const rejudge = await call("POST", "/rejudge", {});
    const [admin, reviewer] = [await signIn("admin"), await signIn("reviewer")];
    return {
      keys: [live.key, live.key, sandbox.key],
      cookies: [admin.cookie, admin.cookie, reviewer.cookie],
      ids: {
        submission_id: submissionId,
        asset_id: assetId,
        issue_id: (asset["issues"] as { id: string }[] | undefined)?.[0]?.id ?? assetId,
        subscription_id: subscriptionId,
        delivery_id: (deliveries["data"] as { deliveryId: string }[] | undefined)?.[0]?.deliveryId ?? assetId,
        comment_id: String(comment["commentId"]),
        rejudge_id: String(rejudge["rejudgeId"]),
        certificate_id: assetId,
        invitation_id: assetId,
        session_id: assetId,
        sidekick_id: healthClaimsId,
        key_id: sandbox.keyId,
        person_id: reviewer.personId,
        channel: `private-submission-${submissionId}`,
        page_number: "1",
      },
    };
  }

  return { ready: { apiUrl }, commands: { giveTargets } };
});
