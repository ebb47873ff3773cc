import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openModels } from "../../models/open-models.ts";
import { golden, mediaTypeOf } from "../../testing/golden.ts";
import { assertJudgedAgain } from "../../testing/judge-again.ts";
import { gatherEvidence } from "../gather.ts";
import { probeFile } from "../probe/probe.ts";

const models = openModels();
after(() => models[Symbol.asyncDispose]());

for (const [name, script] of [
  ["cyrillic.png", /Cyrillic/],
  ["thai.png", /Thai/],
] as const) {
  test(`${name}: a line in another script is named, and never given as Latin letters`, async () => {
    const limits = { maxDurationSeconds: 60, signal: undefined, onProgress: () => undefined };
    const asset = { file: golden(name), mediaType: mediaTypeOf(name) };
    const probe = await probeFile({ ...asset, ...limits });

    const needs = new Set(["supers"] as const);

    const evidence = await gatherEvidence({ ...asset, probe, needs, models, ...limits });

    const { supers } = evidence;
    assert.deepEqual(supers?.supers, []);
    assert.match(supers?.omissions?.map(({ what }) => what).join(" ") ?? "", script);
    await assertJudgedAgain(name, { evidence, gathered: needs });
  });
}
