import assert from "node:assert/strict";
import { after, test } from "node:test";
import { analyze } from "../analyze.ts";
import { openModels } from "../models/open-models.ts";
import type { Context, Sidekick } from "../sidekick.ts";
import { golden, mediaTypeOf } from "../testing/golden.ts";
import { loadPacks } from "./load-packs.ts";

type GoldenPromise = { code: string; finds: boolean; sidekick: Sidekick; context: Context };

const packs = await loadPacks();
const models = openModels();
after(() => models[Symbol.asyncDispose]());

/** Every file once, with just the rules that name it, each in the context in which it is a duty. */
for (const [file, promises] of promisesByFile()) {
  test(`${file} shows what its rules promise`, { timeout: 300_000 }, async () => {
    const found = new Map<string, number>();
    for (const group of Map.groupBy(promises, ({ context }) => JSON.stringify(context)).values()) {
      const sidekicks = group.map(({ sidekick, code }) => ({
        ...sidekick,
        rules: sidekick.rules.filter((rule) => rule.code === code),
      }));
      const request = { file: golden(file), mediaType: mediaTypeOf(file), sidekicks, context: group[0]?.context ?? {} };
      const { findings } = await analyze({ ...request, today: "2100-01-01" }, { models });
      for (const { ruleCode } of findings) found.set(ruleCode, (found.get(ruleCode) ?? 0) + 1);
    }

    const broken = promises.filter(({ code, finds }) => found.has(code) !== finds);
    assert.deepEqual(
      broken.map(({ code, finds }) => `${code} should find ${finds ? "something" : "nothing"}`),
      [],
    );
  });
}

function promisesByFile(): Map<string, GoldenPromise[]> {
  const all = packs.flatMap(({ sidekick, sources }) =>
    sources.flatMap(({ rule, golden: files }) => {
      const context: Context = {
        ...(rule.jurisdictions[0] === undefined ? {} : { jurisdictions: [rule.jurisdictions[0]] }),
        ...(rule.sectors[0] === undefined ? {} : { sector: rule.sectors[0] }),
        ...(rule.channels[0] === undefined ? {} : { channel: rule.channels[0] }),
        ...(rule.audiences[0] === undefined ? {} : { audience: rule.audiences[0] }),
        ...(rule.destinations[0] === undefined ? {} : { destination: rule.destinations[0] }),
      };
      const make = (finds: boolean) => (file: string) => ({ file, code: rule.code, finds, sidekick, context });
      return [...(files?.fails ?? []).map(make(true)), ...(files?.passes ?? []).map(make(false))];
    }),
  );
  return Map.groupBy(all, ({ file }) => file);
}
