import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { flattenTypes } from "./flatten-types.ts";

const folder = import.meta.dirname;

/** Writes what `npm pack` takes. It is in the repository, since install scripts are off and nothing would build it on the way. */
export async function writeDist(): Promise<void> {
  mkdirSync(join(folder, "dist"), { recursive: true });
  for (const [name, text] of Object.entries(await buildDist())) writeFileSync(join(folder, "dist", name), text);
}

export async function buildDist(): Promise<{ "index.js": string; "index.d.ts": string }> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, "src/index.ts")],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    minify: true,
    legalComments: "none",
  });
  return { "index.js": outputFiles[0]?.text ?? "", "index.d.ts": buildTypes() };
}

function buildTypes(): string {
  const types = mkdtempSync(join(tmpdir(), "greenlit-sdk-types-"));
  try {
    const tsc = join(folder, "../node_modules/.bin/tsc");
    execFileSync(tsc, ["-p", "tsconfig.build.json", "--outDir", types], { cwd: folder, stdio: "inherit" });
    return flattenTypes(types);
  } finally {
    rmSync(types, { recursive: true });
  }
}
