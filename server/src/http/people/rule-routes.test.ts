import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { givenPerson } from "../../testing/test-person.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service[Symbol.asyncDispose]());

async function givenViewer() {
  const workspace = await service.newWorkspace();
  const person = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "viewer" }] });
  return { workspace, person };
}

test("a text is judged by the rules of its market, and an honest one by none", async () => {
  const { person } = await givenViewer();
  const context = { jurisdictions: ["UK"], sector: "alcohol" };

  const bad = await person.call("POST", "/rules/try", {
    body: { text: "Our wine is good for your heart.", ...context },
  });
  const good = await person.call("POST", "/rules/try", { body: { text: "Our wine goes with fish.", ...context } });
  const odd = await person.call("POST", "/rules/try", {
    body: { text: "Our wine goes with fish.", ...context, sector: "constructor" },
  });

  assert.equal(bad.status, 200, bad.text);
  const ofAlcohol = ({ json }: typeof bad) =>
    (json["findings"] as { ruleCode: string; quote: string | null }[])
      .filter(({ ruleCode }) => ruleCode.startsWith("UK-ALC"))
      .map(({ quote }) => quote);
  assert.deepEqual(ofAlcohol(bad), ["good for your heart"]);
  assert.deepEqual(ofAlcohol(good), []);
  assert.equal(odd.status, 200, odd.text);
});

test("every rule of the packs has its examples listed", async () => {
  const { person } = await givenViewer();

  const { json } = await person.call("GET", "/rule-examples");

  const codes = (json["data"] as { code: string }[]).map(({ code }) => code);
  assert.deepEqual(
    codes.toSorted(),
    service.app.sidekicks.flatMap(({ rules }) => rules.map(({ code }) => code)).sort(),
  );
});

test("a large answer is zipped for a person, whose line may be slow, and not for a key", async () => {
  const { person, workspace } = await givenViewer();
  const largest = service.app.sidekicks.toSorted((a, b) => b.rules.length - a.rules.length)[0];
  const path = `/sidekicks/${largest?.sidekickId}/rules`;

  const seen = await person.call("GET", path);
  const plain = await person.call("GET", path, { headers: { "accept-encoding": "identity" } });
  const read = await workspace.call("GET", path);

  assert.ok(read.text.length > 8192, `${read.text.length} letters`);
  assert.deepEqual(
    [seen, plain, read].map(({ headers }) => headers.get("content-encoding")),
    ["gzip", null, null],
  );
  assert.deepEqual([seen.text, plain.text], [read.text, read.text]);
});
