import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startTestService, type TestService, type TestWorkspace } from "@greenlit/server/testing/test-service.ts";

const program = fileURLToPath(new URL("../../bin/greenlit.js", import.meta.url));
const privacy = "privacy-metadata";

let service: TestService;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "greenlit-submit-"));
  service = await startTestService({ env: { GREENLIT_DEFAULT_SIDEKICKS: await sidekickId(privacy) } });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

type Result = { code: number; stdout: string; stderr: string };

function environment({ keys }: TestWorkspace): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", XDG_STATE_HOME: join(folder, "state"), GREENLIT_API_KEY: keys.live };
}

function greenlit(workspace: TestWorkspace, ...args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...args, "--server", service.url],
      { env: environment(workspace), maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

async function sidekickId(name: string): Promise<string> {
  const pack = await readFile(new URL(`../../../rulepacks/${name}/pack.yaml`, import.meta.url), "utf8");
  return /sidekickId: *"?([0-9a-f-]{36})/.exec(pack)?.[1] ?? assert.fail(`${name} has no id`);
}

async function note(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const leak = "Text Jo on 07911 123456 now.";

test("submit --wait prints the table of check, live findings on stderr, and exits 1", async () => {
  const workspace = await service.newWorkspace();
  const [bad, good] = [await note("leak.txt", leak), await note("clean.txt", "We open at nine.")];

  const { code, stdout, stderr } = await greenlit(workspace, "submit", bad, good, "--wait");

  assert.equal(code, 1, stderr);
  assert.match(stdout, /leak\.txt\n {2}(CRITICAL|MAJOR|MINOR) .*\n[^]*→ /);
  assert.match(stdout, /clean\.txt\n {2}nothing found[^]*2 files: 1 M/);
  assert.match(stderr, /(CRITICAL|MAJOR|MINOR) {2}XX-/);
});

test("submit writes the reports and the JSON of check, and --fail-on decides the exit code", async () => {
  const workspace = await service.newWorkspace();
  const reports = ["sarif", "junit", "html"].flatMap((kind) => [`--${kind}`, join(folder, `submitted.${kind}`)]);

  const { code, stdout } = await greenlit(
    workspace,
    "submit",
    await note("leak.txt", leak),
    ...reports,
    "--json",
    "--fail-on",
    "CRITICAL",
  );

  const { files } = JSON.parse(stdout) as { files: { submissionId: string; issues: { ruleCode: string }[] }[] };
  const [sarif = "", junit = "", html = ""] = await Promise.all(
    ["sarif", "junit", "html"].map((kind) => readFile(join(folder, `submitted.${kind}`), "utf8")),
  );
  const ruleCode = files[0]?.issues[0]?.ruleCode ?? assert.fail("nothing found");
  assert.equal(code, 0);
  for (const report of [sarif, junit, html]) assert.ok(report.includes(ruleCode));
  assert.match(files[0]?.submissionId ?? "", /^[0-9a-f-]{36}$/);
});

test("submit without --wait prints the submission; a file that cannot be checked is named with exit 2", async () => {
  const workspace = await service.newWorkspace();

  const { code, stdout } = await greenlit(
    workspace,
    "submit",
    await note("fine.txt", "Hello."),
    join(folder, "nowhere.mp4"),
    "--context",
    "jurisdictions=UK,IE",
    "--json",
  );

  const { submissions, failed } = JSON.parse(stdout) as {
    submissions: { submissionId: string }[];
    failed: { errorType: string }[];
  };
  const { json } = await workspace.call("GET", `/submissions/${submissions[0]?.submissionId}`);
  assert.equal(code, 2);
  assert.deepEqual(json["metadata"], { jurisdictions: ["UK", "IE"] });
  assert.equal(failed[0]?.errorType, "file_unreadable");
});

test("a file that the service refuses is one line of the report, and the others are submitted", async () => {
  const workspace = await service.newWorkspace();
  const files = [await note("not a film.mp4", "Hello."), await note("leak.txt", leak)];

  const { code, stdout, stderr } = await greenlit(workspace, "submit", ...files, "--json", "--wait");

  const [refused, checked] = (JSON.parse(stdout) as { files: { status: string; errorMessage: string }[] }).files;
  assert.equal(code, 2, stderr);
  assert.deepEqual([refused?.status, checked?.status], ["failed", "complete"]);
  assert.match(refused?.errorMessage ?? "", /extension does not fit/);
});

test("two files of one name are submitted apart", async () => {
  const workspace = await service.newWorkspace();
  await mkdir(join(folder, "other"), { recursive: true });
  const paths = [await note("same.txt", "One."), await note("other/same.txt", "Two.")];

  const { stdout } = await greenlit(workspace, "submit", ...paths, "--json");

  assert.equal((JSON.parse(stdout) as { submissions: unknown[] }).submissions.length, 2);
});

test("a wrong key and a service that is away are told in one line", async () => {
  const workspace = await service.newWorkspace();
  const file = await note("fine.txt", "Hello.");

  const wrong = await greenlit(workspace, "submit", file, "--key", "sk_live_wrong");

  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /API key/);
  assert.equal(wrong.stderr.trim().split("\n").length, 1);
});

test("an upload that was killed goes on where it was", async () => {
  const workspace = await service.newWorkspace();
  const path = await note("large.txt", "");
  await writeFile(path, Buffer.alloc(60 * 1024 * 1024, "A line of text.\n"));
  const args = [program, "submit", path, "--server", service.url];
  const killed = spawn(process.execPath, args, { env: environment(workspace) });
  const exited = once(killed, "exit");
  // The store is in this process. Four blocks go out at once, so that at the fifth request one was kept.
  let requests = 0;
  const killAtFifth = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.url?.includes("comp=block&") && ++requests === 5) killed.kill("SIGKILL");
  };
  subscribe("http.server.request.start", killAtFifth);
  const uploads = join(folder, "state/greenlit/uploads");
  const kept = async () => {
    const name = (await readdir(uploads).catch(() => [])).find((entry) => entry.endsWith(".json"));
    return name === undefined
      ? []
      : (JSON.parse(await readFile(join(uploads, name), "utf8")) as { blocks: number[] }).blocks;
  };
  await exited;
  unsubscribe("http.server.request.start", killAtFifth);
  const before = await kept();

  const { code, stdout } = await greenlit(workspace, "submit", path, "--json");

  const { submissions } = JSON.parse(stdout) as { submissions: { submissionId: string }[] };
  const { json } = await workspace.call("GET", `/submissions/${submissions[0]?.submissionId}`);
  assert.equal(code, 0);
  assert.ok(before.length > 0 && before.length < 8, `${before.length} blocks before the kill`);
  assert.equal((json["assets"] as { sizeBytes: number }[])[0]?.sizeBytes, 60 * 1024 * 1024);
  assert.deepEqual(await kept(), [], "nothing is left behind");
});

test("watch submits each complete file once across restarts, a changed one as a new version, and moves only when told", async () => {
  const workspace = await service.newWorkspace();
  const inbox = join(folder, "inbox");
  await mkdir(join(inbox, "reel"), { recursive: true });
  await writeFile(join(inbox, "one.txt"), leak);
  await writeFile(join(inbox, "reel/two.txt"), "We open at nine.");
  await writeFile(join(inbox, "three.txt.part"), "half");
  await writeFile(join(inbox, "empty.bin.tmp"), "");
  const watch = async (...args: string[]) => {
    const { code, stdout, stderr } = await greenlit(
      workspace,
      "watch",
      inbox,
      "--once",
      "--settle",
      "0.1",
      "--json",
      ...args,
    );
    assert.equal(code, 0, stderr);
    const events = stdout.trim() === "" ? [] : stdout.trim().split("\n");
    return events.map((line) => JSON.parse(line) as { event: string; path: string; submissionId: string });
  };

  const first = await watch();
  const second = await watch();
  await writeFile(join(inbox, "one.txt"), `${leak} Again.`);
  const third = await watch("--move-done", join(folder, "done"));

  const of = (events: { event: string; path: string }[]) =>
    events.map(({ event, path }) => `${event} ${path}`).toSorted();
  assert.deepEqual(of(first), [
    `done ${join(inbox, "one.txt")}`,
    `done ${join(inbox, "reel/two.txt")}`,
    `submitted ${join(inbox, "one.txt")}`,
    `submitted ${join(inbox, "reel/two.txt")}`,
  ]);
  assert.deepEqual(second, []);
  assert.deepEqual(of(third), [`done ${join(inbox, "one.txt")}`, `submitted ${join(inbox, "one.txt")}`]);
  const { json } = await workspace.call("GET", `/submissions/${third[0]?.submissionId}`);
  assert.equal((json["assets"] as { versionNumber: number }[])[0]?.versionNumber, 2);
  await access(join(folder, "done/one.txt"));
  await access(join(inbox, "reel/two.txt"));
});
