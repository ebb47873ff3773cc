import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { createConsole } from "@greenlit/server/http/console/build-console.ts";

const log = { info() {}, warn() {} } as never;

test("the shell weighs at most 40 kB and everything less than 110 kB, zipped", async (t) => {
  const cacheFolder = await mkdtemp(join(tmpdir(), "greenlit-console-"));
  t.after(() => rm(cacheFolder, { recursive: true, force: true }));

  const { files, script, style, preloads } = await createConsole({ cacheFolder, log })();

  const weights = new Map([...files].map(([name, bytes]) => [name, gzipSync(bytes, { level: 9 }).length]));
  const sum = (names: Iterable<string>) => [...names].reduce((total, name) => total + (weights.get(name) ?? 0), 0);
  const shell = sum([script, style, ...preloads]);
  const all = sum(weights.keys());
  t.diagnostic(`shell ${shell} bytes, everything ${all} bytes`);
  assert.ok(shell <= 40_000, `the shell weighs ${shell}`);
  assert.ok(all < 110_000, `everything weighs ${all}`);
});

test("a second start takes the console from the cache", async (t) => {
  const cacheFolder = await mkdtemp(join(tmpdir(), "greenlit-console-"));
  t.after(() => rm(cacheFolder, { recursive: true, force: true }));
  const first = await createConsole({ cacheFolder, log })();

  const logged: string[] = [];
  const second = await createConsole({
    cacheFolder,
    log: { info: (_: object, text: string) => logged.push(text) } as never,
  })();

  assert.deepEqual(logged, []);
  assert.deepEqual([...second.files.keys()].sort(), [...first.files.keys()].sort());
  assert.equal(second.script, first.script);
});
