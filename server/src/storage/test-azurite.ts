import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const version = "3.37.0";

/** Azurite's own, the same on every machine. */
export const azuriteAccount = {
  name: "devstoreaccount1",
  key: "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
};

/** Installs Azurite on first use, into a cache of the user's, and starts it on a free port. */
export async function startAzurite(): Promise<AsyncDisposable & { endpoint: string }> {
  await using stack = new AsyncDisposableStack();
  const folder = await installAzurite();
  const data = await mkdtemp(join(tmpdir(), "greenlit-azurite-"));
  stack.defer(() => rm(data, { recursive: true, force: true }));
  const child = spawn(
    process.execPath,
    [
      join(folder, "node_modules/azurite/dist/src/blob/main.js"),
      ...["--blobHost", "127.0.0.1", "--blobPort", "0", "--location", data],
      // It refuses API versions younger than itself, and the SDK is younger.
      ...["--skipApiVersionCheck", "--disableTelemetry"],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  stack.defer(async () => {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.kill()) await ended;
  });
  for await (const line of createInterface(child.stdout)) {
    const address = /listening (?:at|on) (http:\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    // Nobody reads on, and a full pipe would stop it.
    child.stdout.resume();
    const owned = stack.move();
    return { endpoint: `${address}/${azuriteAccount.name}`, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }
  throw new Error("Azurite ended before it listened.");
}

async function installAzurite(): Promise<string> {
  const folder = join(homedir(), ".cache/greenlit-test", `azurite-${version}`);
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return folder;
  // Under another name until it is whole: a broken install would be taken for a good one for ever.
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  const manifest = { private: true, dependencies: { azurite: version }, overrides: { applicationinsights: "3.14.0" } };
  await writeFile(join(unfinished, "package.json"), JSON.stringify(manifest));
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await promisify(execFile)("npm", ["install", ...flags], { cwd: unfinished });
  await rename(unfinished, folder);
  return folder;
}
