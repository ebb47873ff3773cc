import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { S3StoreOptions } from "../s3/s3-store.ts";
import { endProcess, firstMatch } from "./test-process.ts";

/** Debian's own, for its packages are not seen by any other. */
const python = "/usr/bin/python3";
const run = promisify(execFile);

/** A real S3 server on a free port: OpenStack Swift, installed on first use, for which we must be root on Debian. */
export async function startSwift(): Promise<AsyncDisposable & { account: Omit<S3StoreOptions, "bucket"> }> {
  await using stack = new AsyncDisposableStack();
  await installSwift();
  const folder = await mkdtemp(join(tmpdir(), "greenlit-swift-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const script = join(import.meta.dirname, "test-swift.py");
  const child = spawn(python, [script, folder], { stdio: ["pipe", "pipe", "inherit"] });
  stack.defer(() => endProcess(child));
  const port = await firstMatch(child.stdout, /listening on (\d+)/);
  if (port === null) throw new Error("Swift ended before it listened.");
  const credentials = { accessKeyId: "test:tester", secretAccessKey: "testing" };
  const account = { endpoint: `http://127.0.0.1:${port}`, region: "us-east-1", forcePathStyle: true, credentials };
  const owned = stack.move();
  return { account, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function installSwift(): Promise<void> {
  const isThere = await run(python, ["-c", "import swift"]).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update"], { env });
  const flags = ["-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"];
  await run("apt-get", ["install", ...flags, "python3-swift"], { env, maxBuffer: 64 * 1024 * 1024 });
}
