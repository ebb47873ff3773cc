import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { describeSbom, type Lock } from "../../scripts/describe-sbom.ts";

test("the bill of materials names every package of the lock once, with purl and hash, and nothing for development", async () => {
  const lock = JSON.parse(await readFile(new URL("../../package-lock.json", import.meta.url), "utf8")) as Lock;

  const { components, dependencies, bomFormat } = describeSbom(lock, { version: "0.1.0", now: new Date() });

  assert.equal(bomFormat, "CycloneDX");
  const refs = components.map((component) => component["bom-ref"]);
  assert.equal(new Set(refs).size, refs.length);
  assert.ok(refs.some((ref) => ref.startsWith("pkg:npm/fastify@")));
  assert.ok(refs.some((ref) => ref.startsWith("pkg:npm/%40aws-sdk/client-s3@")));
  assert.ok(!refs.some((ref) => ref.startsWith("pkg:npm/typescript@")));
  assert.deepEqual(
    components.filter(({ hashes }) => hashes?.[0]?.content.length !== 128).map(({ name }) => name),
    [],
  );
  const known = new Set(refs);
  assert.deepEqual(
    dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref)),
    [],
  );
});
