import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { AnalysisError } from "../analysis-error.ts";
import { useBuiltCode } from "./built-code.ts";
import { findJail, type Jail, spawnJailed, workingJails } from "./jail.ts";
import { runWorker } from "./worker.ts";
import type { NosyReport, NosyRequest } from "../testing/nosy-worker.ts";
import { descendantsOf } from "../testing/processes.ts";
import { makeScratch } from "../testing/scratch.ts";

const module = fileURLToPath(new URL("../testing/nosy-worker.ts", import.meta.url));
const jails: Jail[] = [];
for await (const jail of workingJails()) jails.push(jail);

function run<Result>(
  request: NosyRequest,
  options: { inputFile: string; jail?: Jail; timeoutSeconds?: number; signal?: AbortSignal; memoryBytes?: number },
) {
  return runWorker<Result>({ module, request, what: "file", timeoutSeconds: 120, ...options });
}

for (const jail of jails) {
  test(`a worker sees its input and nothing of ours behind ${jail.kind}`, async () => {
    await using scratch = await makeScratch();
    const inputFile = await scratch.write("input", "hello");
    const secretFile = await scratch.write("secret", "password");
    await using server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;

    const report = await run<NosyReport>({ act: "look", port, secretFile }, { inputFile, jail });

    assert.equal(report.firstByte, "h");
    // bubblewrap adds where it starts the program.
    const environment = report.environment.filter((name) => name !== "PWD");
    assert.deepEqual(environment, ["HOME", "LANG", "PATH", "TMPDIR", "TZ"]);
    assert.equal(report.canConnect, !jail.isolatesNetwork);
    assert.equal(report.canReadSecret, !jail.isolatesFiles && !jail.dropsUser);
    if (jail.isolatesFiles) assert.equal(report.canListHome, false);
    if (jail.tools.prlimit !== null) assert.equal(report.canWrite, false);
    if (jail.dropsUser) assert.equal(report.uid, 65_534);
  });

  test(`a private input is readable and never as a user with rights behind ${jail.kind}`, async () => {
    await using scratch = await makeScratch();
    const inputFile = await scratch.write("input", "hello");
    await chmod(inputFile, 0o600);

    const report = await run<NosyReport>({ act: "look", port: 1, secretFile: inputFile }, { inputFile, jail });

    assert.equal(report.firstByte, "h");
  });

  test(`a worker runs the built code where it can read it, else the source, behind ${jail.kind}`, async (t) => {
    await using scratch = await makeScratch();
    const inputFile = await scratch.write("input", "hello");
    await mkdir(join(scratch.folder, "code/testing"), { recursive: true });
    const answer = JSON.stringify(JSON.stringify({ result: { firstByte: "built" } }));
    await scratch.write("code/testing/nosy-worker.mjs", `(await import("fs")).writeSync(3, ${answer} + "\\n");`);
    useBuiltCode({ codeFolder: join(scratch.folder, "code") });
    t.after(() => useBuiltCode(undefined));
    const look = () => run<NosyReport>({ act: "look", port: 1, secretFile: inputFile }, { inputFile, jail });

    const ofPrivate = await look();
    await chmod(scratch.folder, 0o755);
    const ofOpen = await look();

    assert.equal(ofPrivate.firstByte, jail.isolatesFiles || !jail.dropsUser ? "built" : "h");
    assert.equal(ofOpen.firstByte, "built");
  });

  test(`what killed a program is told behind ${jail.kind}`, async () => {
    const child = await spawnJailed({
      program: "/bin/sh",
      args: () => ["-c", "echo ready; exec sleep 60"],
      inputFile: null,
      limits: {},
      timeoutSeconds: 60,
      jail,
    });
    await once(child.pipe(1), "data");

    // The innermost one: a jail around it lives on.
    process.kill(Math.max(...descendantsOf(process.pid)), "SIGKILL");

    assert.equal((await child.ended).signal, "SIGKILL");
  });
}

test("analyzer_timeout when a worker spins", async () => {
  await using scratch = await makeScratch();
  const inputFile = await scratch.write("input", "hello");

  await assert.rejects(run({ act: "spin" }, { inputFile, timeoutSeconds: 1 }), hasType("analyzer_timeout"));
});

const unlimited =
  (jails[0]?.tools.prlimit ?? null) === null ? "prlimit is missing, so nothing limits memory here" : false;

test("analyzer_crashed when a worker takes more memory than it may", { skip: unlimited }, async () => {
  await using scratch = await makeScratch();
  const inputFile = await scratch.write("input", "hello");

  await assert.rejects(run({ act: "hoard" }, { inputFile, memoryBytes: 64 * 2 ** 20 }), hasType("analyzer_crashed"));
});

test("analyzer_crashed when a worker answers more than it may, or throws", async () => {
  await using scratch = await makeScratch();
  const inputFile = await scratch.write("input", "hello");

  const shout = runWorker({
    module,
    request: { act: "shout" },
    what: "file",
    timeoutSeconds: 120,
    inputFile,
    maxResultBytes: 2 ** 20,
  });

  await assert.rejects(shout, hasType("analyzer_crashed"));
  await assert.rejects(run({ act: "throw" }, { inputFile }), hasType("analyzer_crashed"));
});

test("a worker that would spin for two minutes stops when the signal aborts", async () => {
  await using scratch = await makeScratch();
  const inputFile = await scratch.write("input", "hello");
  const abort = new AbortController();
  const running = run({ act: "spin" }, { inputFile, signal: abort.signal });
  setTimeout(() => abort.abort(new Error("enough")), 300);

  await assert.rejects(running, /enough/);
});

test("the jail that is found says what it does", async () => {
  const jail = await findJail();

  assert.deepEqual(jail, jails[0]);
  assert.match(jail.description, /bubblewrap|unshare|plain child/);
});

function hasType(errorType: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof AnalysisError, String(error));
    assert.equal(error.errorType, errorType, `${error.message} ${String(error.cause)}`);
    return true;
  };
}
