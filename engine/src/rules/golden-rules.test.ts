import assert from "node:assert/strict";
import { after, test } from "node:test";
import { gatherEvidence } from "../evidence/gather.ts";
import { probeFile } from "../evidence/probe/probe.ts";
import { openModels } from "../models/open-models.ts";
import type { Context, Sidekick } from "../sidekick.ts";
import { assertReadAsDrawn, readDrawnSupers } from "../testing/drawn-supers.ts";
import { golden, mediaTypeOf } from "../testing/golden.ts";
import { assertJudgedAgain } from "../testing/judge-again.ts";
import { assetText } from "../text/asset-text.ts";
import { withHeardNames } from "../text/heard-names.ts";
import { judgeRules, planRules } from "./judge.ts";
import { loadPacks } from "./load-packs.ts";

type GoldenPromise = { code: string; finds: boolean; sidekick: Sidekick; context: Context };

const packs = await loadPacks();
const drawn = await readDrawnSupers();
const models = openModels();
after(() => models[Symbol.asyncDispose]());

/** Every file is gathered once, and judged by just the rules that name it, each in the context in which it is a duty. */
for (const [file, promises] of promisesByFile()) {
  test(
    `${file} shows what its rules promise, also when its evidence is kept and judged again`,
    { timeout: 900_000 },
    async () => {
      const found = await judgeInContexts(file, promises);

      const broken = promises.filter(({ code, finds }) => found.has(code) !== finds);
      assert.deepEqual(
        broken.map(({ code, finds }) => `${code} should find ${finds ? "something" : "nothing"}`),
        [],
      );
    },
  );
}

/** The codes of the rules that found something. */
async function judgeInContexts(name: string, promises: readonly GoldenPromise[]): Promise<Set<string>> {
  const file = golden(name);
  const mediaType = mediaTypeOf(name);
  const limits = { maxDurationSeconds: 600, signal: undefined };
  const probe = await probeFile({ file, mediaType, ...limits });
  const groups = Map.groupBy(promises, ({ context }) => JSON.stringify(context)).values();
  const plans = Array.from(groups, (group) => {
    const context = group[0]?.context ?? {};
    const sidekicks = group.map(({ sidekick, code }) => ({
      ...sidekick,
      rules: sidekick.rules.filter((rule) => rule.code === code),
    }));
    return { context, rules: planRules(sidekicks, { probe, context, today: "2100-01-01" }) };
  });
  const needs = new Set(
    plans.flatMap(({ rules }) => rules.flatMap(({ kind, rule }) => kind.needs(rule.check as never))),
  );
  if (drawn[name] !== undefined) needs.add("supers");
  const evidence = await gatherEvidence({
    file,
    mediaType,
    probe,
    needs,
    models,
    onProgress: () => undefined,
    ...limits,
  });
  if (drawn[name] !== undefined) assertReadAsDrawn(evidence.supers?.supers ?? [], drawn[name]);
  await assertJudgedAgain(name, { evidence, gathered: needs });
  const findings = plans.flatMap(({ context, rules }) => {
    const heard = withHeardNames(evidence, context);
    return judgeRules(rules, { evidence: heard, text: assetText(heard), context });
  });
  return new Set(findings.map(({ ruleCode }) => ruleCode));
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
