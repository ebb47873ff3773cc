import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { editDistance } from "../../edit-distance.ts";
import { openModels } from "../../models/open-models.ts";
import { golden, mediaTypeOf } from "../../testing/golden.ts";
import { assertJudgedAgain } from "../../testing/judge-again.ts";
import type { Super } from "../evidence.ts";
import { gatherEvidence } from "../gather.ts";
import { probeFile } from "../probe/probe.ts";

type Truth = Pick<Super, "text" | "startSeconds" | "endSeconds" | "heightLines" | "contrastRatio" | "isMoving">;

const truth = JSON.parse(await readFile(new URL("../../../golden/truth-supers.json", import.meta.url), "utf8")) as {
  clips: Record<string, Truth[]>;
};
const models = openModels();
after(() => models[Symbol.asyncDispose]());

async function readSupers(name: string): Promise<Super[]> {
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
  return evidence.supers?.supers ?? [];
}

test("the small print of a small picture is read to its ends", async () => {
  const found = await readSupers("small-print.png");

  assert.deepEqual(
    found.map(({ text }) => text),
    ["Our herbal tea is lovely", "Guaranteed weight loss in seven days or your money back"],
  );
});

for (const [name, expected] of Object.entries(truth.clips)) {
  test(`${name} is read as it was drawn`, { timeout: 900_000 }, async () => {
    const found = await readSupers(name);

    for (const wanted of expected) {
      const away = ({ startSeconds }: Super) => Math.abs((startSeconds ?? 0) - (wanted.startSeconds ?? 0));
      const nearest = found.toSorted(
        (a, b) => distance(a.text, wanted.text) - distance(b.text, wanted.text) || away(a) - away(b),
      )[0];
      assert.ok(nearest, `nothing was read for “${wanted.text}”`);
      const wrong = distance(nearest.text, wanted.text) / wanted.text.length;
      assert.ok(
        wrong <= 0.02 || distance(nearest.text, wanted.text) <= 1,
        `“${wanted.text}” was read as “${nearest.text}”`,
      );
      assert.equal(nearest.isMoving, wanted.isMoving, wanted.text);
      within(nearest.startSeconds, wanted.startSeconds, 0.12, `start of “${wanted.text}”`);
      within(nearest.endSeconds, wanted.endSeconds, 0.12, `end of “${wanted.text}”`);
      // Where only colour tells letters from their ground, there are half as many lines to measure by.
      const lines = (wanted.contrastRatio ?? Infinity) < 1.5 ? 4 : 2;
      within(nearest.heightLines, wanted.heightLines, lines, `height of “${wanted.text}”`);
      if (wanted.contrastRatio !== null) {
        within(nearest.contrastRatio, wanted.contrastRatio, wanted.contrastRatio * 0.1, `contrast of “${wanted.text}”`);
      }
    }
    assert.equal(found.length, expected.length, `read: ${found.map(({ text }) => text).join(" | ")}`);
  });
}

function within(value: number | null, wanted: number | null, tolerance: number, what: string): void {
  assert.ok(
    value !== null && wanted !== null && Math.abs(value - wanted) <= tolerance + 1e-6,
    `${what}: ${value}, should be ${wanted} ± ${tolerance}`,
  );
}

/** Line breaks count as spaces. */
function distance(a: string, b: string): number {
  return editDistance(a.replaceAll(/\s+/g, " "), b.replaceAll(/\s+/g, " "));
}
