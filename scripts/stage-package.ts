import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { findPackageJSON, stripTypeScriptTypes } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { writeConsole } from "@greenlit/server/http/console/build-console.ts";

type Manifest = {
  name: string;
  version: string;
  license?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const repository = fileURLToPath(new URL("../", import.meta.url));
const workspaces = ["engine", "server", "cli", "sdk"] as const;
const isNoProduct = /\.test\.ts$|(?:^|\/)(?:testing|conformance)\/|\.d\.ts$/;

/**
 * Packages of which we need a part, or whose own dependencies and install scripts nobody needs: without these an install
 * would bring TensorFlow and download CUDA. They travel inside, cut down to `keep`.
 */
const bundled: readonly { name: string; keep: RegExp; dependencies?: readonly string[] }[] = [
  { name: "nsfwjs", keep: /^dist\/models\/(?:package\.json$|mobilenet_v2\/)/ },
  { name: "@usefulsensors/moonshine-js", keep: /^dist\/model\/base\/quantized\// },
  { name: "@ricky0123/vad-web", keep: /^dist\/silero_vad_v5\.onnx$/ },
  { name: "pdfjs-dist", keep: /^(?:legacy\/build\/pdf(?:\.worker)?\.mjs|cmaps\/|iccs\/|standard_fonts\/|wasm\/)/ },
  {
    name: "onnxruntime-node",
    keep: /^(?:dist\/.*\.js|lib\/.*|bin\/napi-v6\/linux\/.*)$/,
    dependencies: ["onnxruntime-common"],
  },
  { name: "node-av", keep: /^dist\/.*\.js$/ },
];

/** Puts the whole product into `target` as one package that needs no build: sources as JavaScript, rules, console. */
export async function stagePackage(target: string): Promise<void> {
  for (const name of workspaces) {
    await stageFolder(`${name}/src`, target);
    await writeJson(join(target, name, "package.json"), await readOwn(name));
  }
  await stageFolder("cli/bin", target);
  await writeConsole(join(target, "server/src/http/console/built"));
  for (const path of [
    "rulepacks",
    "engine/golden/files/supers-prices.mp4",
    "LICENSE",
    "README.md",
    "THIRD-PARTY-NOTICES.md",
  ])
    await cp(join(repository, path), join(target, path), { recursive: true });
  for (const each of bundled) await stageBundled(each, target);
  await writeJson(join(target, "package.json"), await describePackage());
}

/** Node strips no types below `node_modules`, so sources become JavaScript, at the same place and line by line. */
async function stageFolder(folder: string, target: string): Promise<void> {
  for (const entry of await readdir(join(repository, folder), { recursive: true, withFileTypes: true })) {
    const path = relative(repository, join(entry.parentPath, entry.name));
    if (!entry.isFile() || isNoProduct.test(path)) continue;
    const to = join(target, path.replace(/\.ts$/, ".js"));
    await mkdir(dirname(to), { recursive: true });
    if (!/\.[jt]s$/.test(path)) await cp(join(repository, path), to);
    else await writeFile(to, asJavaScript(await readFile(join(repository, path), "utf8"), path), { mode: 0o755 });
  }
}

const specifier = /(["'`])(\.\.?|@greenlit\/[a-z]+)\/([^"'`\s]+)\.ts\1/g;

/** Imports between our folders become relative: inside one package there is no `@greenlit/…`. */
function asJavaScript(source: string, path: string): string {
  const code = path.endsWith(".ts") ? stripTypeScriptTypes(source) : source;
  return code.replaceAll(specifier, (_, quote: string, start: string, rest: string) => {
    if (!start.startsWith("@")) return `${quote}${start}/${rest}.js${quote}`;
    const name = start.slice("@greenlit/".length);
    // The SDK exports its sources as `src/…`, the others without it.
    const place = relative(dirname(path), name === "sdk" ? `sdk/${rest}` : `${name}/src/${rest}`);
    return `${quote}${place.startsWith(".") ? place : `./${place}`}.js${quote}`;
  });
}

async function stageBundled(
  { name, keep, dependencies = [] }: (typeof bundled)[number],
  target: string,
): Promise<void> {
  const manifestPath = findPackageJSON(name, pathToFileURL(join(repository, "engine/src/x.ts")));
  if (manifestPath === undefined) throw new Error(`${name} is not installed: run npm ci without --omit=optional`);
  const folder = dirname(manifestPath);
  const to = join(target, "node_modules", name);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name));
    if (!entry.isFile() || path.startsWith("node_modules/")) continue;
    if (keep.test(path) || /^licen[cs]e/i.test(path)) await cp(join(folder, path), join(to, path));
  }
  const manifest = JSON.parse(await readFile(manifestPath, "utf8")) as Manifest;
  const { scripts: _scripts, optionalDependencies: _optional, ...rest } = manifest;
  await writeJson(join(to, "package.json"), {
    ...rest,
    dependencies: Object.fromEntries(
      Object.entries(manifest.dependencies ?? {}).filter(([dependency]) => dependencies.includes(dependency)),
    ),
    devDependencies: undefined,
    peerDependencies: undefined,
  });
}

async function describePackage(): Promise<object> {
  const root = await readManifest("package.json");
  const parts = await Promise.all(workspaces.map((name) => readManifest(`${name}/package.json`)));
  const isForeign = ([name]: [string, string]) => !name.startsWith("@greenlit/");
  const merged = (of: (part: Manifest) => Record<string, string> | undefined) =>
    Object.fromEntries(parts.flatMap((part) => Object.entries(of(part) ?? {}).filter(isForeign)));
  const inside = new Set(bundled.map(({ name }) => name));
  const optional = merged((part) => part.optionalDependencies);
  const platforms = await readManifest("node_modules/node-av/package.json");
  const { version, license } = await readManifest("cli/package.json");
  return {
    name: "greenlit",
    version,
    description: "Media compliance submissions: the service, the rules and the command line in one package.",
    license,
    type: "module",
    bin: { greenlit: "cli/bin/greenlit.js" },
    dependencies: {
      ...merged((part) => part.dependencies),
      ...Object.fromEntries(Object.entries(optional).filter(([name]) => inside.has(name))),
      "onnxruntime-common": (await readManifest("node_modules/onnxruntime-common/package.json")).version,
    },
    optionalDependencies: {
      ...Object.fromEntries(Object.entries(optional).filter(([name]) => !inside.has(name))),
      ...Object.fromEntries(
        Object.entries(platforms.optionalDependencies ?? {})
          .filter(([name]) => /-(?:linux|darwin)-/.test(name))
          .map(([name]) => [name, platforms.version]),
      ),
      ...root.optionalDependencies,
    },
    bundleDependencies: [...inside],
    engines: { node: ">=20" },
  };
}

async function readOwn(name: string): Promise<object> {
  const { version, license } = await readManifest(`${name}/package.json`);
  return { name: `@greenlit/${name}`, version, private: true, license, type: "module" };
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(repository, path), "utf8")) as Manifest;
}

async function writeJson(path: string, value: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
