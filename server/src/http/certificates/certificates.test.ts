import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash, createPublicKey, verify } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import packageFile from "../../../package.json" with { type: "json" };
import { rotateSigningKey } from "../../certificates/signing-keys.ts";
import { until } from "@greenlit/engine/testing/until.ts";
import { givenPerson } from "../../testing/test-person.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let clock = 0;
before(async () => {
  service = await startTestService({ now: () => new Date(Date.now() + clock) });
});
after(() => service[Symbol.asyncDispose]());

type Envelope = { payloadType: string; payload: string; signatures: { keyid: string; sig: string }[] };
type Certificate = { certificateId: string; number: number; status: string; supersededBy: string; envelope: Envelope };

type Content = {
  state: string;
  match: string | null;
  errorMessage: string | null;
  differences: { message: string; page: number | null }[];
};

const text = "We open at nine.\n";
const sha256 = createHash("sha256").update(text).digest("hex");

async function givenAsset() {
  const workspace = await service.newWorkspace();
  const blobPath = await workspace.upload({ bytes: text });
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath }] });
  await workspace.finish(submissionId);
  const path = `/submissions/${submissionId}/assets/${assets[0]?.assetId ?? ""}`;
  return {
    workspace,
    path,
    approve: async () => {
      const { workspaceId } = workspace;
      const person = await givenPerson(service, { roles: [{ workspaceId, role: "approver" }] });
      const decided = await person.call("POST", `${path}/review/decisions`, { body: { decision: "approved" } });
      assert.equal(decided.status, 201, decided.text);
    },
    certify: () => workspace.call("POST", `${path}/certificate`, { body: {} }),
    verify: async (envelope: Envelope, hash = sha256) =>
      (await workspace.call("POST", "/verify", { body: { envelope, sha256: hash } })).json,
  };
}

async function givenCertificate() {
  const asset = await givenAsset();
  await asset.approve();
  const { status, json, text: answer } = await asset.certify();
  assert.equal(status, 201, answer);
  return { ...asset, certificate: json as unknown as Certificate };
}

async function publishedKeys() {
  return (await service.fetch("/.well-known/greenlit-keys.json")).json as {
    keys: { keyid: string; publicKey: string; retiredAt: string | null }[];
  };
}

test("409 before the asset is approved, 201 after", async () => {
  const { approve, certify } = await givenAsset();

  const early = await certify();
  await approve();
  const late = await certify();

  assert.deepEqual([early.status, early.json["error_code"]], [409, "asset_not_approved"]);
  assert.deepEqual([late.status, late.json["number"], late.json["status"]], [201, 1, "VALID"]);
});

test("a verifier written from the specification of DSSE accepts the envelope", async () => {
  const { certificate } = await givenCertificate();
  const { payloadType, payload, signatures } = certificate.envelope;
  const { keys } = await publishedKeys();

  const body = Buffer.from(payload, "base64");
  // PAE(type, body) = "DSSEv1" SP LEN(type) SP type SP LEN(body) SP body
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `), body]);
  const [signature] = signatures;
  const key = keys.find(({ keyid }) => keyid === signature?.keyid);
  const publicKey = createPublicKey({ key: Buffer.from(key?.publicKey ?? "", "base64"), format: "der", type: "spki" });

  assert.equal(payloadType, "application/vnd.in-toto+json");
  assert.ok(verify(null, signed, publicKey, Buffer.from(signature?.sig ?? "", "base64")));
  const statement = JSON.parse(body.toString("utf8")) as Record<string, unknown>;
  assert.equal(statement["_type"], "https://in-toto.io/Statement/v1");
  assert.deepEqual(statement["subject"], [{ name: "note.txt", digest: { sha256 } }]);
  const { decision, engineVersion } = statement["predicate"] as {
    decision: { decidedBy: { role: string } };
    engineVersion: string;
  };
  assert.deepEqual([decision.decidedBy.role, engineVersion], ["approver", packageFile.version]);
});

test("the file itself is identical, another is not, and one changed byte makes the certificate untrusted", async () => {
  const { certificate, verify: check } = await givenCertificate();
  const { envelope } = certificate;
  const changed = Buffer.from(envelope.payload, "base64");
  changed.writeUInt8(changed.readUInt8(200) ^ 1, 200);

  const same = await check(envelope);
  const other = await check(envelope, "0".repeat(64));
  const forged = await check({ ...envelope, payload: changed.toString("base64") });

  assert.deepEqual([same["trust"], same["file"]], ["VALID", "IDENTICAL"]);
  assert.deepEqual([other["trust"], other["file"]], ["VALID", "NOT_IDENTICAL"]);
  assert.deepEqual([forged["trust"], forged["file"], forged["statement"]], ["UNTRUSTED", null, null]);
});

test("an old certificate stays valid when the key is rotated, and a new one has the new key", async () => {
  const { certificate, certify, verify: check } = await givenCertificate();

  const { keyId } = await rotateSigningKey(service.app.db, service.app);
  const next = (await certify()).json as unknown as Certificate;

  assert.equal((await check(certificate.envelope))["trust"], "VALID");
  assert.notEqual(certificate.envelope.signatures[0]?.keyid, keyId);
  assert.equal(next.envelope.signatures[0]?.keyid, keyId);
  assert.equal((await check(certificate.envelope))["supersededBy"], next.certificateId);
  const { keys } = await publishedKeys();
  assert.equal(keys.filter(({ retiredAt }) => retiredAt === null).length, 1);
});

test("a revoked certificate says so, and so does one that has expired", async () => {
  const { workspace, certificate, verify: check } = await givenCertificate();
  const path = `/certificates/${certificate.certificateId}`;

  clock = 366 * 24 * 60 * 60 * 1000;
  const expired = await check(certificate.envelope);
  clock = 0;
  const revoked = await workspace.call("POST", `${path}/revoke`, { body: { reason: "Withdrawn." } });
  const again = await workspace.call("POST", `${path}/revoke`, { body: { reason: "Another." } });

  assert.equal(expired["trust"], "EXPIRED");
  assert.deepEqual([revoked.json["status"], again.json["revokedReason"]], ["REVOKED", "Withdrawn."]);
  assert.equal((await check(certificate.envelope))["trust"], "REVOKED");
  assert.equal((await workspace.call("GET", path)).json["status"], "REVOKED");
});

test("anybody with the id can read whether it holds, and nothing else", async () => {
  const { workspace, certificate } = await givenCertificate();
  const path = `/certificates/${certificate.certificateId}`;

  const valid = await service.fetch(`${path}/status`);
  await workspace.call("POST", `${path}/revoke`, { body: { reason: "A secret reason." } });
  const revoked = await service.fetch(`${path}/status`);
  const unknown = await service.fetch("/certificates/0197a3b0-5c4e-7d2a-9f31-6b8e2c4d1a77/status");
  const malformed = await service.fetch("/certificates/1/status");

  assert.deepEqual([valid.status, valid.json["status"], valid.json["sha256"]], [200, "VALID", sha256]);
  assert.equal(revoked.json["status"], "REVOKED");
  assert.doesNotMatch(revoked.text, /secret|note\.txt|ws_/);
  assert.deepEqual([unknown.status, malformed.status], [404, 404]);
});

test("certificates are listed from the newest on, and by asset, each workspace its own", async () => {
  const { workspace, certificate, certify, path } = await givenCertificate();
  const next = (await certify()).json as unknown as Certificate;
  const list = async (query: string) =>
    (await workspace.call("GET", `/certificates${query}`)).json as {
      data: Certificate[];
      hasMore: boolean;
      nextCursor: string;
    };

  const first = await list("?limit=1");
  const second = await list(`?limit=1&cursor=${first.nextCursor}`);
  const ofAsset = await list(`?assetId=${path.split("/").at(-1)}`);
  const ofOther = await list("?assetId=0197a3b0-5c4e-7d2a-9f31-6b8e2c4d1a77");

  const idsOf = ({ data }: { data: Certificate[] }) => data.map(({ certificateId }) => certificateId);
  assert.deepEqual([idsOf(first), idsOf(second)], [[next.certificateId], [certificate.certificateId]]);
  assert.deepEqual([first.hasMore, second.hasMore], [true, false]);
  assert.deepEqual(idsOf(ofAsset), [next.certificateId, certificate.certificateId]);
  assert.deepEqual(idsOf(ofOther), []);
  assert.ok(first.data.every((listed) => !("envelope" in listed)));
});

test("an analysed copy is compared by what it says, and an altered one is shown with its words", async () => {
  const { workspace, certificate, path } = await givenCertificate();
  const { certificateId, envelope } = certificate;
  const compare = async (bytes: string) => {
    const { submissionId, assets } = await workspace.submit({
      assets: [{ blobPath: await workspace.upload({ bytes }) }],
    });
    await workspace.finish(submissionId);
    const body = { certificateId, assetId: assets[0]?.assetId };
    let content: Content | undefined;
    await until(async () => {
      const { status, json, text: answer } = await workspace.call("POST", "/verify", { body });
      assert.equal(status, 200, answer);
      content = json["content"] as Content;
      return content.state === "complete" || content.state === "failed";
    });
    assert.ok(content);
    return content;
  };

  const respaced = await compare(text.replace(" at ", "  at "));
  const altered = await compare(text.replace("nine", "ten"));
  const assetId = path.split("/").at(-1);
  const itself = await workspace.call("POST", "/verify", { body: { envelope, assetId } });

  assert.equal((itself.json["content"] as Content).match, "IDENTICAL");
  assert.deepEqual([respaced.match, respaced.errorMessage], ["SAME_CONTENT", null]);
  assert.deepEqual([altered.match, altered.differences[0]?.page], ["ALTERED", 1]);
  assert.match(altered.differences[0]?.message ?? "", /“nine.” became “ten.”/);
});

test("a certificate says that it is superseded when a rejudge replaces the result, and not after a dry run", async () => {
  const { workspace, certificate } = await givenCertificate();
  const path = `/certificates/${certificate.certificateId}`;
  const rejudge = async (dryRun: boolean) => {
    const body = { dryRun, context: { jurisdictions: ["US"] } };
    const rejudgeId = String((await workspace.call("POST", "/rejudge", { body })).json["rejudgeId"]);
    await until(async () => (await workspace.call("GET", `/rejudge/${rejudgeId}`)).json["state"] === "complete");
    return rejudgeId;
  };

  await rejudge(true);
  const before = await workspace.call("GET", path);
  const rejudgeId = await rejudge(false);
  const after = await workspace.call("GET", path);

  assert.equal(before.json["supersededByRejudge"], null);
  assert.equal(after.json["supersededByRejudge"], rejudgeId);
  assert.equal((await service.fetch(`${path}/status`)).json["isSuperseded"], true);
});

test("verify takes one certificate and one file of this workspace, and nothing else", async () => {
  const { workspace, certificate } = await givenCertificate();
  const { certificateId, envelope } = certificate;
  const stranger = await givenAsset();
  const foreign = stranger.path.split("/").at(-1);
  const verify = (body: Record<string, unknown>) => workspace.call("POST", "/verify", { body });

  const answers = [
    await verify({ envelope, certificateId }),
    await verify({ sha256 }),
    await verify({ certificateId, assetId: foreign, sha256 }),
    await verify({ certificateId, assetId: foreign }),
    await stranger.workspace.call("POST", "/verify", { body: { certificateId } }),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [422, 422, 422, 404, 404],
  );
});

test("another workspace sees nothing of it", async () => {
  const { certificate } = await givenCertificate();
  const other = await givenAsset();

  const read = await other.workspace.call("GET", `/certificates/${certificate.certificateId}`);
  const checked = await other.verify(certificate.envelope);

  assert.equal(read.status, 404);
  assert.deepEqual([checked["trust"], checked["statement"]], ["UNTRUSTED", null]);
});

test("greenlit verify needs neither the service nor its database", async () => {
  const { certificate, workspace, path } = await givenCertificate();
  const printed = await fetch(`${service.url}/api/integrations${path}/print/content`, {
    headers: { "x-api-key": workspace.keys.live },
  });
  const folder = await mkdtemp(join(tmpdir(), "greenlit-verify-"));
  const write = async (name: string, content: string | Uint8Array) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const file = await write("note.txt", text);
  const other = await write("other.txt", `${text} `);
  const saved = await write("certificate.json", JSON.stringify(certificate));
  const keys = await write("keys.json", JSON.stringify(await publishedKeys()));
  const print = await write("note.glpr", new Uint8Array(await printed.arrayBuffer()));
  const altered = await write("altered.txt", text.replace("nine", "ten"));
  const strangers = await write("strangers.json", JSON.stringify({ keys: [] }));
  const run = (...args: string[]) =>
    new Promise<{ code: number; stdout: string }>((resolve) => {
      const program = fileURLToPath(new URL("../../../../cli/bin/greenlit.js", import.meta.url));
      execFile(
        process.execPath,
        [program, "verify", ...args],
        { env: { PATH: process.env["PATH"] } },
        (error, stdout) => resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout }),
      );
    });

  const same = await run(file, "--certificate", saved, "--keys", keys);
  const changed = await run(other, "--certificate", saved, "--keys", keys);
  const untrusted = await run(file, "--certificate", saved, "--keys", strangers);
  const respaced = await run(other, "--certificate", saved, "--keys", keys, "--print", print);
  const edited = await run(altered, "--certificate", saved, "--keys", keys, "--print", print);
  const foreign = await run(other, "--certificate", saved, "--keys", keys, "--print", file);
  await rm(folder, { recursive: true, force: true });

  assert.deepEqual([same.code, /VALID[^]*IDENTICAL/.test(same.stdout)], [0, true], same.stdout);
  assert.deepEqual([changed.code, /NOT_IDENTICAL/.test(changed.stdout)], [1, true], changed.stdout);
  assert.deepEqual([untrusted.code, /UNTRUSTED/.test(untrusted.stdout)], [1, true], untrusted.stdout);
  assert.deepEqual([respaced.code, /SAME_CONTENT/.test(respaced.stdout)], [0, true], respaced.stdout);
  assert.deepEqual([edited.code, /ALTERED[^]*“nine.”[^]*“ten.”/.test(edited.stdout)], [1, true], edited.stdout);
  assert.equal(foreign.code, 2);
});
