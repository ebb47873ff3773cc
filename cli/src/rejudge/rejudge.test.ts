import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startTestService, type TestService } from "@greenlit/server/testing/test-service.ts";

const program = fileURLToPath(new URL("../../bin/greenlit.js", import.meta.url));

let service: TestService;
let folder: string;
let packs: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "greenlit-rejudge-"));
  packs = await writePack();
  service = await startTestService({ env: { GREENLIT_PACKS_DIR: packs } });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function greenlit(key: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env["PATH"] ?? "", GREENLIT_API_KEY: key };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

const houseId = "5a1c7e20-4b3d-4c8e-9f60-1d2e3f4a5b6c";

async function writePack(): Promise<string> {
  const pack = join(folder, "packs", "house");
  await mkdir(pack, { recursive: true });
  await writeFile(
    join(pack, "pack.yaml"),
    `sidekickId: ${houseId}\nname: House style\ndescription: Words that we do not use.\nversion: 1.0.0\n`,
  );
  await writeFile(
    join(pack, "house-lucky.yaml"),
    [
      "code: HOUSE-LUCKY",
      "summary: Uses the word lucky",
      "severity: MAJOR",
      "why: We do not use this word.",
      "fix: Leave it out.",
      "check: { kind: phrase, anyOf: [lucky] }",
      "fails: [A lucky day., The lucky one., So lucky it is.]",
      "passes: [A plain day., The other one., So it is.]",
    ].join("\n"),
  );
  return join(folder, "packs");
}

test("a pack author sees what a new rule would have found, and the service is asked to judge again", async () => {
  const workspace = await service.newWorkspace();
  const health = "6b1f2a7e-93c4-4d0f-8a55-2f0c7d1e3b11";
  for (const [filename, bytes, sidekickId] of [
    ["lucky.txt", "A lucky day for all of us.\n", health],
    ["plain.txt", "A plain day for all of us.\n", health],
    ["known.txt", "The lucky one.\n", houseId],
  ] as const) {
    const blobPath = await workspace.upload({ filename, bytes });
    const { submissionId } = await workspace.submit({ assets: [{ blobPath }], sidekickIds: [sidekickId] });
    await workspace.finish(submissionId);
  }
  const server = ["--server", service.url];
  const csv = join(folder, "changes.csv");

  const { live } = workspace.keys;
  const tried = await greenlit(live, "rules", "backtest", packs, "--since", "1d", "--json", ...server);
  const judged = await greenlit(workspace.keys.live, "rejudge", "--since", "1d", "--csv", csv, ...server);
  const upcoming = await greenlit(workspace.keys.live, "rules", "upcoming", ...server);
  const wrong = await greenlit(workspace.keys.live, "rejudge", "--since", "lately", ...server);

  const found = JSON.parse(tried.stdout) as {
    judged: number;
    changed: number;
    rules: { samples: { change: string; filename: string }[] }[];
  };
  assert.deepEqual([found.judged, found.changed], [3, 1], tried.stderr);
  const shown = found.rules.flatMap(({ samples }) => samples.map(({ change, filename }) => `${change} ${filename}`));
  assert.deepEqual(shown, ["new lucky.txt"]);
  assert.match(judged.stdout, /3 assets judged, 0 of them would change/, judged.stderr);
  assert.match(await readFile(csv, "utf8"), /^submissionId,assetId,filename/);
  assert.match(upcoming.stdout, /assets were judged/, upcoming.stderr);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /--since must be a span like 90d/);
});

test("check says what markets would make of a file, and never calls a thin one clear", async () => {
  const file = join(folder, "tea.txt");
  await writeFile(file, "Our tea cures arthritis and cancer in a week, guaranteed.\n");
  const clean = join(folder, "hours.txt");
  await writeFile(clean, "We open at nine.\n");

  const { stdout, stderr } = await greenlit("", "check", file, clean, "--markets", "UK:online,PL:tv", "--json");
  const unknown = await greenlit("", "check", clean, "--markets", "ZZ:tv");

  const { files } = JSON.parse(stdout) as {
    files: { verdicts: { markets: { market: string; verdict: string }[]; fixes: unknown[] } }[];
  };
  const verdicts = files.map(({ verdicts: { markets } }) => markets.map(({ verdict }) => verdict));
  assert.ok(["blocked", "changes_needed"].includes(verdicts[0]?.[0] ?? ""), stderr);
  assert.ok((files[0]?.verdicts.fixes.length ?? 0) > 0);
  assert.deepEqual(verdicts[1], ["clear", "not_assessed"]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /There is no market "ZZ:tv"/);
});
