import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { givenPerson } from "../../testing/test-person.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const healthId = "6b1f2a7e-93c4-4d0f-8a55-2f0c7d1e3b11";

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service[Symbol.asyncDispose]());

type Verdict = {
  market: string;
  verdict: string;
  coverage: { placeRules: number; ownRules: number; isSufficient: boolean; isThin: boolean };
  findings: { ruleCode: string; fingerprint: string; severity: string; isOpen: boolean }[];
};
type Verdicts = {
  markets: Verdict[];
  fixes: { fingerprint: string; markets: string[]; unlocks: string[] }[];
  topics: { title: string; severity: string; markets: { market: string; severity: string; count: number }[] }[];
};

async function givenAsset(text: string, options: { sidekickIds?: string[] } = {}) {
  const workspace = await service.newWorkspace();
  const { data } = (await workspace.call("GET", "/sidekicks")).json as { data: { sidekickId: string }[] };
  const sidekickIds = options.sidekickIds ?? data.map(({ sidekickId }) => sidekickId);
  const blobPath = await workspace.upload({ bytes: text });
  const metadata = { jurisdictions: ["UK"], channel: "online" };
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath }], sidekickIds, metadata });
  await workspace.finish(submissionId);
  const path = `/submissions/${submissionId}/assets/${assets[0]?.assetId ?? ""}`;
  return {
    workspace,
    path,
    read: async (query = "") => (await workspace.call("GET", `${path}/verdicts${query}`)).json as unknown as Verdicts,
  };
}

test("one asset is judged for every market, and a decision about an issue counts in all of them", async () => {
  const { workspace, path, read } = await givenAsset("Our tea cures arthritis and cancer in a week, guaranteed.\n");

  const before = await read();
  const { issues } = (await workspace.call("GET", `${path}/issues`)).json as { issues: { id: string }[] };
  await workspace.call("POST", `${path}/issues/decide`, {
    body: { issueIds: issues.map(({ id }) => id), status: "DISMISSED", reason: "Substantiated." },
  });
  const after = await read("?markets=UK:online");

  const places = new Set(before.markets.map(({ market }) => market.split(":")[0]));
  assert.ok(places.size >= 14 && before.markets.length >= 60, String(before.markets.length));
  const uk = before.markets.find(({ market }) => market === "UK:online");
  assert.ok(uk?.verdict === "blocked" || uk?.verdict === "changes_needed", uk?.verdict);
  assert.ok((before.fixes[0]?.markets.length ?? 0) > 1);
  assert.equal(after.markets.length, 1);
  assert.ok(after.markets[0]?.findings.every(({ isOpen }) => !isOpen));
  assert.equal(after.markets[0]?.verdict, "clear");
});

test("topics count the open findings of each market, and a summary leaves the findings themselves out", async () => {
  const { read } = await givenAsset("Our tea cures arthritis and cancer in a week, guaranteed.\n");

  const full = await read("?markets=UK:online,US:online");
  const summary = await read("?markets=UK:online,US:online&detail=summary");

  for (const { market, findings } of full.markets) {
    const counted = full.topics.flatMap(({ markets }) => markets.filter((entry) => entry.market === market));
    const sum = counted.reduce((total, { count }) => total + count, 0);
    assert.ok(sum > 0 && sum === findings.filter(({ isOpen }) => isOpen).length, `${market}: ${sum}`);
  }
  assert.deepEqual(summary.topics, full.topics);
  assert.ok(summary.markets.every(({ findings }) => findings.length === 0));
});

test("a market with too few rules is not assessed, however clean the asset is", async () => {
  const { read } = await givenAsset("We open at nine.\n");

  const { markets } = await read();

  const green = new Set(["clear", "clear_with_notes", "conditional"]);
  const verdictOf = (name: string) => markets.find(({ market }) => market === name)?.verdict;
  assert.equal(verdictOf("UK:online"), "clear");
  assert.equal(verdictOf("PL:online"), "not_assessed");
  for (const { market, verdict, coverage } of markets)
    if (!coverage.isSufficient) assert.ok(!green.has(verdict), `${market} is ${verdict}`);
});

test("packs that were not chosen leave a market without coverage", async () => {
  const { read } = await givenAsset("We open at nine.\n", { sidekickIds: [healthId] });

  const { markets } = await read("?markets=UK:online,US:tv");

  assert.deepEqual(
    markets.map(({ verdict }) => verdict),
    ["not_assessed", "not_assessed"],
  );
});

test("verdicts are given for the workspace's own markets, and for others by name", async () => {
  const { workspace, read } = await givenAsset("We open at nine.\n", { sidekickIds: [healthId] });
  const admin = await givenPerson(service, { roles: [{ workspaceId: workspace.workspaceId, role: "admin" }] });
  const change = (markets: string[] | null) => admin.call("PATCH", "/workspace", { body: { markets } });
  const namesOf = ({ markets }: Verdicts) => markets.map(({ market }) => market);
  const all = namesOf(await read());

  const unknown = await change(["UK:tv", "ZZ:tv"]);
  const changed = await change(["us:online", "IE:tv"]);

  assert.deepEqual([unknown.status, changed.status], [422, 200], changed.text);
  assert.deepEqual(changed.json["markets"], ["US:online", "IE:tv"]);
  assert.deepEqual(namesOf(await read()).toSorted(), ["IE:tv", "US:online"]);
  assert.deepEqual(namesOf(await read("?markets=PL:tv")), ["PL:tv"]);
  assert.deepEqual(namesOf(await read("?markets=all")), all);
  await change(null);
  assert.deepEqual(namesOf(await read()), all);
});

test("422 for a market that does not exist", async () => {
  const { workspace, path } = await givenAsset("We open at nine.\n", { sidekickIds: [healthId] });

  const { status, text } = await workspace.call("GET", `${path}/verdicts?markets=UK:tv,ZZ:tv`);

  assert.equal(status, 422);
  assert.match(text, /There is no market ZZ:tv/);
});
