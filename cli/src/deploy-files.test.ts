import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { parse } from "yaml";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
const exists = (path: string) => existsSync(new URL(`../../${path}`, import.meta.url));

test("the Dockerfile copies files that exist, and ends as a user that is not root", async () => {
  const lines = (await read("Dockerfile")).split("\n");
  const sources = lines
    .filter((line) => line.startsWith("COPY ") && !line.includes("--from="))
    .flatMap((line) => line.split(" ").slice(1, -1));

  assert.ok(sources.length > 10);
  for (const source of sources) assert.ok(exists(source), `${source} is not in the repository`);
  assert.ok(lines.includes("USER 10001:10001"));
  for (const target of ["media", "api"]) assert.ok(lines.some((line) => line.endsWith(` AS ${target}`)));
});

test("the packages that an image does without are packages of the lock", async () => {
  const lock = JSON.parse(await read("package-lock.json")) as { packages: Record<string, unknown> };
  const names = [...(await read("deploy/prune-image.sh")).matchAll(/^ *remove ([^()]*?[^\\])$/gms)].flatMap(
    ([, list]) => (list ?? "").split(/[\s\\]+/).filter((name) => name !== ""),
  );

  assert.ok(names.length > 15);
  const paths = Object.keys(lock.packages);
  for (const name of names)
    assert.ok(
      paths.some((path) => `${path}/`.includes(`node_modules/${name}/`)),
      `${name} is not in the lock`,
    );
});

test("compose runs two APIs and two workers on a read-only root, and mounts files that exist", async () => {
  const { services } = parse(await read("compose.yaml"), { merge: true }) as {
    services: Record<
      string,
      { read_only?: boolean; deploy?: { replicas: number }; security_opt?: string[]; volumes?: string[] }
    >;
  };

  for (const name of ["api", "worker"]) {
    assert.equal(services[name]?.deploy?.replicas, 2);
    assert.equal(services[name]?.read_only, true);
  }
  assert.ok(services["postgres"] && services["s3"] && services["nginx"]);
  const profile = services["worker"]?.security_opt?.find((option) => option.startsWith("seccomp="))?.slice(8) ?? "";
  // Bubblewrap cannot make its own /proc where that of the container is masked.
  assert.ok(services["worker"]?.security_opt?.includes("systempaths=unconfined"));
  assert.equal((JSON.parse(await read(profile)) as { defaultAction: string }).defaultAction, "SCMP_ACT_ALLOW");
  assert.ok(exists(services["nginx"]?.volumes?.[0]?.split(":")[0] ?? ""));
});
