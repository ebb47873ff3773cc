import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";

const folder = join(import.meta.dirname, "..");

test("the package has no dependencies, under 12 kB of code and 24 kB with types, and its types stand alone", (t) => {
  const target = makeFolder(t);

  execFileSync(process.execPath, ["build.ts"], { cwd: folder });
  const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", target], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

  const [{ size, files, filename }] = JSON.parse(packed) as [
    { size: number; files: { path: string }[]; filename: string },
  ];
  execFileSync("tar", ["-xzf", join(target, filename), "-C", target]);
  const read = (path: string) => readFileSync(join(target, "package", path), "utf8");
  const code = gzipSync(read("dist/index.js"), { level: 9 }).length;
  t.diagnostic(`code ${code} bytes, package ${size} bytes`);
  assert.ok(code < 12_000, `${code} bytes of code`);
  assert.ok(size < 24_000, `${size} bytes packed`);
  assert.equal((JSON.parse(read("package.json")) as Record<string, unknown>)["dependencies"], undefined);
  assert.doesNotMatch(read("dist/index.js"), /^import |from"/m);
  const types = files.filter(({ path }) => path.endsWith(".d.ts"));
  assert.ok(types.length > 5);
  for (const { path } of types) assert.doesNotMatch(read(path), /\.ts"/, path);
});

function makeFolder(t: TestContext): string {
  const target = mkdtempSync(join(tmpdir(), "greenlit-pack-"));
  t.after(() => rmSync(target, { recursive: true, force: true }));
  return target;
}
