import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { openModels } from "@greenlit/engine/models/open-models.ts";
import { readCleanMedia } from "@greenlit/engine/rules/clean-media.ts";
import { loadPacks } from "@greenlit/engine/rules/load-packs.ts";
import { openTestCache } from "@greenlit/engine/testing/test-cache.ts";
import { checkFile } from "./check-file.ts";

const sidekicks = (await loadPacks()).map(({ sidekick }) => sidekick);
const media = await readCleanMedia();
const models = openModels();
after(() => models[Symbol.asyncDispose]());
const cache = openTestCache(sidekicks);
after(() => cache?.[Symbol.asyncDispose]());

test("there are at least twenty honest media of every kind", () => {
  const endings = new Set(media.map(({ name }) => name.slice(name.lastIndexOf("."))));

  assert.ok(media.length >= 20);
  for (const ending of [".mp4", ".mp3", ".jpg", ".png", ".pdf", ".docx", ".pptx", ".xlsx", ".srt"]) {
    assert.ok(endings.has(ending), ending);
  }
});

// Two at once: a child that starts leaves the other core idle.
suite("honest media", { concurrency: 2 }, () => {
  for (const { name, path, context } of media) {
    test(`${name} raises nothing above INFO`, { timeout: 900_000 }, async () => {
      const options = { sidekicks, context, models, cache, wantsFrames: false, onProgress: () => {} };

      const file = await checkFile(path, { ...options, signal: new AbortController().signal });

      const alarms = file.issues.filter(({ severity }) => severity !== "INFO");
      assert.deepEqual([file.status, file.errorMessage], ["complete", null]);
      assert.deepEqual(
        alarms.map(({ severity, ruleCode, summary }) => `${severity} ${ruleCode}: ${summary}`),
        [],
      );
    });
  }
});
