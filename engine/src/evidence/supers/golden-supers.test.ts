import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openModels } from "../../models/open-models.ts";
import { assertReadAsDrawn, readDrawnSupers } from "../../testing/drawn-supers.ts";
import { filesNamedByRules, golden, mediaTypeOf } from "../../testing/golden.ts";
import { assertJudgedAgain } from "../../testing/judge-again.ts";
import type { Super } from "../evidence.ts";
import { gatherEvidence } from "../gather.ts";
import { probeFile } from "../probe/probe.ts";

const drawn = await readDrawnSupers();
const named = await filesNamedByRules();
const models = openModels();
after(() => models[Symbol.asyncDispose]());

async function readSupers(name: string): Promise<{ supers: Super[]; omissions: string[] }> {
  const file = golden(name);
  const mediaType = mediaTypeOf(name);
  const limits = { maxDurationSeconds: 600, signal: undefined };
  const probe = await probeFile({ file, mediaType, ...limits });
  const needs = new Set(["supers"] as const);
  const evidence = await gatherEvidence({
    file,
    mediaType,
    probe,
    needs,
    models,
    onProgress: () => undefined,
    ...limits,
  });
  await assertJudgedAgain(name, { evidence, gathered: needs });
  const { supers = [], omissions = [] } = evidence.supers ?? {};
  return { supers, omissions: omissions.map(({ what }) => what) };
}

test("the small print of a small picture is read to its ends", async () => {
  const { supers } = await readSupers("small-print.png");

  assert.deepEqual(
    supers.map(({ text }) => text),
    ["Our herbal tea is lovely", "Guaranteed weight loss in seven days or your money back"],
  );
});

// golden-rules reads those that rules name, with the same assertion.
for (const [name, expected] of Object.entries(drawn).filter(([clip]) => !named.has(clip))) {
  test(`${name} is read as it was drawn`, { timeout: 900_000 }, async () => {
    const { supers, omissions } = await readSupers(name);

    assertReadAsDrawn(supers, expected);
    // Credits that roll by are read, and not too fast to be read.
    assert.deepEqual(
      omissions.filter((what) => /too (?:fast|small)/.test(what)),
      [],
    );
  });
}
