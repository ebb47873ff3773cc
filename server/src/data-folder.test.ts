import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, realpath, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import {
  claimDataFolder,
  DataFolderBusy,
  DataFolderUnusable,
  locateDataFolder,
  postgresUser,
  readHolder,
} from "./data-folder.ts";

const isRoot = postgresUser() !== null;
const onlyRoot = { skip: isRoot ? false : "only root runs PostgreSQL as another user" };

test("the wanted folder is used when it can serve", async (t) => {
  const dir = join(await newFolder(t), "deep", "data");

  await using claim = await claimDataFolder({ dir, command: "greenlit serve" });

  assert.deepEqual(locateDataFolder(dir), { path: dir, moved: null });
  assert.equal(claim.path, dir);
  assert.equal(claim.moved, null);
});

test("a folder is new until there is data in it", async (t) => {
  const dir = await newFolder(t);
  const claims = [];

  for (const data of ["", "store"]) {
    await using claim = await claimDataFolder({ dir, command: "greenlit serve" });
    claims.push(claim.isNew);
    await mkdir(join(dir, data), { recursive: true });
  }
  await using third = await claimDataFolder({ dir, command: "greenlit serve" });

  assert.deepEqual([...claims, third.isNew], [true, true, false]);
});

test("a second claim is refused and names the holder", async (t) => {
  const dir = await newFolder(t);
  const service = startClaimer(t, { dir, command: "greenlit serve" });
  assert.equal(await nextLine(service), "held");

  const refused = claimDataFolder({ dir, command: "greenlit keys" });

  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof DataFolderBusy);
    assert.match(
      error.message,
      /^The data folder \S+ is in use by `greenlit serve` \(process \d+, since \d{4}-\d\d-\d\d \d\d:\d\d UTC\)\. Stop it, or choose another folder with GREENLIT_DATA_DIR\.$/,
    );
    assert.equal(error.holder?.pid, service.pid);
    return true;
  });
});

test("a second claim in the same process is refused too, and looking does not let go", async (t) => {
  const dir = await newFolder(t);
  await using claim = await claimDataFolder({ dir, command: "greenlit serve" });

  await assert.rejects(claimDataFolder({ dir, command: "greenlit serve" }), DataFolderBusy);
  assert.equal(readHolder(claim.path)?.pid, process.pid);

  assert.equal(await nextLine(startClaimer(t, { dir, command: "other" })), "DataFolderBusy");
});

test("the folder is free as soon as it is let go", async (t) => {
  const dir = await newFolder(t);
  {
    await using claim = await claimDataFolder({ dir, command: "greenlit serve" });
    assert.equal(readHolder(claim.path)?.command, "greenlit serve");
  }

  assert.equal(readHolder(dir), null);
  await using again = await claimDataFolder({ dir, command: "greenlit serve" });
  assert.equal(again.path, dir);
});

test("the folder is free when its holder is killed with -9", async (t) => {
  const dir = await newFolder(t);
  const service = startClaimer(t, { dir, command: "greenlit serve" });
  assert.equal(await nextLine(service), "held");

  service.kill("SIGKILL");
  await once(service, "exit");

  assert.equal(readHolder(dir), null);
  await using claim = await claimDataFolder({ dir, command: "greenlit serve" });
  assert.equal(readHolder(claim.path)?.pid, process.pid);
});

for (const [whose, pid] of [
  ["a dead process", 2 ** 22 + 1],
  ["a live process that got the same number", process.pid],
] as const) {
  test(`a note left by ${whose} does not hold the folder`, async (t) => {
    const dir = await newFolder(t);
    const note = { command: "greenlit serve", pid, host: "here", since: "2020-01-01T00:00:00.000Z" };
    await writeFile(join(dir, "greenlit.lock"), "");
    await writeFile(join(dir, "greenlit.lock.json"), JSON.stringify(note));

    assert.equal(readHolder(dir), null);
    await using claim = await claimDataFolder({ dir, command: "greenlit keys" });

    assert.equal(readHolder(claim.path)?.command, "greenlit keys");
  });
}

test("exactly one of many simultaneous starters wins, also after a killed holder", async (t) => {
  const dir = await newFolder(t);
  const killed = startClaimer(t, { dir, command: "greenlit serve" });
  assert.equal(await nextLine(killed), "held");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const at = Date.now() + 400;

  const starters = Array.from({ length: 6 }, () => startClaimer(t, { dir, command: "greenlit serve", at }));
  const outcomes = await Promise.all(starters.map(nextLine));

  assert.deepEqual(outcomes.toSorted(), [...Array<string>(5).fill("DataFolderBusy"), "held"]);
});

test("a claim can wait for a transient holder", async (t) => {
  const dir = await newFolder(t);
  const command = startClaimer(t, { dir, command: "greenlit keys" });
  assert.equal(await nextLine(command), "held");

  const waiting = claimDataFolder({ dir, command: "greenlit serve", waitSeconds: 180 });
  command.stdin?.end();

  await using claim = await waiting;
  assert.equal(claim.path, dir);
});

test("a folder that cannot serve moves to a durable path, the same each time", async (t) => {
  const parent = await newFolder(t);
  const dir = join(parent, "data");
  const durableParent = await newFolder(t);
  await chmod(parent, isRoot ? 0o700 : 0o555);

  const located = locateDataFolder(dir, durableParent);
  await using claim = await claimDataFolder({ dir, command: "greenlit serve", durableParent });

  assert.equal(dirname(located.path), durableParent);
  assert.match(located.path, /-data-[0-9a-f]{8}$/);
  assert.equal(located.moved?.wanted, dir);
  assert.ok(located.moved.reason.includes(parent), located.moved.reason);
  assert.equal(claim.path, located.path);
  assert.deepEqual(locateDataFolder(dir, durableParent), located);
});

test("moved data stays where it is when the wanted folder becomes usable", async (t) => {
  const parent = await newFolder(t);
  const durableParent = await newFolder(t);
  const dir = join(parent, "data");
  await chmod(parent, isRoot ? 0o700 : 0o555);
  await using claim = await claimDataFolder({ dir, command: "greenlit serve", durableParent });

  await chmod(parent, 0o755);

  assert.equal(locateDataFolder(dir, durableParent).path, claim.path);
});

test("data that has become unreachable is an error, not a new empty folder", async (t) => {
  const parent = await newFolder(t);
  const dir = join(parent, "data");
  await (await claimDataFolder({ dir, command: "greenlit serve" }))[Symbol.asyncDispose]();

  await chmod(isRoot ? parent : dir, isRoot ? 0o700 : 0o500);
  const locate = () => locateDataFolder(dir);

  try {
    assert.throws(locate, DataFolderUnusable);
  } finally {
    await chmod(dir, 0o700);
  }
});

test("a file in the way moves the folder", async (t) => {
  const durableParent = await newFolder(t);
  const dir = join(await newFolder(t), "data");
  await writeFile(dir, "");

  const { moved } = locateDataFolder(dir, durableParent);

  assert.match(moved?.reason ?? "", /is not a folder/);
});

test("a folder beneath root's own moves to /var/lib", onlyRoot, async (t) => {
  const parent = await newFolder(t);
  await chmod(parent, 0o700);

  const claim = await claimDataFolder({ dir: join(parent, "data"), command: "greenlit serve" });
  t.after(async () => {
    await claim[Symbol.asyncDispose]();
    await rm(claim.path, { recursive: true });
    await rmdir("/var/lib/greenlit").catch(() => {});
  });

  assert.match(claim.path, /^\/var\/lib\/greenlit\/[\w.-]+-data-[0-9a-f]{8}$/);
  assert.equal((await stat(claim.path)).mode & 0o777, 0o711);
  assert.equal(readHolder(claim.path)?.pid, process.pid);
});

test("root's strict umask does not close the folder to PostgreSQL", onlyRoot, async (t) => {
  const dir = join(await newFolder(t), "deep", "data");
  const umask = process.umask(0o077);
  t.after(() => process.umask(umask));

  await using claim = await claimDataFolder({ dir, command: "greenlit serve" });

  assert.equal(claim.path, dir);
  assert.equal(locateDataFolder(dir).path, dir);
});

test("root's own closed folder is opened when it is empty, and left alone otherwise", onlyRoot, async (t) => {
  const parent = await newFolder(t);
  const [empty, full] = [join(parent, "empty"), join(parent, "full")];
  await mkdir(empty, { mode: 0o700 });
  await mkdir(join(full, "letters"), { recursive: true });
  await chmod(full, 0o700);

  await using claim = await claimDataFolder({ dir: empty, command: "greenlit serve" });

  assert.equal(claim.path, empty);
  assert.equal((await stat(empty)).mode & 0o777, 0o711);
  assert.notEqual(locateDataFolder(full).moved, null);
});

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "greenlit-data-folder-"));
  await chmod(folder, 0o755);
  t.after(async () => {
    await chmod(folder, 0o755);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A process that claims the folder, says "held" or the error's name, and lets go when its input ends. */
function startClaimer(t: TestContext, options: { dir: string; command: string; at?: number }): ChildProcess {
  const script = `
    import { setTimeout as sleep } from "node:timers/promises";
    import { claimDataFolder } from ${JSON.stringify(import.meta.resolve("./data-folder.ts"))};
    const { at = 0, ...options } = ${JSON.stringify(options)};
    await sleep(Math.max(0, at - Date.now()));
    try {
      await using claim = await claimDataFolder(options);
      console.log("held");
      for await (const _ of process.stdin);
    } catch (error) {
      console.log(error.name);
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

async function nextLine(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout);
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error("The process ended without a word.");
}
