import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { appendFile, chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { builtInPacksFolder } from "@greenlit/engine/rules/load-packs.ts";
import { until } from "@greenlit/engine/testing/until.ts";
import { createTestDatabase } from "@greenlit/server/testing/test-database.ts";

const program = fileURLToPath(new URL("../bin/greenlit.js", import.meta.url));

let folder: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
before(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "greenlit-cli-"));
  await chmod(folder, 0o755);
});
after(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

type Result = { code: number; stdout: string; stderr: string };

function run(
  args: string[],
  env: Record<string, string> = { DATABASE_URL: database.url },
  openFiles?: number,
): Promise<Result> {
  const limited = ["/bin/sh", "-c", `ulimit -n ${openFiles}; exec "$0" "$@"`];
  const [file = "", ...rest] = [...(openFiles === undefined ? [] : limited), process.execPath, program, ...args];
  return new Promise((resolve) => {
    execFile(file, rest, { env: { PATH: process.env["PATH"] ?? "", ...env } }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr }),
    );
  });
}

async function json(args: string[], env?: Record<string, string>): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run([...args, "--json"], env);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

test("workspaces and keys are created, listed and revoked", async () => {
  const workspace = await json(["workspaces", "create", "--name", "acme", "--plan", "starter"]);
  const key = await json([
    "keys",
    "create",
    "--workspace",
    "acme",
    "--mode",
    "live",
    "--name",
    "pipeline",
    "--expires",
    "90d",
  ]);
  const sandbox = await json(["keys", "create", "--workspace", String(workspace["workspaceId"]), "--mode", "sandbox"]);
  const revoked = await json(["keys", "revoke", String(key["keyId"])]);
  const list = (await json(["keys", "list", "--workspace", "acme"])) as unknown as Record<string, unknown>[];

  assert.deepEqual(Object.keys(workspace), ["workspaceId", "name", "plan"]);
  assert.match(String(workspace["workspaceId"]), /^ws_[a-z2-7]{16}$/);
  assert.deepEqual(Object.keys(key), ["keyId", "workspaceId", "mode", "key"]);
  assert.match(String(key["key"]), /^sk_live_[0-9a-f]{64}$/);
  assert.match(String(sandbox["key"]), /^sk_test_[0-9a-f]{64}$/);
  assert.equal(revoked["keyId"], key["keyId"]);
  assert.deepEqual(
    list.map(({ mode, state, name }) => [mode, state, name]),
    [
      ["live", "revoked", "pipeline"],
      ["sandbox", "active", null],
    ],
  );
  assert.ok(!JSON.stringify(list).includes(String(sandbox["key"])));
});

test("doctor names every part, and a limit of file descriptors that is too low with what is needed", async () => {
  const { stdout } = await run(["doctor", "--json"], { DATABASE_URL: database.url }, 256);

  const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; message: string }[] };
  assert.deepEqual(
    checks.slice(0, 8).map(({ name }) => name),
    ["node", "postgresql", "store", "disk", "file descriptors", "jail", "decoder", "models"],
  );
  const files = checks.find(({ name }) => name === "file descriptors");
  assert.equal(files?.status, "warning");
  assert.match(files?.message ?? "", /may open 256 files, and needs \d+ .*ulimit -n/);
});

test("a table for people names what was made, and tells the next step", async () => {
  const created = await run(["workspaces", "create", "--name", "people"]);
  const list = await run(["workspaces", "list"]);

  assert.match(
    created.stdout,
    /Created workspace people \(ws_\w+\) on plan local\.\nNext: greenlit keys create --workspace people --mode live/,
  );
  assert.match(list.stdout, /^workspace +name +plan +credits +created/);
});

test("credits are granted to a metered workspace, and a grant meters one that was not", async () => {
  await json(["workspaces", "create", "--name", "metered", "--credits", "0"]);
  await json(["workspaces", "create", "--name", "free-rider"]);

  const before = await json(["credits", "balance", "--workspace", "metered"]);
  const granted = await json(["credits", "grant", "--workspace", "metered", "--amount", "12"]);
  const unmetered = await json(["credits", "balance", "--workspace", "free-rider"]);
  const told = await run(["credits", "grant", "--workspace", "free-rider", "--amount", "5"]);

  assert.deepEqual([before["balance"], granted["balance"], unmetered["isMetered"]], [0, 12, false]);
  assert.match(told.stdout, /was not metered before/);
});

for (const [args, message] of [
  [
    ["keys", "create", "--workspace", "nobody", "--mode", "live"],
    /There is no workspace "nobody"\. See them with: greenlit workspaces list/,
  ],
  [["keys", "create", "--workspace", "acme", "--mode", "prod"], /Allowed choices are live, sandbox/],
  [["keys", "create", "--workspace", "acme", "--mode", "live", "--expires", "soon"], /duration like 12h or 90d/],
  [["keys", "create", "--workspace", "acme", "--mode", "live", "--expires", "999999999d"], /duration like 12h or 90d/],
  [["keys", "revoke", "x"], /There is no key "x"/],
  [
    ["workspaces", "create", "--name", "twice", "--plan", "gold"],
    /There is no plan "gold"\. The plans are: free, starter, growth, scale, local\./,
  ],
  [["workspaces", "create", "--name", "a/b"], /no name for a workspace/],
  [["workspaces", "set-plan", "--workspace", "acme"], /required option '--plan <plan>'/],
  [["credits", "grant", "--workspace", "acme", "--amount", "-1"], /whole number/],
  [["rules", "list", "--packs", "/nowhere"], /\/nowhere:1: is not a folder that can be read/],
  [["rules", "list", "--packs", join(builtInPacksFolder, "alcohol")], /is a pack itself: name the folder/],
  [
    ["webhooks", "verify", "--secret", "whsec_x", "--headers", "/nowhere", "--body", "/nowhere"],
    /\/nowhere cannot be used: ENOENT: no such file or directory\./,
  ],
  [
    ["webhooks", "listen", "--forward-to", "http://localhost:1", "--key", "x", "--secret", "x"],
    /It must be whsec_ followed by base64/,
  ],
  [["frobnicate"], /unknown command 'frobnicate'/],
] as [string[], RegExp][])
  test(`exit 1 and a clear line for: greenlit ${args.join(" ")}`, async () => {
    const { code, stderr } = await run(args);

    assert.equal(code, 1);
    assert.match(stderr, message);
    assert.ok(!stderr.includes("    at "), stderr);
  });

test("exit 1 for the rules of a folder that holds none", async () => {
  const { code, stdout } = await run(["rules", "test", folder]);

  assert.equal(code, 1);
  assert.match(stdout, /holds no pack with a rule/);
});

for (const [what, environment, message] of [
  [
    "a user that is not there",
    (url: string) => ({ DATABASE_URL: changed(url, { username: "nobody-here" }) }),
    /refused: /,
  ],
  [
    "a database that is not there",
    (url: string) => ({ DATABASE_URL: changed(url, { pathname: "/nowhere" }) }),
    /The database refused: database "nowhere" does not exist\. Check DATABASE_URL\./,
  ],
  [
    "a database that is out of reach",
    (url: string) => ({ DATABASE_URL: changed(url, { port: "1" }) }),
    /The database cannot be reached: .*ECONNREFUSED/,
  ],
  ["packs that are not there", () => ({ GREENLIT_PACKS_DIR: "/nowhere" }), /\/nowhere:1: is not a folder/],
  ["a default sidekick that is unknown", () => ({ GREENLIT_DEFAULT_SIDEKICKS: "x" }), /names x, which no pack has/],
  ["a log that cannot be written", () => ({ GREENLIT_LOG: tmpdir() }), /The log .* cannot be written.*GREENLIT_LOG/],
] as [string, (url: string) => Record<string, string>, RegExp][])
  test(`the start ends with a clear line for ${what}`, async () => {
    const { exit, stderr } = await serve({
      DATABASE_URL: database.url,
      GREENLIT_ALLOW_NO_JAIL: "true",
      GREENLIT_DATA_DIR: join(folder, "refused"),
      ...environment(database.url),
    });

    assert.equal(await exit, 1);
    assert.match(stderr(), message);
    assert.ok(!stderr().includes("    at "), stderr());
  });

function changed(url: string, parts: Partial<URL>): string {
  return Object.assign(new URL(url), parts).href;
}

test("help teaches, on every level", async () => {
  const [whole, command] = [await run(["--help"]), await run(["keys", "create", "--help"])];

  assert.match(whole.stdout, /Examples:[^]*GREENLIT_DATA_DIR/);
  assert.match(command.stdout, /--json[^]*Example:\n {2}\$ greenlit keys create/);
});

type Serving = {
  child: ChildProcess;
  info: Record<string, unknown>;
  exit: Promise<number | null>;
  stderr: () => string;
};

/** Starts the service and waits for the line that says it is up. */
async function serve(env: Record<string, string>): Promise<Serving> {
  const child = spawn(process.execPath, [program, "serve", "--json"], {
    env: { PATH: process.env["PATH"] ?? "", GREENLIT_PORT: "0", GREENLIT_STORE_PORT: "0", ...env },
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  const line = new Promise<string>((resolve) =>
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString())),
  );
  const first = await Promise.race([line, exit.then(() => "")]);
  return {
    child,
    info: first === "" ? {} : (JSON.parse(first) as Record<string, unknown>),
    exit,
    stderr: () => stderr,
  };
}

test("the embedded service: keys are shown once, commands work beside it, a second start says who holds the folder, SIGTERM drains", async () => {
  const env = { GREENLIT_DATA_DIR: join(folder, "embedded") };
  const first = await serve(env);
  const { liveKey } = first.info["firstWorkspace"] as { liveKey: string };
  const call = async (base: unknown, key: unknown) =>
    (await fetch(`${String(base)}/api/integrations/limits`, { headers: { "x-api-key": String(key) } })).status;

  assert.equal(await call(first.info["apiUrl"], liveKey), 200);
  const beside = await json(["keys", "create", "--workspace", "default", "--mode", "sandbox"], env);
  assert.equal(await call(first.info["apiUrl"], beside["key"]), 200);
  const second = await serve(env);
  assert.equal(await second.exit, 1);
  assert.match(second.stderr(), /in use by `greenlit serve` \(process \d+/);

  first.child.kill("SIGTERM");
  assert.equal(await first.exit, 0, first.stderr());
  const stopped = (await json(["workspaces", "list"], env)) as unknown as { name: string }[];
  assert.deepEqual(
    stopped.map(({ name }) => name),
    ["default"],
  );
  const again = await serve(env);
  assert.equal(again.info["firstWorkspace"], undefined);
  assert.equal(await call(again.info["apiUrl"], liveKey), 200);
  again.child.kill("SIGINT");
  assert.equal(await again.exit, 0, again.stderr());
});

test("a service that is killed has kept its code for the next start, where nobody else can write", async (t) => {
  // The first process on a database decides which secret key belongs to it.
  await using own = await createTestDatabase();
  const cache = join(folder, "cache");
  const start = async () => {
    const started = await serve({
      DATABASE_URL: own.url,
      GREENLIT_ALLOW_NO_JAIL: "true",
      GREENLIT_DATA_DIR: join(folder, "killed"),
      XDG_CACHE_HOME: cache,
    });
    t.after(() => started.child.kill("SIGKILL"));
    return started;
  };
  const filesIn = (name: string) => readdir(join(cache, "greenlit", name), { recursive: true }).catch(() => []);

  const first = await start();
  await until(async () => (await filesIn("compiled")).length > 500);
  await until(async () => (await filesIn("service")).some((name) => /^\w+\/serve\.mjs$/.test(name)));
  first.child.kill("SIGKILL");
  assert.equal(await first.exit, null);

  const kept = (await filesIn("service")).find((name) => name.endsWith("serve.mjs"));
  await appendFile(join(cache, "greenlit", "service", kept ?? ""), 'console.error("from what was kept");');
  const again = await start();
  assert.match(again.stderr(), /from what was kept/);
  assert.equal((await fetch(`${String(again.info["apiUrl"])}/docs`)).status, 200);
  again.child.kill("SIGTERM");
  assert.equal(await again.exit, 0, again.stderr());

  await chmod(join(cache, "greenlit"), 0o777);
  const distrustful = await start();
  assert.doesNotMatch(distrustful.stderr(), /from what was kept/);
  distrustful.child.kill("SIGTERM");
  assert.equal(await distrustful.exit, 0, distrustful.stderr());
});

test("a port in use says which, and how to choose another", async () => {
  await using taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as AddressInfo;

  const { exit, stderr } = await serve({
    DATABASE_URL: database.url,
    GREENLIT_ALLOW_NO_JAIL: "true",
    GREENLIT_DATA_DIR: join(folder, "port"),
    GREENLIT_PORT: String(port),
  });

  assert.equal(await exit, 1);
  assert.match(
    stderr(),
    new RegExp(`Port ${port} on 127.0.0.1 is in use by another program.*GREENLIT_PORT=${port + 10}`),
  );
});

test("a wrong setting stops the start with all mistakes; roles say what they need", async () => {
  const wrong = await run(["serve"], { GREENLIT_PORT: "x", GREENLIT_STORE: "disk" });
  const role = await run(["serve", "--role", "worker"], { GREENLIT_DATA_DIR: join(folder, "role") });

  assert.deepEqual([wrong.code, wrong.stderr.trim().split("\n").length], [1, 2]);
  assert.equal(role.code, 1);
  assert.match(role.stderr, /--role worker .* needs DATABASE_URL.*a store they share.*GREENLIT_SECRET_KEY/);
});
