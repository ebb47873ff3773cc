import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import { buckets } from "../workspaces/plans.ts";
import { revokeKey, createKey, listKeys } from "../workspaces/manage-keys.ts";
import { setPlan } from "../workspaces/manage-workspaces.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let clock = Date.parse("2026-11-15T12:00:00.000Z");
before(async () => {
  service = await startTestService({ rateClock: () => new Date(clock) });
});
after(() => service[Symbol.asyncDispose]());

for (const [name, key] of [
  ["missing", null],
  ["empty", ""],
  ["unknown", `sk_live_${"0".repeat(64)}`],
  ["malformed", "sk_live_1234"],
  ["upper-case", `sk_live_${"A".repeat(64)}`],
  ["a NUL", "sk_live_%00"],
] as const)
  test(`401 when the key is ${name}`, async () => {
    const workspace = await service.newWorkspace();

    const answer = await workspace.call("GET", "/limits", { key });

    assert.equal(answer.status, 401);
    assert.equal(answer.json["error_code"], "unauthenticated");
    assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  });

test("401 for an expired key, and soon for a revoked one", async () => {
  const { db } = service.app;
  const workspace = await service.newWorkspace();
  const expired = await createKey(db, {
    workspace: workspace.workspaceId,
    mode: "live",
    expiresAt: new Date(Date.now() - 1000),
  });
  const revoked = await createKey(db, { workspace: workspace.workspaceId, mode: "live" });
  assert.equal((await workspace.call("GET", "/limits", { key: revoked.key })).status, 200);

  await revokeKey(db, revoked.keyId);

  assert.equal((await workspace.call("GET", "/limits", { key: expired.key })).status, 401);
  await until(async () => (await workspace.call("GET", "/limits", { key: revoked.key })).status === 401);
});

test("the time of a key's last use is kept", async () => {
  const workspace = await service.newWorkspace();

  await workspace.call("GET", "/limits");

  const keys = await listKeys(service.app.db, { workspace: workspace.workspaceId });
  assert.deepEqual(
    keys.map((key) => key.lastUsedAt !== null),
    [true, false],
  );
});

test("402 with exactly the contract's body when the plan leaves the bucket out", async () => {
  const workspace = await service.newWorkspace({ plan: "free" });

  const answer = await workspace.call("GET", "/limits");

  assert.equal(answer.status, 402);
  assert.deepEqual(Object.keys(answer.json).toSorted(), ["bucket", "error_code", "message"]);
  assert.equal(answer.json["error_code"], "tier_not_authorized_for_integrations_api");
  assert.equal(answer.json["bucket"], "submission_read");
  assert.equal(answer.headers.get("retry-after"), null);
});

test("a plan change is seen soon", async () => {
  const workspace = await service.newWorkspace({ plan: "free" });
  assert.equal((await workspace.call("GET", "/limits")).status, 402);

  await setPlan(service.app, { workspace: workspace.workspaceId, plan: "growth" });

  await until(async () => (await workspace.call("GET", "/limits")).status === 200);
});

test("429 with exactly one field and Retry-After when a bucket is used up, and room again after that time", async () => {
  const workspace = await service.newWorkspace({ plan: "starter" });

  const answers = await Promise.all(Array.from({ length: 130 }, () => workspace.call("GET", "/limits")));

  assert.equal(answers.filter(({ status }) => status === 200).length, 120);
  const refused = answers.find(({ status }) => status === 429);
  assert.deepEqual(Object.keys(refused?.json ?? {}), ["error"]);
  assert.match(refused?.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  assert.equal(
    [...(refused?.headers.keys() ?? [])].some((name) => name.startsWith("x-ratelimit")),
    false,
  );

  clock += Number(refused?.headers.get("retry-after")) * 1000 - 1000;
  assert.equal((await workspace.call("GET", "/limits")).status, 429);
  clock += 1000;
  assert.equal((await workspace.call("GET", "/limits")).status, 200);
});

test("the window slides: requests free their own place a minute later, not all at once", async () => {
  const workspace = await service.newWorkspace({ plan: "starter" });
  const send = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => workspace.call("GET", "/limits")));
    return answers.filter(({ status }) => status === 200).length;
  };

  assert.equal(await send(100), 100);
  clock += 30_000;
  assert.equal(await send(30), 20);
  clock += 30_100;
  assert.equal(await send(110), 100);
  clock += 30_000;
  assert.equal(await send(30), 20);
});

test("exactly the limit passes where requests are counted after their answers, and the limits endpoint knows them", async () => {
  const workspace = await service.newWorkspace({ plan: "growth" });
  const statuses: number[] = [];
  const remaining: number[] = [];

  for (let round = 0; round < 40; round++) {
    const answers = await Promise.all(Array.from({ length: 16 }, () => workspace.call("GET", "/sidekicks")));
    statuses.push(...answers.map(({ status }) => status));
    if (round === 9) {
      const { json } = await workspace.call("GET", "/limits");
      remaining.push((json["buckets"] as { remaining: number }[])[2]?.remaining ?? 0);
    }
  }

  assert.deepEqual(remaining, [600 - 161]);
  assert.equal(statuses.filter((status) => status === 200).length, 599);
  assert.equal(statuses.filter((status) => status === 429).length, 41);
});

test("keys and buckets are counted apart", async () => {
  const workspace = await service.newWorkspace({ plan: "starter" });
  await Promise.all(Array.from({ length: 121 }, () => workspace.call("GET", "/limits")));

  const live = await workspace.call("GET", "/limits");
  const sandbox = await workspace.call("GET", "/limits", { mode: "sandbox" });

  assert.equal(live.status, 429);
  assert.equal(sandbox.status, 200);
  assert.deepEqual(
    (sandbox.json["buckets"] as { bucket: string; remaining: number }[]).map(({ remaining }) => remaining),
    [30, 30, 119, 20, 60, 30],
  );
});

test("the limits endpoint says null where there is no limit", async () => {
  const workspace = await service.newWorkspace();

  const { json } = await workspace.call("GET", "/limits");

  assert.equal(json["plan"], "local");
  assert.deepEqual(
    json["buckets"],
    buckets.map((bucket) => ({ bucket, requestsPerMinute: null, remaining: null })),
  );
});

test("an unknown path is 404 and another method 405 with Allow, before the gates and for any caller", async () => {
  const unknown = await service.fetch("/api/integrations/nothing", {
    method: "POST",
    body: "{",
    headers: { "content-type": "text/x" },
  });
  const method = await service.fetch("/api/integrations/limits", { method: "DELETE" });
  const odd = await service.fetch("/api/integrations/limits", { method: "PROPFIND" });

  assert.deepEqual([unknown.status, unknown.json["error_code"]], [404, "not_found"]);
  assert.deepEqual(
    [method.status, method.json["error_code"], method.headers.get("allow")],
    [405, "method_not_allowed", "GET, HEAD"],
  );
  assert.equal(odd.status, 405);
  for (const answer of [unknown, method, odd]) assert.ok(answer.headers.get("x-request-id"));
});

test("both prefixes answer the same", async () => {
  const workspace = await service.newWorkspace();

  const answer = await service.fetch("/api/v1/integrations/limits", { headers: { "x-api-key": workspace.keys.live } });

  assert.equal(answer.status, 200);
  assert.equal((await service.fetch("/api/v1/integrations/openapi.json")).status, 200);
});

test("422 for a query parameter that is not known", async () => {
  const workspace = await service.newWorkspace();

  const answer = await workspace.call("GET", "/limits?page=2");

  assert.equal(answer.status, 422);
  assert.deepEqual(answer.json["details"], [{ path: "page", message: "is not a known property" }]);
});
