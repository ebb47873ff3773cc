import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Models } from "../../models/models.ts";
import { golden, mediaTypeOf } from "../../testing/golden.ts";
import { makeScratch } from "../../testing/scratch.ts";
import { gatherEvidence } from "../gather.ts";
import { probeFile } from "../probe/probe.ts";

const models = { readText: () => Promise.resolve([]), readCodes: () => Promise.resolve([]) } as unknown as Models;
const limits = { maxDurationSeconds: 600, signal: undefined, onProgress: () => undefined };

test("where the data of a film is damaged its picture is named as not read", async () => {
  await using scratch = await makeScratch();
  const bytes = await readFile(golden("scenes.mp4"));
  const damaged = Buffer.from(bytes).fill(0xff, Math.round(bytes.length * 0.4), Math.round(bytes.length * 0.65));

  const whole = await missingIn(golden("scenes.mp4"));
  const broken = await missingIn(await scratch.write("damaged.mp4", damaged));

  assert.deepEqual(whole, []);
  assert.ok(broken.length > 0);
  for (const { startSeconds = 0, endSeconds = 0 } of broken)
    assert.ok(startSeconds > 1 && endSeconds > startSeconds + 0.4, `${startSeconds} to ${endSeconds}`);
});

test("a long step of a variable frame rate is a picture that stays", async () => {
  assert.deepEqual(await missingIn(golden("variable.mp4")), []);
});

async function missingIn(file: string) {
  const mediaType = mediaTypeOf(file);
  const probe = await probeFile({ file, mediaType, ...limits });
  const { supers } = await gatherEvidence({ file, mediaType, probe, needs: new Set(["supers"]), models, ...limits });
  return (supers?.omissions ?? []).filter(({ what }) => what.startsWith("Frames are missing"));
}
