import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createTestDatabase } from "../../testing/test-database.ts";
import { startTestService, type TestService, type TestWorkspace } from "../../testing/test-service.ts";
import { until } from "@greenlit/engine/testing/until.ts";

const packId = "5a1c7e20-4b3d-4c8e-9f60-1d2e3f4a5b6c";
let folder = "";
before(async () => (folder = await mkdtemp(join(tmpdir(), "greenlit-packs-"))));
after(() => rm(folder, { recursive: true, force: true }));

/** A pack with one rule for each word, as a pack author would write it. */
async function writePack(name: string, rules: Record<string, { word: string; severity: string; from?: string }>) {
  const packs = join(folder, name);
  await mkdir(join(packs, "house"), { recursive: true });
  const pack = `sidekickId: ${packId}\nname: House style\ndescription: Words that we do not use.\nversion: 1.0.0\n`;
  await writeFile(join(packs, "house", "pack.yaml"), pack);
  for (const [code, { word, severity, from }] of Object.entries(rules))
    await writeFile(
      join(packs, "house", `${code.toLowerCase()}.yaml`),
      [
        `code: ${code}`,
        `summary: Uses the word ${word}`,
        `severity: ${severity}`,
        "why: We do not use this word.",
        "fix: Leave it out.",
        ...(from ? [`from: ${from}`] : []),
        `check: { kind: phrase, anyOf: [${word}] }`,
        `fails: [A ${word} day., The ${word} one., So ${word} it is.]`,
        "passes: [A plain day., The other one., So it is.]",
      ].join("\n"),
    );
  return packs;
}

type Rejudge = {
  rejudgeId: string;
  state: string;
  doneCount: number;
  changedCount: number;
  skippedCount: number;
  rules: { ruleCode: string; new: number; gone: number; changed: number; samples: { summary: string }[] }[];
};

async function rejudge(workspace: TestWorkspace, body: Record<string, unknown>): Promise<Rejudge> {
  const started = await workspace.call("POST", "/rejudge", { body });
  assert.equal(started.status, 202, started.text);
  let run = started.json as unknown as Rejudge;
  await until(async () => {
    run = (await workspace.call("GET", `/rejudge/${run.rejudgeId}`)).json as unknown as Rejudge;
    return run.state === "complete";
  });
  return run;
}

type Issue = { id: string; ruleCode: string; severity: string; status: string; referenceNumber: number };

async function issuesOf(workspace: TestWorkspace, path: string): Promise<Issue[]> {
  return (await workspace.call("GET", `${path}/issues`)).json["issues"] as Issue[];
}

test("new rules say what they would have found, and replace the results when told to", async () => {
  await using database = await createTestDatabase();
  const env = { DATABASE_URL: database.url };
  const store = { GREENLIT_DATA_DIR: join(folder, "data") };
  const oldPacks = await writePack("old", {
    "HOUSE-SHINY": { word: "shiny", severity: "MAJOR" },
    "HOUSE-LUCKY": { word: "lucky", severity: "MINOR" },
    "HOUSE-ULTRA": { word: "ultra", severity: "MINOR" },
  });
  const newPacks = await writePack("new", {
    "HOUSE-SHINY": { word: "shiny", severity: "MINOR" },
    "HOUSE-LUCKY": { word: "lucky", severity: "CRITICAL" },
    "HOUSE-MAGIC": { word: "magic", severity: "MAJOR" },
    "HOUSE-SOON": { word: "lucky", severity: "CRITICAL", from: "2999-01-01" },
  });
  let workspace: TestWorkspace;
  let path = "";
  let before: Issue[] = [];
  {
    await using service = await startTestService({ env: { ...env, ...store, GREENLIT_PACKS_DIR: oldPacks } });
    workspace = await service.newWorkspace();
    const blobPath = await workspace.upload({ bytes: "A shiny, lucky, magic, ultra day.\n" });
    const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath }], sidekickIds: [packId] });
    await workspace.finish(submissionId);
    path = `/submissions/${submissionId}/assets/${assets[0]?.assetId ?? ""}`;
    before = await issuesOf(workspace, path);
    for (const { id } of before)
      await workspace.call("PATCH", `${path}/issues/${id}`, { body: { status: "ACKNOWLEDGED", reason: "Seen." } });
    await workspace.call("POST", `${path}/issues`, { body: { summary: "The logo is old.", severity: "MINOR" } });
  }
  {
    await using service = await startTestService({ env: { ...env, ...store, GREENLIT_PACKS_DIR: newPacks } });
    workspace = moved(workspace, service);
    await judgeByNewPacks(service, { workspace, path, before });
  }
  await using service = await startTestService({ env: { ...env, ...store, GREENLIT_PACKS_DIR: oldPacks } });
  workspace = moved(workspace, service);

  const back = await rejudge(workspace, { dryRun: false });

  const ultra = (await issuesOf(workspace, path)).find(({ ruleCode }) => ruleCode === "HOUSE-ULTRA");
  const first = before.find(({ ruleCode }) => ruleCode === "HOUSE-ULTRA");
  const { json } = await workspace.call("GET", `${path}/issues/${ultra?.id ?? ""}`);
  const history = json["history"] as { toStatus: string; reason: string }[];
  assert.equal(back.changedCount, 1);
  // A finding that comes back has its decision again.
  assert.deepEqual(
    [ultra?.id, ultra?.referenceNumber, ultra?.status],
    [first?.id, first?.referenceNumber, "ACKNOWLEDGED"],
  );
  assert.deepEqual(
    history.map(({ toStatus, reason }) => `${toStatus} ${reason}`),
    ["ACKNOWLEDGED Seen."],
  );
});

async function judgeByNewPacks(
  service: TestService,
  { workspace, path, before }: { workspace: TestWorkspace; path: string; before: Issue[] },
): Promise<void> {
  const other = await service.newWorkspace();

  const dry = await rejudge(workspace, {});
  const unchanged = await issuesOf(workspace, path);
  const csv = await workspace.call("GET", `/rejudge/${dry.rejudgeId}/export`);
  const page = await workspace.call("GET", `/rejudge/${dry.rejudgeId}/changes?change=new`);
  const foreign = await other.call("GET", `/rejudge/${dry.rejudgeId}`);
  const upcoming = await workspace.call("GET", "/upcoming");
  const applied = await rejudge(workspace, { dryRun: false });
  const issues = await issuesOf(workspace, path);
  const again = await rejudge(workspace, {});

  const counts = (run: Rejudge) =>
    run.rules
      .map((rule) => `${rule.ruleCode} ${rule.new} ${rule.gone} ${rule.changed}`)
      .toSorted((a, b) => a.localeCompare(b));
  const expected = ["HOUSE-LUCKY 0 0 1", "HOUSE-MAGIC 1 0 0", "HOUSE-SHINY 0 0 1", "HOUSE-ULTRA 0 1 0"];
  assert.deepEqual([dry.doneCount, dry.changedCount, counts(dry)], [1, 1, expected]);
  assert.match(dry.rules[0]?.samples[0]?.summary ?? "", /shiny|lucky|magic|ultra/);
  assert.equal(csv.text.trim().split("\r\n").length, 5);
  assert.match(csv.headers.get("content-type") ?? "", /^text\/csv/);
  assert.equal((page.json["data"] as unknown[]).length, 1);
  assert.equal(foreign.status, 404);
  assert.deepEqual(
    unchanged.map(({ ruleCode }) => ruleCode),
    ["HOUSE-LUCKY", "HOUSE-SHINY", "HOUSE-ULTRA", "REVIEWER"],
  );

  assert.deepEqual(counts(applied), expected);
  const shown = issues.map(({ ruleCode, severity, status }) => `${ruleCode} ${severity} ${status}`);
  // Milder keeps its decision; graver has to be decided about again; what a person found stays.
  assert.deepEqual(shown, [
    "HOUSE-LUCKY CRITICAL OPEN",
    "HOUSE-MAGIC MAJOR OPEN",
    "HOUSE-SHINY MINOR ACKNOWLEDGED",
    "REVIEWER MINOR OPEN",
  ]);
  const idOf = (list: Issue[], code: string) => list.find(({ ruleCode }) => ruleCode === code)?.id;
  assert.equal(idOf(issues, "HOUSE-LUCKY"), idOf(before, "HOUSE-LUCKY"));
  assert.equal(new Set(issues.map(({ referenceNumber }) => referenceNumber)).size, 4);
  assert.deepEqual([again.changedCount, again.rules], [0, []]);

  const [soon] = upcoming.json["data"] as { ruleCode: string; from: string; assets: { filename: string }[] }[];
  assert.deepEqual([soon?.ruleCode, soon?.from, soon?.assets.length], ["HOUSE-SOON", "2999-01-01", 1]);
}

function moved(workspace: TestWorkspace, service: TestService): TestWorkspace {
  return {
    ...workspace,
    async call(method, path, { mode = "live", body } = {}) {
      return service.fetch(`/api/integrations${path}`, {
        method,
        headers: {
          "x-api-key": workspace.keys[mode],
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    },
  };
}

test("422 for a filter that is none, and nothing to judge in the sandbox", async () => {
  await using service = await startTestService({ role: "api" });
  const workspace = await service.newWorkspace();

  const wrong = await workspace.call("POST", "/rejudge", { body: { filter: { since: "last week" } } });
  const sandbox = await workspace.call("POST", "/rejudge", { body: {}, mode: "sandbox" });

  assert.equal(wrong.status, 422);
  assert.deepEqual([sandbox.status, sandbox.json["assetCount"]], [202, 0]);
});
