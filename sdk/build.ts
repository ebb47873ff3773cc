import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** Writes the plain JavaScript and its types that `npm pack` takes. */
const folder = import.meta.dirname;
const dist = join(folder, "dist");
rmSync(dist, { recursive: true, force: true });

await build({
  entryPoints: [join(folder, "src/index.ts")],
  outfile: join(dist, "index.js"),
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
});
execFileSync("tsc", ["-p", "tsconfig.build.json"], { cwd: folder, stdio: "inherit" });
for (const name of globSync("*.d.ts", { cwd: dist })) {
  const types = readFileSync(join(dist, name), "utf8").replaceAll(/((?:from |import\()"\.\/[\w-]+)\.ts"/g, '$1.js"');
  writeFileSync(join(dist, name), shorten(types));
}

/** What each field means is in the API's documentation: half of the package's weight would be these comments. */
function shorten(types: string): string {
  return types.replaceAll(/\/\*\*[^]*?\*\/\s*/g, "").replaceAll(/\n\s*/g, "\n");
}
