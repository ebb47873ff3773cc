import { execFile, spawn } from "node:child_process";
import { access, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { endProcess, firstMatch } from "./test-process.ts";

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
  // It refuses API versions younger than itself, and the SDK is younger.
  const flags = [
    "--blobHost",
    "127.0.0.1",
    "--blobPort",
    "0",
    "--location",
    data,
    "--skipApiVersionCheck",
    "--disableTelemetry",
  ];
  const main = join(folder, "node_modules/azurite/dist/src/blob/main.js");
  const child = spawn(process.execPath, [main, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  stack.defer(() => endProcess(child));
  const address = await firstMatch(child.stdout, /successfully listens on (http:\S+)/);
  if (address === null) throw new Error("Azurite ended before it listened.");
  const owned = stack.move();
  return { endpoint: `${address}/${azuriteAccount.name}`, [Symbol.asyncDispose]: () => owned.disposeAsync() };
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
