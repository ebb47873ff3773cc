import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";

/** The console as it is served: file names with a hash of their content, and which of them a page starts with. */
export type ConsoleBuild = {
  files: Map<string, Buffer>;
  script: string;
  style: string;
  /** Of the parts that are fetched when somebody opens them. */
  laterStyle: string;
  /** What the script imports at once, so that a browser need not find out. */
  preloads: string[];
};

/** The build when somebody asks for it, made once. One that failed is tried again. */
export function createConsole(options: { cacheFolder: string; log: Logger }): () => Promise<ConsoleBuild> {
  let building: Promise<ConsoleBuild> | undefined;
  return () =>
    (building ??= buildConsole(options).catch((error: unknown) => {
      building = undefined;
      throw error;
    }));
}

type Manifest = Pick<ConsoleBuild, "script" | "style" | "laterStyle" | "preloads">;

const consoleFolder = fileURLToPath(new URL("../../../../console", import.meta.url));
const sdkFolder = fileURLToPath(new URL("../../../../sdk", import.meta.url));
/** The bundle that an installed package brings along, made by `writeConsole`. */
const shippedFolder = fileURLToPath(new URL("./built", import.meta.url));
const serverPackage = fileURLToPath(new URL("../../../package.json", import.meta.url));

/**
 * Bundles the console's sources, or takes the bundle that an earlier start left in the cache. A cache that cannot be
 * written costs the next start half a second and nothing else.
 */
async function buildConsole({ cacheFolder, log }: { cacheFolder: string; log: Logger }): Promise<ConsoleBuild> {
  const shipped = await readCache(shippedFolder);
  if (shipped) return shipped;
  const folder = join(cacheFolder, "console");
  const key = await hashSources();
  const cached = await readCache(join(folder, key));
  if (cached) return cached;
  const startedAt = performance.now();
  const built = await bundle();
  log.info({ durationMs: Math.round(performance.now() - startedAt) }, "console built");
  await writeCache(folder, key, built).catch((error: unknown) =>
    log.warn({ err: error }, "the built console could not be cached"),
  );
  return built;
}

/** Bundles the console into a folder that has none yet, for who installs it without its sources. */
export async function writeConsole(folder: string): Promise<void> {
  await writeFiles(folder, await bundle());
}

async function bundle(): Promise<ConsoleBuild> {
  // Loaded only for a build: it starts a process of its own.
  const { build, stop } = await import("esbuild");
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: [
        { in: join(consoleFolder, "src/main.tsx"), out: "console" },
        { in: join(consoleFolder, "src/style/later.css"), out: "later" },
      ],
      absWorkingDir: consoleFolder,
      tsconfig: join(consoleFolder, "tsconfig.json"),
      outdir: "out",
      entryNames: "[name]-[hash]",
      chunkNames: "[name]-[hash]",
      bundle: true,
      splitting: true,
      format: "esm",
      target: "es2022",
      minify: true,
      write: false,
      metafile: true,
      legalComments: "none",
      logLevel: "silent",
    });
    const files = new Map(outputFiles.map(({ path, contents }) => [nameOf(path), Buffer.from(contents)]));
    const outputOf = (source: string) =>
      Object.entries(metafile.outputs).find(([, output]) => output.entryPoint?.endsWith(source));
    const [entry, later] = [outputOf("main.tsx"), outputOf("later.css")];
    if (!entry || !later) throw new Error("the build has no entry");
    const [script, { cssBundle = "", imports }] = entry;
    const preloads = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => nameOf(path));
    return { files, script: nameOf(script), style: nameOf(cssBundle), laterStyle: nameOf(later[0]), preloads };
  } finally {
    await stop();
  }
}

async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  const files = [serverPackage, join(consoleFolder, "package.json"), join(consoleFolder, "tsconfig.json")];
  for (const folder of [join(consoleFolder, "src"), join(sdkFolder, "src")])
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.name.endsWith(".test.ts")) files.push(join(entry.parentPath, entry.name));
  for (const file of files.toSorted())
    hash
      .update(file)
      .update("\0")
      .update(await readFile(file))
      .update("\0");
  return hash.digest("hex").slice(0, 32);
}

async function readCache(folder: string): Promise<ConsoleBuild | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
    const names = (await readdir(folder)).filter((name) => name !== "manifest.json");
    const files = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const));
    return { ...manifest, files: new Map(files) };
  } catch {
    return undefined;
  }
}

/** Complete or not there: several processes may start at once. */
async function writeCache(folder: string, key: string, built: ConsoleBuild): Promise<void> {
  const unfinished = join(folder, `${key}.${process.pid}`);
  await writeFiles(unfinished, built);
  await rename(unfinished, join(folder, key)).catch(() => rm(unfinished, { recursive: true, force: true }));
  for (const name of await readdir(folder))
    if (name !== key && !name.startsWith(`${key}.`)) await rm(join(folder, name), { recursive: true, force: true });
}

async function writeFiles(folder: string, { files, ...manifest }: ConsoleBuild): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of files) await writeFile(join(folder, name), bytes);
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
}

function nameOf(path: string): string {
  return path.slice(dirname(path).length + 1);
}
