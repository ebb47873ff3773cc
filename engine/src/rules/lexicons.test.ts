import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratch } from "../testing/scratch.ts";
import { loadLexicons, testLexicon } from "./load-lexicons.ts";
import { builtInPacksFolder, loadPacks } from "./load-packs.ts";
import { PackError } from "./pack-error.ts";
import type { FileProblem } from "./yaml-file.ts";

test("every lexicon finds what its tests say, and ignores what they say", async () => {
  const problems: FileProblem[] = [];
  const lexicons = await loadLexicons([builtInPacksFolder], problems);

  assert.deepEqual(
    [...problems, ...lexicons.flatMap((lexicon) => testLexicon(lexicons, lexicon))].map(
      ({ file, line, message }) => `${file}:${line}: ${message}`,
    ),
    [],
  );
});

test("mistakes in lexicons and in the terms of a rule are told with file and line", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.folder, "packs");
  await mkdir(join(folder, "lexicons"), { recursive: true });
  await mkdir(join(folder, "ours"));
  const lexicon = (name: string, words: string) =>
    writeFile(
      join(folder, "lexicons", `${name}.yaml`),
      `name: ${name}\nabout: Words of ours.\nwords:\n${words}tests:\n  finds: []\n  ignores: []\n`,
    );
  await lexicon("slang", '  - "@nowhere"\n');
  await lexicon("empty", '  - "!!"\n');
  await writeFile(join(folder, "lexicons", "odd.yaml"), "name: odd\nabout: Words of ours.\nword: [a]\n");
  await writeFile(join(folder, "ours", "pack.yaml"), packYaml);
  await writeFile(join(folder, "ours", "our-1.yaml"), ruleYaml("{ all: [curing, disease] }"));
  await writeFile(
    join(folder, "ours", "our-2.yaml"),
    ruleYaml("{ all: [cure], within: page }").replace("OUR-1", "OUR-2"),
  );

  const error = await loadPacks([folder]).catch((reason: unknown) => reason);

  assert.ok(error instanceof PackError);
  const told = error.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n");
  assert.match(told, /packs\/lexicons\/slang\.yaml:\d+: there is no lexicon nowhere/);
  assert.match(told, /packs\/lexicons\/empty\.yaml:4: “!!” has no word in it/);
  assert.match(told, /packs\/lexicons\/odd\.yaml:\d+: .*word/);
  assert.match(
    told,
    /packs\/ours\/our-1\.yaml:8: check\.find\.all\.0: there is no lexicon curing.*\{ words: \[curing\] \}/,
  );
  assert.match(told, /packs\/ours\/our-2\.yaml:8: check\.find\.within: must be one of clause, sentence, screen, asset/);
});

const packYaml = `sidekickId: 6f0c0f0e-0000-4000-8000-000000000001
name: Ours
description: Rules of our own.
version: 1.0.0
`;

function ruleYaml(find: string): string {
  return `code: OUR-1
summary: A claim that we do not make
severity: MINOR
why: We do not make such claims.
fix: Leave it out, please.
check:
  kind: concept
  find: ${find}
fails: [a, b, c]
passes: [d, e, f]
`;
}
