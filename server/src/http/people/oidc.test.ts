import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createOidc } from "../../people/oidc.ts";
import { setDisabled } from "../../people/manage-people.ts";
import { freePort } from "../../testing/free-port.ts";
import {
  signInAtProvider,
  startOpenIdProvider,
  testClient,
  type OpenIdProvider,
} from "../../testing/openid-provider.ts";
import { browserWith, cookieOf, givenPerson } from "../../testing/test-person.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let provider: OpenIdProvider;
let redirectUri: string;
before(async () => {
  const port = await freePort();
  redirectUri = `http://127.0.0.1:${port}/api/integrations/session/oidc/callback`;
  provider = await startOpenIdProvider({ redirectUri, account: { sub: "none", email: "", email_verified: false } });
  service = await startTestService({
    role: "api",
    env: {
      GREENLIT_PORT: String(port),
      GREENLIT_PASSWORDS: "false",
      GREENLIT_OIDC_ISSUER: provider.issuer,
      GREENLIT_OIDC_CLIENT_ID: testClient.id,
      GREENLIT_OIDC_CLIENT_SECRET: testClient.secret,
    },
  });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function begin(): Promise<{ location: string; cookie: string }> {
  const answer = await service.fetch("/api/integrations/session/oidc");
  assert.equal(answer.status, 302, answer.text);
  return { location: answer.headers.get("location") ?? "", cookie: cookieOf(answer) };
}

/** Where the browser ends, and its session's cookie. */
async function comeBack(url: URL, cookie: string): Promise<{ location: string; session: string }> {
  const answer = await service.fetch(url.pathname + url.search, { headers: { cookie } });
  assert.equal(answer.status, 302, answer.text);
  return { location: answer.headers.get("location") ?? "", session: cookieOf(answer) };
}

async function signIn() {
  const { location, cookie } = await begin();
  return comeBack(await signInAtProvider(location), cookie);
}

test("an invited address joins by single sign-on, and is known by its subject from then on", async () => {
  const workspace = await service.newWorkspace();
  const admin = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "admin" }] });
  await admin.call("POST", "/invitations", { body: { email: "sso@example.com", role: "reviewer" } });
  provider.account = { sub: "s1", email: "SSO@example.com", email_verified: true, name: "Sol" };

  const first = await signIn();
  provider.account = { sub: "s1", email: "another@example.com", email_verified: false };
  const second = await signIn();

  assert.equal(first.location, `${service.url}/console`);
  const me = await browserWith(service, first.session).call("GET", "/me");
  assert.deepEqual([me.json["email"], me.json["name"], me.json["role"]], ["sso@example.com", "Sol", "reviewer"]);
  assert.equal((await browserWith(service, second.session).call("GET", "/me")).json["email"], "sso@example.com");
});

test("who is not invited stays out, and so does an address that the provider has not verified", async () => {
  const workspace = await service.newWorkspace();
  const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "admin" }] });

  provider.account = { sub: "s2", email: "stranger@example.com", email_verified: true };
  const stranger = await signIn();
  provider.account = { sub: "s3", email: person.email, email_verified: false };
  const unverified = await signIn();

  assert.match(stranger.location, /#sign-in-failed=not_invited$/);
  assert.match(unverified.location, /#sign-in-failed=email_not_verified$/);
  assert.deepEqual([stranger.session, unverified.session], ["", ""]);
});

test("an answer works once, only in the browser that asked, and only from the right issuer", async () => {
  const workspace = await service.newWorkspace();
  const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "viewer" }] });
  provider.account = { sub: "s4", email: person.email, email_verified: true };

  const replayed = await begin();
  const answer = await signInAtProvider(replayed.location);
  const used = await comeBack(answer, replayed.cookie);
  const again = await comeBack(answer, replayed.cookie);
  const other = await begin();
  const planted = await comeBack(await signInAtProvider(other.location), "greenlit-oidc=somebody-else");
  const third = await begin();
  const foreign = await signInAtProvider(third.location);
  foreign.searchParams.set("iss", "https://evil.example");
  const wrongIssuer = await comeBack(foreign, third.cookie);

  assert.equal(used.location, `${service.url}/console`);
  for (const { location, session } of [again, planted, wrongIssuer])
    assert.deepEqual([location, session], [`${service.url}/console#sign-in-failed=answer_not_valid`, ""]);
});

test("a code that was asked for with another nonce or verifier is refused", async () => {
  const workspace = await service.newWorkspace();
  const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "viewer" }] });
  provider.account = { sub: "s5", email: person.email, email_verified: true };
  const { db, vault } = service.app;

  const nonce = await begin();
  const nonceAnswer = await signInAtProvider(nonce.location);
  await db.updateTable("signInAttempts").set({ nonce: "another" }).execute();
  const wrongNonce = await comeBack(nonceAnswer, nonce.cookie);
  const verifier = await begin();
  const verifierAnswer = await signInAtProvider(verifier.location);
  await db
    .updateTable("signInAttempts")
    .set({ codeVerifier: vault.encrypt("x".repeat(43)) })
    .execute();
  const wrongVerifier = await comeBack(verifierAnswer, verifier.cookie);

  for (const { location } of [wrongNonce, wrongVerifier]) assert.match(location, /answer_not_valid$/);
});

test("a provider whose token nobody signed, or that is away or somebody else, signs nobody in and says so", async () => {
  const workspace = await service.newWorkspace();
  const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "viewer" }] });
  const account = { sub: "s7", email: person.email, email_verified: true };
  await using forger = await startOpenIdProvider({ redirectUri, account, publishesForeignKey: true });
  const { app } = service;
  const { oidc: honest } = app;
  const failureOf = ({ location }: { location: string }) => new URL(location).hash;

  app.oidc = createOidc({ ...app.config, oidcIssuer: forger.issuer });
  const forged = await signIn();
  app.oidc = createOidc({ ...app.config, oidcIssuer: forger.issuer.replace("127.0.0.1", "localhost") });
  const otherIssuer = await begin();
  app.oidc = createOidc({ ...app.config, oidcIssuer: `http://127.0.0.1:${await freePort()}` });
  const away = await begin();
  app.oidc = honest;

  assert.equal(failureOf(forged), "#sign-in-failed=answer_not_valid");
  for (const begun of [otherIssuer, away]) assert.equal(failureOf(begun), "#sign-in-failed=provider_unavailable");
});

test("single sign-on goes on at an address whose passwords and links are throttled", async () => {
  const workspace = await service.newWorkspace();
  const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "viewer" }] });
  provider.account = { sub: "s8", email: person.email, email_verified: true };
  const guess = async (body: object) => {
    const headers = { "content-type": "application/json" };
    const options = { method: "POST", headers, body: JSON.stringify({ token: "x".repeat(43), ...body }) };
    return (await service.fetch("/api/integrations/invitations/accept", options)).status;
  };

  let [byPassword, byLink] = [0, 0];
  for (let attempt = 0; attempt <= 100; attempt++) {
    byPassword = await guess({ password: "not the password" });
    byLink = await guess({});
  }
  const { location } = await signIn();

  assert.deepEqual([byPassword, byLink], [429, 429]);
  assert.equal(location, `${service.url}/console`);
});

test("a disabled account stays out, and passwords are off", async () => {
  const workspace = await service.newWorkspace();
  const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "viewer" }] });
  provider.account = { sub: "s6", email: person.email, email_verified: true };
  await setDisabled(service.app, { email: person.email, isDisabled: true });

  const { location } = await signIn();
  const byPassword = await service.fetch("/api/integrations/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: person.email, password: "correct horse battery staple" }),
  });
  const options = await service.fetch("/api/integrations/session/options");

  assert.match(location, /account_disabled$/);
  assert.deepEqual([byPassword.status, byPassword.json["error_code"]], [403, "passwords_off"]);
  assert.deepEqual(options.json, {
    passwords: false,
    oidc: { name: "single sign-on", url: "/api/integrations/session/oidc" },
  });
});
