import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
let folder: string;
let work: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "greenlit-changes-"));
  work = join(folder, "campaign");
  await mkdir(join(work, "copy"), { recursive: true });
  await writeFile(join(work, "copy/old.txt"), "This old bracelet cures arthritis.");
  await writeFile(join(work, "gone.txt"), "This gone bracelet cures arthritis.");
  git("init", "--quiet");
  commit("First");
  await writeFile(join(work, "copy/new copy.txt"), "This copper bracelet cures arthritis.");
  await writeFile(join(work, "program.ts"), 'export const claim = "This bracelet cures arthritis.";');
  await rm(join(work, "gone.txt"));
  commit("Second");
});
after(() => rm(folder, { recursive: true, force: true }));

function git(...args: string[]): void {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...who, ...args], { cwd: work });
}

function commit(message: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
}

type Sarif = { runs: { artifacts: { location: { uri: string } }[]; results: { ruleId: string }[] }[] };

function run(
  program: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const environment = { PATH: process.env["PATH"] ?? "", HOME: folder, ...env };
    execFile(program, args, { cwd: work, env: environment }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, out: stdout + stderr }),
    );
  });
}

test("the action checks the changed copy alone, fails on its finding, and hands over SARIF with relative paths", async () => {
  const action = parse(await readFile(join(repository, "action.yml"), "utf8")) as {
    runs: { steps: { id?: string; run?: string }[] };
  };
  const step = action.runs.steps.find(({ id }) => id === "check")?.run ?? "";
  const output = join(folder, "output");

  const { code, out } = await run("bash", ["-eo", "pipefail", "-c", step], {
    GITHUB_ACTION_PATH: repository,
    GITHUB_OUTPUT: output,
    RUNNER_TEMP: folder,
    BASE: "HEAD~1",
    CONTEXT: "jurisdictions=UK\n",
    FAIL_ON: "MAJOR",
  });

  assert.equal(code, 1, out);
  const sarif = join(folder, "greenlit.sarif");
  assert.equal(await readFile(output, "utf8"), `sarif=${sarif}\n`);
  const [result] = (JSON.parse(await readFile(sarif, "utf8")) as Sarif).runs;
  assert.deepEqual(
    result?.artifacts.map(({ location }) => location.uri),
    ["copy/new%20copy.txt"],
  );
  assert.ok((result?.results.length ?? 0) > 0);
});

test("nothing changed is a success with an empty report; a commit that is not there is said", async () => {
  const program = join(repository, "cli/bin/greenlit.js");
  const sarif = join(folder, "empty.sarif");

  const none = await run(process.execPath, [program, "check", "--changed-since", "HEAD", "--sarif", sarif]);
  const unknown = await run(process.execPath, [program, "check", "--changed-since", "nowhere"]);
  const nothing = await run(process.execPath, [program, "check"]);

  assert.equal(none.code, 0, none.out);
  assert.deepEqual((JSON.parse(await readFile(sarif, "utf8")) as Sarif).runs[0]?.results, []);
  assert.equal(unknown.code, 2, unknown.out);
  assert.match(unknown.out, /Name a commit or branch/);
  assert.equal(nothing.code, 2, nothing.out);
  assert.match(nothing.out, /Name the files to check/);
});

test("the hook of pre-commit checks the files that it is given", async () => {
  const [hook] = parse(await readFile(join(repository, ".pre-commit-hooks.yaml"), "utf8")) as {
    entry: string;
    args: string[];
    files: string;
  }[];

  const { code, out } = await run(join(repository, hook?.entry ?? ""), [...(hook?.args ?? []), "copy/new copy.txt"]);

  assert.equal(code, 1, out);
  assert.match(out, /XX-DISEASE/);
  const pattern = new RegExp(hook?.files.replace("(?i)", "") ?? "", "i");
  assert.ok(pattern.test("AD.MOV") && pattern.test("a/b.txt") && !pattern.test("program.ts"));
});
