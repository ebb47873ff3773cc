import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildEngine } from "@greenlit/engine/build-engine.ts";
import { startEmbeddedPostgres } from "@greenlit/server/db/embedded-postgres.ts";
import { createMigratedDatabase } from "@greenlit/server/testing/test-database.ts";

/**
 * Runs the tests on one PostgreSQL: the embedded one on scratch data, or that of DATABASE_URL. Every test file makes
 * a database of its own in it, most as a copy of one that has the schema. Arguments go to the runner: `npm test -- server/src/http/gates.test.ts`.
 * LIST_SKIPPED names a file to write, with the test files in which something was skipped.
 * `--times` prints at the end which files took the most processor time, with their child processes (Linux only).
 */
const files = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith("-") && argument !== "--times");
const isTimed = process.argv.includes("--times");

await using stack = new AsyncDisposableStack();
const [url, cache] = await Promise.all([process.env["DATABASE_URL"] ?? startScratchPostgres(), makeCache()]);
const { name: template } = stack.use(await createMigratedDatabase(url));
// Hundreds of processes load the same modules: types are stripped and code compiled once, which takes half of a start.
const compiled = fileURLToPath(new URL("../node_modules/.cache/greenlit-tests", import.meta.url));
const times = join(cache, "times");
const { DATABASE_URL: _, ...environment } = process.env;

const child = spawn(
  process.execPath,
  [
    "--test",
    ...reporters(),
    // Node leaves one core free, and with it idle: most tests wait for a database or a child.
    `--test-concurrency=${availableParallelism()}`,
    "--import=./scripts/before-test-file.ts",
    ...flags,
    ...(files.length > 0 ? files : ["{engine,server,sdk,console,cli,bench}/src/**/*.test.ts"]),
  ],
  {
    stdio: "inherit",
    env: {
      ...environment,
      GREENLIT_TEST_DATABASE_URL: url,
      GREENLIT_TEST_TEMPLATE: template,
      GREENLIT_TEST_CACHE: cache,
      GREENLIT_TEST_CODE: join(cache, "code"),
      NODE_COMPILE_CACHE: compiled,
      ...(isTimed && { GREENLIT_TEST_TIMES: times }),
    },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
process.exitCode = await new Promise<number>((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
if (isTimed) await printTimes();

async function printTimes(): Promise<void> {
  const lines = (await readFile(times, "utf8").catch(() => "")).split("\n").filter(Boolean);
  const seconds = (line: string) => Number.parseFloat(line);
  const total = lines.reduce((sum, line) => sum + seconds(line), 0);
  console.log(`\n${total.toFixed(0)} s of processor time in ${lines.length} files. The most expensive:`);
  for (const line of lines.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, 20)) console.log(line);
}

function reporters(): string[] {
  const spec = ["--test-reporter=spec", "--test-reporter-destination=stdout"];
  const list = process.env["LIST_SKIPPED"];
  if (list === undefined) return spec;
  return [...spec, "--test-reporter=./scripts/skipped-files.ts", `--test-reporter-destination=${list}`];
}

async function startScratchPostgres(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "greenlit-test-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // As root PostgreSQL runs as another user, who must be able to enter.
  await chmod(folder, 0o755);
  return stack.use(await startEmbeddedPostgres({ dataFolder: folder })).url;
}

/** What all test files share. Open to be read, or a worker that has become nobody would start from its source, which takes twice as long. */
async function makeCache(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "greenlit-test-cache-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  for (const name of ["analysis", "engine", "greenlit"]) await mkdir(join(folder, name), { mode: 0o755 });
  await buildEngine({ codeFolder: join(folder, "code"), snapshotFile: join(folder, "one-jail.cjs") });
  return folder;
}
