import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuildOptions, Plugin, PluginBuild } from "esbuild";
import { sourceExtension, sourceFolder } from "./jail/worker-code.ts";

/** Programs that are started by their path; everything else is imported by one of them. */
const programs = /(?:-worker|analysis-child|render-program)\.[jt]s$/;
const notPrograms = /^(?:testing\/|jail\/serve-worker\.[jt]s)/;
/** Made of hundreds of small modules. The others stay where they are installed: some are native, some read their files. */
const bundledPackages = new Set(["typebox", "kysely"]);
/** In our own programs also these: to find and load their files took a fifth of a start. */
const bundledInPrograms = new Set([
  ...bundledPackages,
  "@fastify/fast-json-stringify-compiler",
  "ajv",
  "fastify",
  "pg",
  "pg-boss",
  "prom-client",
  "undici",
  "yaml",
]);
/** Never a second copy within a bundled package: it tells its own loggers by symbols, and starts a file of its own. */
const neverBundled = new Set(["pino"]);
/** What a snapshot can hold; the others are loaded when they are first used. */
const snapshotModules = new Set(
  ["events", "fs", "fs/promises", "path", "url", "util", "v8"].map((name) => `node:${name}`),
);

const shared: BuildOptions = {
  bundle: true,
  platform: "node",
  target: "node24",
  conditions: ["node"],
  legalComments: "none",
  logLevel: "silent",
  // Node has them; taken for missing, each literal would be compiled again whenever it is reached.
  supported: { "regexp-unicode-property-escapes": true },
};

/**
 * Our programs as a few files of JavaScript, at the same paths below `codeFolder`, and the one that snapshots itself as
 * `snapshotFile`. A child that imports hundreds of modules and strips their types spends half a second on it.
 */
export async function buildEngine(target: { codeFolder: string; snapshotFile: string }): Promise<void> {
  // Loaded only for a build: it starts a process of its own.
  const { build, stop } = await import("esbuild");
  const files = await readdir(sourceFolder, { recursive: true });
  const started = files.filter((file) => programs.test(file) && !notPrograms.test(file));
  try {
    await Promise.all([
      build({
        ...shared,
        entryPoints: started.map((file) => join(sourceFolder, file)),
        outbase: sourceFolder,
        outdir: target.codeFolder,
        outExtension: { ".js": ".mjs" },
        splitting: true,
        format: "esm",
        plugins: [inPlace(asImports)],
      }),
      build({
        ...shared,
        entryPoints: [join(sourceFolder, `one-jail-child${sourceExtension}`)],
        outfile: target.snapshotFile,
        format: "cjs",
        minifyWhitespace: true,
        plugins: [inPlace(asRequires), builtInsLater],
      }),
    ]);
    await writeInAscii(target.snapshotFile);
  } finally {
    await stop();
  }
}

/** A single sign beyond Latin 1 doubles what the source takes in every process. esbuild leaves those in expressions. */
async function writeInAscii(file: string): Promise<void> {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  await writeFile(file, (await readFile(file, "utf8")).replaceAll(/[^\0-\x7f]/g, escaped));
}

/** Another program of ours as one file, which finds everything else where the source does. */
export async function buildProgram({ program, file }: { program: string; file: string }): Promise<void> {
  const { build, stop } = await import("esbuild");
  try {
    await build({
      ...shared,
      entryPoints: [program],
      outfile: file,
      format: "esm",
      banner: { js: requireOf(program) },
      plugins: [inPlace({ ...asImports, bundled: bundledInPrograms })],
    });
    await writeInAscii(file);
  } finally {
    await stop();
  }
}

/** Bundled packages require what Node brings, and optional packages that may not be there. */
function requireOf(program: string): string {
  return `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(${JSON.stringify(program)});`;
}

type Packages = { external: boolean; bundled: ReadonlySet<string>; change: (source: string) => string };

const asImports: Packages = { external: true, bundled: bundledPackages, change: (source) => source };
/** A snapshot is one script: it cannot wait at its top level, and loads packages only after it. */
const asRequires: Packages = {
  external: false,
  bundled: bundledPackages,
  change: (source) => source.replace(/^await serveWorker/m, "void serveWorker"),
};

/** Built code finds its files and packages where the source does. */
function inPlace({ external, bundled, change }: Packages): Plugin {
  return {
    name: "in-place",
    setup(build) {
      build.onLoad({ filter: /\.[jt]s$/ }, async ({ path, namespace }) => {
        if (isInstalled(path) || namespace !== "file") return undefined;
        return { contents: change(await withPlaces(build, path)), loader: path.endsWith(".ts") ? "ts" : "js" };
      });
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
        const isOfOurs = !isInstalled(importer) || neverBundled.has(packageOf(path));
        const isForeign = isOfOurs && !/^(?:node:|@greenlit\/)/.test(path) && kind !== "entry-point";
        if (!isForeign || pluginData === asked || bundled.has(packageOf(path))) return undefined;
        const asKinds = external ? [kind] : (["require-call", kind] as const);
        const tries = await Promise.all(
          asKinds.map((as) => build.resolve(path, { kind: as, resolveDir, importer, pluginData: asked })),
        );
        // An optional package that is not installed fails when it is needed, as it does in the source.
        const place = tries.find(({ errors }) => errors.length === 0)?.path ?? path;
        return external ? { path: place, external } : { path: place, suffix: "?", namespace: "package" };
      });
      build.onLoad({ filter: /./, namespace: "package" }, ({ path }) => {
        const load = `process.getBuiltinModule("node:module").createRequire(${JSON.stringify(join(sourceFolder, "x"))})`;
        return { contents: `module.exports = ${load}(${JSON.stringify(path)});`, loader: "js" };
      });
    },
  };
}

const builtInsLater: Plugin = {
  name: "built-ins-later",
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path }) =>
      snapshotModules.has(path) ? { path, external: true } : { path, namespace: "later" },
    );
    build.onLoad({ filter: /./, namespace: "later" }, async ({ path }) => {
      const keys = Object.keys((await import(path)) as object).filter((key) => key !== "default");
      const own = `process.getBuiltinModule(${JSON.stringify(path)})`;
      const contents = `const later = (key, get) => Object.defineProperty(exports, key, { enumerable: true, get });
for (const key of ${JSON.stringify(keys)}) later(key, () => ${own}[key]);
later("default", () => ${own});
${path === "node:module" ? requireLater(own) : ""}`;
      return { contents, loader: "js" };
    });
  },
};

/** Made at the top level of some modules, and used when a file needs the package. */
function requireLater(own: string): string {
  return `exports = module.exports = { ...Object.fromEntries(["findPackageJSON"].map((key) => [key, (...all) => ${own}[key](...all)])),
  createRequire: (from) => Object.assign((name) => ${own}.createRequire(from)(name), { resolve: (name) => ${own}.createRequire(from).resolve(name) }) };`;
}

const asked = Symbol("asked by ourselves");

async function withPlaces(build: PluginBuild, path: string): Promise<string> {
  let source = await readFile(path, "utf8");
  for (const [expression, name = ""] of source.matchAll(/import\.meta\.resolve\("([^"]+)"\)/g)) {
    const resolveDir = dirname(path);
    const found = await build.resolve(name, { kind: "import-statement", resolveDir, pluginData: asked });
    if (found.errors.length === 0)
      source = source.replace(expression, () => JSON.stringify(pathToFileURL(found.path).href));
  }
  return source.replaceAll(/(?<!["'])import\.meta\.url/g, () => JSON.stringify(pathToFileURL(path).href));
}

/** The repository, or the package that it is installed as. */
const ownFolder = join(sourceFolder, "../..");

function isInstalled(path: string): boolean {
  const isBelow = path.startsWith(join(ownFolder, "/"));
  return (isBelow ? path.slice(ownFolder.length) : path).includes("/node_modules/");
}

function packageOf(path: string): string {
  return path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");
}
