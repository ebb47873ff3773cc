import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { roles, type Role } from "../db/people-tables.ts";
import { givenPerson, type TestPerson } from "../testing/test-person.ts";
import { startTestService, type TestService, type TestWorkspace } from "../testing/test-service.ts";
import type { Route } from "./route.ts";
import { allRoutes } from "./routes.ts";

/** Walks over the route table, so that a new route cannot forget a gate. */

let service: TestService;
let workspace: TestWorkspace;
before(async () => {
  service = await startTestService({ role: "api" });
  workspace = await service.newWorkspace();
});
after(() => service[Symbol.asyncDispose]());

/** A path that names nothing: what passes the gates ends at 404 or 422, before it could change something. */
function pathOf(route: Route): string {
  const named: Record<string, string> = { channel: `private-submission-${randomUUID()}` };
  return route.path.replaceAll(/:(\w+)/g, (_, name: string) => named[name] ?? randomUUID());
}

/** Not even JSON: the gates come before it is read, and no verb is reached. */
function callOf(route: Route, person: Pick<TestPerson, "call">, options: { origin?: "same" | "cross" | "none" } = {}) {
  const body = route.body === undefined ? {} : { body: "{" };
  return person.call(route.method, pathOf(route), { ...options, ...body });
}

/** These would end the session of the walk itself. */
const endsWalk = new Set(["signOut"]);
const forPeople = allRoutes.filter(({ role, operationId }) => role !== "public" && !endsWalk.has(operationId));

for (const role of roles)
  test(`a ${role} passes exactly the routes whose least role is ${role} or below`, async () => {
    const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role }] });

    for (const route of forPeople) {
      const { status, json, text } = await callOf(route, person);
      const isRefused = status === 403 && json["error_code"] === "role_required";
      assert.equal(isRefused, !mayPass(role, route), `${route.method} ${route.path}: ${status} ${text}`);
      if (!isRefused) assert.notEqual(status, 401, `${route.method} ${route.path}`);
    }
  });

function mayPass(role: Role, { role: least }: Route): boolean {
  if (least === "public" || least === "signed-in") return true;
  return roles.indexOf(role) >= roles.indexOf(least);
}

test("what changes something is refused with a cookie unless our own page sends it", async () => {
  const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "admin" }] });
  const unsafe = allRoutes.filter(({ method }) => method !== "GET");
  assert.ok(unsafe.length > 20);

  for (const route of unsafe)
    for (const origin of ["cross", "none"] as const) {
      const { status, json, text } = await callOf(route, person, { origin });
      assert.deepEqual([status, json["error_code"]], [403, "cross_site_request"], `${route.path} ${origin}: ${text}`);
    }
});

test("without Sec-Fetch-Site the Origin decides", async () => {
  const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "admin" }] });
  const change = (origin: string) =>
    person.call("PATCH", "/workspace", { origin: "none", headers: { origin }, body: {} });

  assert.equal((await change(service.url)).status, 200);
  assert.equal((await change("https://evil.example")).status, 403);
  assert.equal((await change(`${service.url}.evil.example`)).status, 403);
});

test("no key may call what is for people only", async () => {
  for (const route of allRoutes.filter(({ auth }) => auth === "person")) {
    const { status, json, text } = await workspace.call(route.method, pathOf(route), {
      ...(route.body !== undefined && { body: "{" }),
    });
    assert.deepEqual([status, json["error_code"]], [403, "person_required"], `${route.path}: ${text}`);
  }
});

test("without a key and without a session every route but the public ones answers the usual 401", async () => {
  const message = "The X-API-Key header is missing. Send your workspace's API key in it.";
  for (const route of allRoutes.filter(({ role }) => role !== "public")) {
    const answer = await workspace.call(route.method, pathOf(route), { key: null });
    assert.equal(answer.status, 401, route.path);
    assert.equal(answer.text, JSON.stringify({ error_code: "unauthenticated", message }));
  }
});

test("a person finds nothing of a workspace that is not theirs, on any route that takes an id", async () => {
  const theirs = await service.newWorkspace();
  const stranger = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "admin" }] });
  const member = await givenPerson(service, { roles: [{ workspaceId: theirs.workspaceId, role: "admin" }] });
  const invited = await member.call("POST", "/invitations", { body: { email: "x@example.com", role: "viewer" } });
  const keys = (await member.call("GET", "/keys")).json["data"] as { keyId: string }[];
  const sessions = (await member.call("GET", "/sessions")).json["data"] as { sessionId: string }[];
  const ids: Record<string, string> = {
    person_id: member.personId,
    invitation_id: String(invited.json["invitationId"]),
    key_id: keys[0]?.keyId ?? "",
    session_id: sessions[0]?.sessionId ?? "",
  };
  const bodies: Record<string, unknown> = { changePerson: { role: "viewer" } };
  const withIds = allRoutes.filter(({ path, auth }) => auth === "person" && path.includes(":"));
  assert.ok(withIds.length >= 6);

  for (const route of withIds) {
    const call = (values: (name: string) => string | undefined) =>
      stranger.call(
        route.method,
        route.path.replaceAll(/:(\w+)/g, (_, name: string) => values(name) ?? assert.fail(`unknown id ${name}`)),
        route.body === undefined ? {} : { body: bodies[route.operationId] ?? {} },
      );
    const [foreign, never] = [await call((name) => ids[name]), await call(() => randomUUID())];

    assert.equal(foreign.status, 404, `${route.method} ${route.path}: ${foreign.text}`);
    assert.equal(foreign.text, never.text, route.path);
  }
});
