import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { until } from "@greenlit/engine/testing/until.ts";
import { setDisabled } from "../../people/manage-people.ts";
import { hashPassword } from "../../people/password.ts";
import { browserWith, cookieOf, givenPerson, type TestPerson } from "../../testing/test-person.ts";
import { startTestService, type TestService, type TestWorkspace } from "../../testing/test-service.ts";

const password = "correct horse battery staple";
let passwordHash: string;
let clock = Date.parse("2026-11-15T12:00:00.000Z");
let service: TestService;
before(async () => {
  service = await startTestService({ role: "api", rateClock: () => new Date(clock) });
  passwordHash = await hashPassword(password);
});
after(() => service[Symbol.asyncDispose]());

async function post(path: string, body: unknown) {
  clock += 61_000;
  return service.fetch(`/api/integrations${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function givenAdmin(): Promise<{ workspace: TestWorkspace; admin: TestPerson }> {
  const workspace = await service.newWorkspace();
  const roles = [{ workspaceId: workspace.workspaceId, role: "admin" as const }];
  return { workspace, admin: await givenPerson(service, { roles, passwordHash }) };
}

test("of two who use the setup link at once one becomes the first admin, of every workspace", async () => {
  await using fresh = await startTestService({ role: "api" });
  const { workspaceId } = await fresh.newWorkspace();
  const token = fresh.setupUrl?.split("#setup=")[1] ?? "";
  const use = (email: string) =>
    fresh.fetch("/api/integrations/setup", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, email, name: "Ana", password }),
    });

  const answers = await Promise.all([use("ana@example.com"), use("bob@example.com")]);

  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 404],
  );
  const winner = answers.find(({ status }) => status === 201);
  assert.ok(winner);
  const me = await browserWith(fresh, cookieOf(winner)).call("GET", "/me");
  assert.deepEqual([me.json["role"], me.json["workspaceId"]], ["admin", workspaceId]);
  const stored = await fresh.app.db.selectFrom("oneTimeLinks").selectAll().execute();
  assert.ok(!JSON.stringify(stored).includes(token));
});

test("a password signs in, its cookie is not readable by scripts, and signing out makes a stolen one worthless", async () => {
  const { admin } = await givenAdmin();

  const answer = await post("/session", { email: admin.email.toUpperCase(), password });

  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.headers.getSetCookie()[0] ?? "", /^greenlit=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/);
  const browser = browserWith(service, cookieOf(answer));
  assert.equal((await browser.call("GET", "/me")).json["email"], admin.email);
  assert.equal((await browser.call("DELETE", "/session")).status, 204);
  assert.equal((await browser.call("GET", "/me")).status, 401);
});

test("an unknown account, a wrong password and a disabled account get one answer", async () => {
  const { admin } = await givenAdmin();
  const { admin: disabled } = await givenAdmin();
  await setDisabled(service.app, { email: disabled.email, isDisabled: true });

  const answers = [
    await post("/session", { email: "nobody@example.com", password }),
    await post("/session", { email: admin.email, password: "wrong horse battery staple" }),
    await post("/session", { email: disabled.email, password }),
  ];

  for (const { status, json } of answers) assert.deepEqual([status, json], [401, answers[0]?.json]);
});

test("sign-in is throttled per account, whatever the password, and the service stays alive", async () => {
  const { admin, workspace } = await givenAdmin();
  const wrong = () =>
    service.fetch("/api/integrations/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: admin.email, password: "not the password" }),
    });
  clock += 61_000;

  const statuses: number[] = [];
  for (let attempt = 0; attempt < 500; attempt++) statuses.push((await wrong()).status);

  assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.at(-1)], [10, 429]);
  assert.equal((await workspace.call("GET", "/limits")).status, 200);
});

test("an invitation makes an account once, and a known account needs its password", async () => {
  const { admin, workspace } = await givenAdmin();
  const other = await givenAdmin();
  const invited = await admin.call("POST", "/invitations", { body: { email: "new@example.com", role: "reviewer" } });
  const token = String(invited.json["url"]).split("#invitation=")[1];

  const joined = await post("/invitations/accept", { token, name: "Nia", password });
  const again = await post("/invitations/accept", { token, name: "Nia", password });
  const second = await other.admin.call("POST", "/invitations", { body: { email: "new@example.com", role: "viewer" } });
  const secondToken = String(second.json["url"]).split("#invitation=")[1];
  const stolen = await post("/invitations/accept", { token: secondToken, name: "Eve", password: "guessed password 1" });
  const proven = await post("/invitations/accept", { token: secondToken, password });

  assert.equal(joined.status, 200, joined.text);
  assert.deepEqual([joined.json["role"], joined.json["workspaceId"]], ["reviewer", workspace.workspaceId]);
  assert.deepEqual([again.status, again.json["error_code"]], [404, "link_not_valid"]);
  assert.equal(stolen.status, 401);
  assert.equal(proven.status, 200, proven.text);
  assert.equal((proven.json["workspaces"] as unknown[]).length, 2);
});

test("a reset link sets a password once and ends every session", async () => {
  const { admin, workspace } = await givenAdmin();
  const roles = [{ workspaceId: workspace.workspaceId, role: "viewer" as const }];
  const person = await givenPerson(service, { roles, passwordHash });
  const link = await admin.call("POST", `/people/${person.personId}/reset-link`);
  const token = String(link.json["url"]).split("#reset=")[1];
  const newPassword = "staple battery horse correct";

  const first = await post("/password-reset", { token, password: newPassword });
  const second = await post("/password-reset", { token, password: newPassword });

  assert.deepEqual([first.status, second.status], [204, 404]);
  assert.equal((await person.call("GET", "/me")).status, 401);
  assert.equal((await post("/session", { email: person.email, password: newPassword })).status, 200);
});

test("no admin can reset the password of somebody who is also in a workspace of others", async () => {
  const { admin, workspace } = await givenAdmin();
  const elsewhere = await service.newWorkspace();
  const person = await givenPerson(service, {
    roles: [
      { workspaceId: workspace.workspaceId, role: "viewer" },
      { workspaceId: elsewhere.workspaceId, role: "admin" },
    ],
  });

  const answer = await admin.call("POST", `/people/${person.personId}/reset-link`);

  assert.equal(answer.status, 403);
});

test("the last admin cannot leave; one of two can, and is out", async () => {
  const { admin, workspace } = await givenAdmin();
  const alone = await admin.call("DELETE", `/people/${admin.personId}`);
  await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "admin" }] });

  const left = await admin.call("DELETE", `/people/${admin.personId}`);

  assert.deepEqual([alone.status, alone.json["error_code"]], [409, "last_admin"]);
  assert.equal(left.status, 204);
  assert.equal((await admin.call("GET", "/people")).status, 401);
});

test("a disabled person is soon out on every process", async () => {
  await using second = await startTestService({ role: "api", env: { DATABASE_URL: databaseUrl() } });
  const { admin } = await givenAdmin();
  const there = browserWith(second, admin.cookie);
  assert.equal((await there.call("GET", "/me")).status, 200);

  await setDisabled(service.app, { email: admin.email, isDisabled: true });

  await until(async () => (await there.call("GET", "/me")).status === 401);
});

test("one person has a role in each workspace, and the header chooses", async () => {
  const [one, two] = [await service.newWorkspace(), await service.newWorkspace()];
  const person = await givenPerson(service, {
    roles: [
      { workspaceId: one.workspaceId, role: "admin" },
      { workspaceId: two.workspaceId, role: "viewer" },
    ],
  });
  const keysIn = (workspaceId: string) =>
    person.call("GET", "/keys", { headers: { "x-greenlit-workspace": workspaceId } });

  assert.equal((await keysIn(one.workspaceId)).status, 200);
  assert.deepEqual((await keysIn(two.workspaceId)).json["error_code"], "role_required");
  assert.equal((await keysIn((await service.newWorkspace()).workspaceId)).status, 404);
  assert.equal((await person.call("PATCH", "/session", { body: { workspaceId: two.workspaceId } })).status, 200);
  assert.equal((await person.call("GET", "/me")).json["role"], "viewer");
});

test("a change of role gives the session a new token, and the old one ends after a moment", async () => {
  const { admin, workspace } = await givenAdmin();
  const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "viewer" }] });

  await admin.call("PATCH", `/people/${person.personId}`, { body: { role: "approver" } });
  const answer = await person.call("GET", "/me");

  assert.equal(answer.json["role"], "approver");
  const renewed = cookieOf(answer);
  assert.notEqual(renewed, "");
  assert.notEqual(renewed, person.cookie);
  assert.equal((await browserWith(service, renewed).call("GET", "/me")).status, 200);
  assert.equal((await person.call("GET", "/me")).status, 200);
  // Another process, a minute later.
  const now = () => new Date(Date.now() + 60_000);
  await using later = await startTestService({ role: "api", env: { DATABASE_URL: databaseUrl() }, now });
  assert.equal((await browserWith(later, person.cookie).call("GET", "/me")).status, 401);
  assert.equal((await browserWith(later, renewed).call("GET", "/me")).status, 200);
});

test("a realtime token is worth nothing once its person has left the workspace", async () => {
  const { admin, workspace } = await givenAdmin();
  const elsewhere = await service.newWorkspace();
  const roles = [workspace, elsewhere].map(({ workspaceId }) => ({ workspaceId, role: "viewer" as const }));
  const person = await givenPerson(service, { roles });
  const { submissionId } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  const channel = `private-submission-${submissionId}`;
  const headers = { "x-greenlit-workspace": workspace.workspaceId };
  const answered = await person.call("POST", "/realtime/token", { headers, body: { channel } });
  const token = String(answered.json["token"]);
  assert.equal(answered.status, 200);

  assert.equal((await admin.call("DELETE", `/people/${person.personId}`)).status, 204);

  const answer = await service.fetch(`/api/integrations/realtime/${channel}?token=${token}`);
  assert.equal(answer.status, 401);
});

test("sessions are listed and ended one by one", async () => {
  const { admin } = await givenAdmin();
  const other = browserWith(service, cookieOf(await post("/session", { email: admin.email, password })));
  const { data } = (await admin.call("GET", "/sessions")).json as { data: { sessionId: string; isCurrent: boolean }[] };

  const ended = await admin.call("DELETE", `/sessions/${data.find(({ isCurrent }) => !isCurrent)?.sessionId}`);

  assert.deepEqual([data.length, ended.status], [2, 204]);
  assert.equal((await other.call("GET", "/me")).status, 401);
  assert.equal((await admin.call("GET", "/me")).status, 200);
});

test("an admin makes a key that works at once and is shown once, and revokes it", async () => {
  const { admin, workspace } = await givenAdmin();

  const created = await admin.call("POST", "/keys", { body: { mode: "sandbox", name: "console" } });

  const key = String(created.json["key"]);
  assert.equal((await workspace.call("GET", "/limits", { key })).json["mode"], "sandbox");
  assert.ok(!(await admin.call("GET", "/keys")).text.includes(key));
  assert.equal((await admin.call("DELETE", `/keys/${String(created.json["keyId"])}`)).status, 204);
  await until(async () => (await workspace.call("GET", "/limits", { key })).status === 401);
});

test("defaults and review rules of the workspace are changed by an admin, and what is left out stays", async () => {
  const { admin } = await givenAdmin();

  await admin.call("PATCH", "/workspace", { body: { reviewRules: { secondPersonForCritical: true } } });
  const changed = await admin.call("PATCH", "/workspace", {
    body: { defaultContext: { sector: "alcohol" }, reviewRules: { keyMayNotApprove: false } },
  });
  const unknown = await admin.call("PATCH", "/workspace", {
    body: { defaultSidekickIds: ["0f4c1f0e-6a3b-4c62-9d5e-000000000000"] },
  });

  assert.deepEqual(changed.json["defaultContext"], { sector: "alcohol" });
  assert.deepEqual(changed.json["reviewRules"], {
    uploaderMayNotApprove: true,
    secondPersonForCritical: true,
    openCriticalBlocksApproval: true,
    keyMayNotApprove: false,
  });
  assert.equal(unknown.status, 422);
  for (const defaultContext of [{ jurisdictions: "UK" }, { audience: 5 }, { sectors: ["alcohol"] }])
    assert.equal((await admin.call("PATCH", "/workspace", { body: { defaultContext } })).status, 422);
});

test("a key that has expired already is refused, and one that is revoked twice is in the audit once", async () => {
  const { admin } = await givenAdmin();
  const expired = await admin.call("POST", "/keys", { body: { mode: "live", expiresAt: "2020-01-01T00:00:00.000Z" } });
  const { keyId } = (await admin.call("POST", "/keys", { body: { mode: "live" } })).json;

  const revoked = [
    await admin.call("DELETE", `/keys/${String(keyId)}`),
    await admin.call("DELETE", `/keys/${String(keyId)}`),
  ];

  assert.equal(expired.status, 422);
  assert.deepEqual(
    revoked.map(({ status }) => status),
    [204, 204],
  );
  const { data } = (await admin.call("GET", "/audit")).json as { data: { action: string }[] };
  assert.equal(data.filter(({ action }) => action === "key.revoked").length, 1);
});

test("a key goes before a cookie, and a request with neither gets the usual 401", async () => {
  const { admin, workspace } = await givenAdmin();

  const both = await admin.call("GET", "/limits", { headers: { "x-api-key": workspace.keys.sandbox } });
  const wrongKey = await admin.call("GET", "/limits", { headers: { "x-api-key": "sk_live_wrong" } });
  const neither = await service.fetch("/api/integrations/limits");

  assert.equal(both.json["mode"], "sandbox");
  assert.equal(wrongKey.status, 401);
  assert.equal(
    neither.text,
    '{"error_code":"unauthenticated","message":"The X-API-Key header is missing. Send your workspace\'s API key in it."}',
  );
});

test("a person's mode comes from a header, live unless told", async () => {
  const { admin } = await givenAdmin();
  const modeOf = async (mode: string) =>
    (await admin.call("GET", "/limits", { headers: { "x-greenlit-mode": mode } })).json["mode"];

  assert.deepEqual([await modeOf(""), await modeOf("live"), await modeOf("sandbox")], ["live", "live", "sandbox"]);
  assert.equal((await admin.call("GET", "/limits", { headers: { "x-greenlit-mode": "x" } })).status, 422);
});

test("a session ends 12 hours after its last use and 30 days after its beginning", async () => {
  let time = Date.parse("2026-11-15T12:00:00.000Z");
  const day = 24 * 60 * 60 * 1000;
  await using timed = await startTestService({ role: "api", now: () => new Date(time) });
  const workspace = await timed.newWorkspace();
  const roles = [{ workspaceId: workspace.workspaceId, role: "viewer" as const }];
  const [idle, busy] = [await givenPerson(timed, { roles }), await givenPerson(timed, { roles })];
  const ends = time + 30 * day;

  const idleStatuses: number[] = [];
  for (; time < ends - 1; time += day / 3) {
    timed.app.sessions.forget();
    assert.equal((await busy.call("GET", "/me")).status, 200);
  }
  timed.app.sessions.forget();
  idleStatuses.push((await idle.call("GET", "/me")).status);

  assert.deepEqual(idleStatuses, [401]);
  assert.equal((await busy.call("GET", "/me")).status, 401);
});

function databaseUrl(): string {
  return String(service.app.config.databaseUrl);
}
