import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { until } from "@greenlit/engine/testing/until.ts";
import { stagePackage } from "../../scripts/stage-package.ts";

/** Below `node_modules`, where Node strips no types; its dependencies are those of the repository around it. */
const place = fileURLToPath(new URL("../../node_modules/.greenlit-package-test/", import.meta.url));
const installed = join(place, "node_modules/greenlit");
const program = join(installed, "cli/bin/greenlit.js");

let home: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "greenlit-installed-"));
  await chmod(home, 0o755);
  await mkdir(installed, { recursive: true });
  await stagePackage(installed);
});
after(async () => {
  await rm(place, { recursive: true, force: true });
  await rm(home, { recursive: true, force: true });
});

const environment = () => ({ PATH: process.env["PATH"] ?? "", HOME: home });

test("the package has no TypeScript, no test, and imports nothing of the repository", async () => {
  const files = (await readdir(installed, { recursive: true })).filter((file) => !file.startsWith("node_modules/"));
  const foreign = [];
  for (const file of files.filter((name) => name.endsWith(".js")))
    if (/(?:from|import\()\s*"@greenlit\//.test(await readFile(join(installed, file), "utf8"))) foreign.push(file);

  assert.deepEqual(
    files.filter((file) => /\.tsx?$|\.test\./.test(file)),
    [],
  );
  assert.deepEqual(foreign, []);
  assert.ok(files.includes("rulepacks/markets.yaml"));
});

test("check finds in documents and pictures what it finds in the repository", async () => {
  const golden = fileURLToPath(new URL("../../engine/golden/files/", import.meta.url));
  // The picture is read and judged by models, which come from the packages inside the package.
  const files = ["claims.pdf", "prompt.png"].map((name) => join(golden, name));
  const check = (path: string) =>
    new Promise<{ files: { status: string; issues: { fingerprint: string }[] }[] }>((resolve, reject) => {
      const args = [path, "check", ...files, "--json", "--fail-on", "never"];
      execFile(process.execPath, args, { env: environment() }, (error, stdout, stderr) =>
        error ? reject(new Error(stdout + stderr, { cause: error })) : resolve(JSON.parse(stdout) as never),
      );
    });

  const found = await check(program);
  const here = await check(fileURLToPath(new URL("../bin/greenlit.js", import.meta.url)));

  assert.ok((here.files[0]?.issues.length ?? 0) > 0);
  const findings = (result: typeof here) =>
    result.files.map(({ status, issues }) => ({ status, found: issues.map(({ fingerprint }) => fingerprint) }));
  assert.deepEqual(findings(found), findings(here));
});

test("serve answers with the console that the package brings", async () => {
  const child = spawn(process.execPath, [program, "serve", "--json"], {
    env: { ...environment(), GREENLIT_PORT: "0", GREENLIT_STORE_PORT: "0", GREENLIT_DATA_DIR: join(home, "data") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (bytes: Buffer) => (printed += bytes.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  await until(() => printed.includes("\n") || child.exitCode !== null);
  const { apiUrl } = JSON.parse(printed) as { apiUrl: string };

  const ready = await fetch(`${apiUrl}/readyz`);
  const page = await (await fetch(`${apiUrl}/console`)).text();
  const [script = ""] = /console-[\w-]+\.js/.exec(page) ?? [];
  const shipped = await readdir(join(installed, "server/src/http/console/built"));
  child.kill("SIGTERM");

  assert.equal(ready.status, 200);
  assert.ok(shipped.includes(script), `${script} is not among ${shipped.join(", ")}`);
  assert.equal(await ended, 0);
});
