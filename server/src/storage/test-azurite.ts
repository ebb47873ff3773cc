import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
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
  stack.defer(async () => {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.kill()) await ended;
  });
  const address = await firstMatch(child.stdout, /successfully listens on (http:\S+)/);
  if (address === null) throw new Error("Azurite ended before it listened.");
  const owned = stack.move();
  return { endpoint: `${address}/${azuriteAccount.name}`, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Reads on after the match, too: a full pipe would stop the process that writes to it. */
export async function firstMatch(output: Readable, pattern: RegExp): Promise<string | null> {
  let seen = "";
  return await new Promise((resolve) => {
    output.setEncoding("utf8").on("data", (text: string) => {
      seen = (seen + text).slice(-10_000);
      const match = pattern.exec(seen)?.[1];
      if (match !== undefined) resolve(match);
    });
    output.once("end", () => resolve(null));
  });
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
