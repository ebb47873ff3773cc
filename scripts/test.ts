import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmbeddedPostgres } from "@greenlit/server/db/embedded-postgres.ts";
import { createMigratedDatabase } from "@greenlit/server/testing/test-database.ts";

/**
 * Runs the tests on one PostgreSQL: the embedded one on scratch data, or that of DATABASE_URL. Every test file makes
 * a database of its own in it, most as a copy of one that has the schema. Arguments go to the runner: `npm test -- server/src/http/gates.test.ts`.
 * LIST_SKIPPED names a file to write, with the test files in which something was skipped.
 */
const files = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith("-"));

await using stack = new AsyncDisposableStack();
const url = process.env["DATABASE_URL"] ?? (await startScratchPostgres());
const { name: template } = stack.use(await createMigratedDatabase(url));
// Hundreds of processes load the same modules: types are stripped and code compiled once, which takes half of a start.
const compiled = fileURLToPath(new URL("../node_modules/.cache/greenlit-tests", import.meta.url));
const cache = await mkdtemp(join(tmpdir(), "greenlit-test-cache-"));
stack.defer(() => rm(cache, { recursive: true, force: true }));
const { DATABASE_URL: _, ...environment } = process.env;

const child = spawn(
  process.execPath,
  [
    "--test",
    ...reporters(),
    // Node leaves one core free, and with it idle: most tests wait for a database or a child.
    `--test-concurrency=${availableParallelism()}`,
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
      NODE_COMPILE_CACHE: compiled,
    },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
process.exitCode = await new Promise<number>((resolve) => child.on("exit", (code) => resolve(code ?? 1)));

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
