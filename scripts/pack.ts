import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stagePackage } from "./stage-package.ts";

/** Writes the packages that a clean folder can install: `dist/greenlit-….tgz` and `dist/greenlit-sdk-….tgz`. */
const repository = fileURLToPath(new URL("../", import.meta.url));
const target = join(repository, "dist");
const stage = await mkdtemp(join(tmpdir(), "greenlit-pack-"));
try {
  await mkdir(target, { recursive: true });
  await stagePackage(join(stage, "greenlit"));
  await cp(join(repository, "sdk"), join(stage, "sdk"), { recursive: true });
  for (const name of ["greenlit", "sdk"])
    execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", target], {
      cwd: join(stage, name),
      stdio: ["ignore", "inherit", "ignore"],
    });
} finally {
  await rm(stage, { recursive: true, force: true });
}
