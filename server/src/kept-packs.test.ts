import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Sidekick } from "@greenlit/engine/sidekick.ts";
import { keepPacks } from "./kept-packs.ts";

test("packs are read again only when a file of theirs has changed, or what was kept is broken or has another seal", async () => {
  await using stack = new AsyncDisposableStack();
  const root = await mkdtemp(join(tmpdir(), "greenlit-packs-"));
  stack.defer(() => rm(root, { recursive: true, force: true }));
  const [folder, file] = [join(root, "packs"), join(root, "cache", "packs")];
  await mkdir(join(folder, "house"), { recursive: true });
  await writeFile(join(folder, "house", "pack.yaml"), "name: House\n");
  let reads = 0;
  let sealKey = Buffer.alloc(32, 1);
  const load = () =>
    keepPacks({ folders: [folder], file, sealKey }, async () => {
      reads += 1;
      return [{ ...sidekick, packVersion: String(reads) }];
    });
  const versionAfter = async (change: () => Promise<void>) => {
    await change();
    return (await load())[0]?.packVersion;
  };

  const versions = [
    await versionAfter(async () => {}),
    await versionAfter(async () => {}),
    await versionAfter(() => writeFile(join(folder, "house", "rule.yaml"), "code: A\n")),
    await versionAfter(() => writeFile(join(folder, "house", "rule.yaml"), "code: B\n")),
    await versionAfter(() => rm(join(folder, "house", "rule.yaml"))),
    await versionAfter(() => writeFile(file, "broken")),
    await versionAfter(async () => {
      sealKey = Buffer.alloc(32, 2);
    }),
    await versionAfter(async () => {}),
  ];

  assert.deepEqual(versions, ["1", "1", "2", "3", "4", "5", "6", "6"]);
  assert.deepEqual(await load(), [{ ...sidekick, packVersion: "6" }]);
});

const sidekick: Sidekick = {
  sidekickId: "6b1f2a7e-93c4-4d0f-8a55-2f0c7d1e3b12",
  name: "House",
  description: "Rules of the house.",
  jurisdictions: [],
  mediaKinds: ["document"],
  packVersion: "",
  isDefault: true,
  rules: [],
};
