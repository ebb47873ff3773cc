import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { openRaw } from "../testing/raw-request.ts";
import { givenPerson } from "../testing/test-person.ts";
import { startTestService, type Answer, type TestService, type TestWorkspace } from "../testing/test-service.ts";
import { allRoutes } from "./routes.ts";

let service: TestService;
let workspace: TestWorkspace;
before(async () => {
  service = await startTestService({ role: "api" });
  workspace = await service.newWorkspace();
});
after(() => service[Symbol.asyncDispose]());

function checkHeaders(what: string, { headers }: Pick<Answer, "headers">, options: { isPage?: boolean } = {}): void {
  const of = (name: string) => headers.get(name) ?? "";
  assert.match(of("x-request-id"), /^[0-9a-f-]{36}$/, what);
  assert.equal(of("x-content-type-options"), "nosniff", what);
  assert.equal(of("referrer-policy"), "no-referrer", what);
  assert.match(of("content-security-policy"), /(?:default-src 'none'|default-src 'self'|^sandbox)/, what);
  assert.match(of("content-security-policy"), /frame-ancestors 'none'/, what);
  assert.doesNotMatch(of("content-security-policy"), /unsafe|\*/, what);
  if (!options.isPage) assert.match(of("cache-control"), /^no-store$|^private/, what);
  for (const name of ["server", "x-powered-by"]) assert.equal(headers.get(name), null, what);
}

test("every route's answers have the security headers: to nobody, to a key and to an admin", async () => {
  const admin = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "admin" }] });

  // A session that ends would make the rest of the walk one of nobody.
  for (const route of allRoutes.filter(({ operationId }) => operationId !== "signOut")) {
    const path = route.path.replaceAll(/:(\w+)/g, () => randomUUID());
    const body = route.body && { body: route.bodyExample ?? {} };
    const what = `${route.method} ${route.path}`;

    checkHeaders(`${what} to nobody`, await workspace.call(route.method, path, { key: null, ...body }));
    checkHeaders(`${what} to a key`, await workspace.call(route.method, path, { mode: "sandbox", ...body }));
    checkHeaders(`${what} to an admin`, await admin.call(route.method, path, { ...body }));
  }
});

test("so do pages, health, documents, redirects and paths that are not there", async () => {
  const paths = [
    "/",
    "/console",
    "/console/reviews",
    "/console/icon.svg",
    "/console/sample",
    "/console/files/none.js",
    "/docs",
    "/docs/",
    "/healthz",
    "/readyz",
    "/.well-known/greenlit-keys.json",
    "/api/integrations/openapi.json",
    "/nothing",
    "/api/integrations/%ff",
  ];

  for (const path of paths) checkHeaders(path, await service.fetch(path, { redirect: "manual" }), { isPage: true });
});

test("bytes that are no HTTP get an answer that no browser takes for a page", async () => {
  await using connection = openRaw(service.url, "NONSENSE\r\n\r\n");

  const answer = await connection.ended;

  assert.match(answer, /x-content-type-options: nosniff/i);
  assert.match(answer, /content-type: application\/json/i);
});
