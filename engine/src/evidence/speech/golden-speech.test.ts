import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { findModels } from "../../models/find-models.ts";
import { openModels } from "../../models/open-models.ts";
import { golden, mediaTypeOf } from "../../testing/golden.ts";
import { assertJudgedAgain } from "../../testing/judge-again.ts";
import type { Span, SpeechEvidence, SpeechSegment } from "../evidence.ts";
import { gatherEvidence } from "../gather.ts";
import { probeFile } from "../probe/probe.ts";

type Truth = Record<
  string,
  { language: "en" | "de" | "es" | "mixed" | "none"; utterances: (Span & { voice: string; text: string })[] }
>;

const truth = JSON.parse(
  await readFile(new URL("../../../golden/truth-speech.json", import.meta.url), "utf8"),
) as Truth;
const skip = findModels().canHearSpeech ? false : "the models are not installed here";
const models = openModels();
after(() => models[Symbol.asyncDispose]());

for (const [file, { language, utterances }] of Object.entries(truth)) {
  if (language === "en") {
    test(`${file}: at most 15 % of the words are wrong, and times to half a second`, { skip }, async () => {
      const { segments, notJudged } = await hear(file);

      assert.equal(notJudged, null);
      assertTimes(segments, utterances);
      const said = wordsOf(utterances.map(({ text }) => text).join(" "));
      const wrong = distance(said, wordsOf(segments.map(({ text }) => text).join(" ")));
      assert.ok(wrong <= 0.15 * said.length, `${wrong} of ${said.length}: ${JSON.stringify(segments)}`);
      assert.deepEqual(
        segments.filter(({ isDoubtful }) => isDoubtful),
        [],
      );
    });
  } else if (language === "none") {
    test(`${file}: no voice, no words`, { skip }, async () => {
      assert.deepEqual(await hear(file), { segments: [], notJudged: null });
    });
  } else if (language === "mixed") {
    test(`${file}: only what is not English is doubted`, { skip }, async () => {
      const { segments, notJudged } = await hear(file);

      assertTimes(segments, utterances);
      const isForeign = utterances.map(({ voice }) => voice === "de");
      assert.deepEqual(
        segments.map(({ isDoubtful }) => isDoubtful),
        isForeign,
      );
      assert.equal(notJudged, null);
    });
  } else {
    test(`${file}: what is not English is named with its time, without words that nobody said`, { skip }, async () => {
      const { segments, notJudged, omissions } = await hear(file);

      assertTimes(segments, utterances);
      assert.ok(segments.every(({ isDoubtful, text }) => isDoubtful && text === ""));
      assert.equal(omissions?.length, segments.length);
      assert.match(notJudged ?? "", /does not sound like English/);
    });
  }
}

async function hear(name: string): Promise<SpeechEvidence> {
  const [file, mediaType] = [golden(name), mediaTypeOf(name)];
  const probe = await probeFile({ file, mediaType });
  const needs = new Set(["speech"] as const);
  const options = { file, mediaType, probe, needs, models, maxDurationSeconds: 3600, signal: undefined };
  const evidence = await gatherEvidence({ ...options, onProgress: () => undefined });
  await assertJudgedAgain(name, { evidence, gathered: needs });
  const { speech } = evidence;
  assert.ok(speech !== null);
  return speech;
}

function assertTimes(segments: SpeechSegment[], utterances: Span[]): void {
  assert.equal(segments.length, utterances.length, JSON.stringify(segments));
  for (const [index, { startSeconds, endSeconds }] of segments.entries()) {
    const expected = utterances[index] ?? { startSeconds: NaN, endSeconds: NaN };
    assert.ok(Math.abs(startSeconds - expected.startSeconds) <= 0.5, `${startSeconds}, not ${expected.startSeconds}`);
    assert.ok(Math.abs(endSeconds - expected.endSeconds) <= 0.5, `${endSeconds}, not ${expected.endSeconds}`);
  }
}

/** Spelling that two people who hear the same would differ in does not count. */
function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll("advisors", "advisers")
      .replaceAll("-", " ")
      .match(/[a-z']+/g) ?? []
  );
}

/** How many words must be put in, left out or changed. */
function distance(said: string[], heard: string[]): number {
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index);
  for (const [i, word] of said.entries()) {
    const next = [i + 1];
    for (let j = 1; j <= heard.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (word === heard[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed));
    }
    row = next;
  }
  return row[heard.length] ?? 0;
}
