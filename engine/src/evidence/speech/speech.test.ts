import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Models, Utterance } from "../../models/models.ts";
import { soundSampleRate } from "../evidence.ts";
import { createSpeechConsumer } from "./speech.ts";

const clear: Utterance = {
  text: " Call  us now. ",
  logLikelihoods: [-0.1, -0.1],
  unknownShare: 0,
  isCutOff: false,
  language: null,
};

/** Hears a voice wherever the samples are not 0. */
function makeModels(transcribe: (samples: Int16Array) => Promise<Utterance>) {
  const heard: number[] = [];
  const models: Pick<Models, "hearVoice" | "transcribe"> = {
    hearVoice: async (samples) => ({
      likelihoods: Array.from({ length: samples.length / 512 }, (_, n) => (samples[n * 512] === 0 ? 0 : 0.9)),
      state: null,
    }),
    transcribe(samples) {
      heard.push(samples.length / soundSampleRate);
      return transcribe(samples);
    },
  };
  return { models, heard };
}

/** Seconds of voice (true) or silence (false), in pieces of a second, as the decoder gives them. */
async function listen(
  models: Pick<Models, "hearVoice" | "transcribe">,
  { seconds, isVoice }: { seconds: number; isVoice: (second: number) => boolean },
) {
  const consumer = createSpeechConsumer({ models });
  const [voice, silence] = [new Int16Array(soundSampleRate).fill(1000), new Int16Array(soundSampleRate)];
  for (let second = 0; second < seconds; second += 1) {
    await consumer.accept({ startSeconds: second, samples: isVoice(second) ? voice : silence });
  }
  return consumer.finish({ durationSeconds: seconds, count: seconds * soundSampleRate });
}

test("what is said has its times and tidy text; what is not said is not transcribed", async () => {
  const { models, heard } = makeModels(() => Promise.resolve(clear));

  const { segments, notJudged } = await listen(models, {
    seconds: 10,
    isVoice: (second) => second === 3 || second >= 8,
  });

  assert.equal(heard.length, 2);
  assert.equal(notJudged, null);
  assert.deepEqual(
    segments.map(({ text, isDoubtful }) => ({ text, isDoubtful })),
    Array.from({ length: 2 }, () => ({ text: "Call us now.", isDoubtful: false })),
  );
  const times = segments.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]);
  for (const [index, expected] of [3, 4, 8, 10].entries()) assert.ok(Math.abs((times[index] ?? 0) - expected) < 0.05);
});

test("what is unclear is heard twice; words that do not come out again are named, not written", async () => {
  const hears = (second: string) => {
    const texts = ["Nine and four, count four.", second];
    return makeModels(() => Promise.resolve({ ...clear, text: texts.shift() ?? "", logLikelihoods: [-0.5, -0.5] }));
  };
  const isVoice = (second: number) => second === 1;
  const [foreign, unclear] = [hears("Go for May, it is three."), hears("Nine and four, court four.")];

  const guessed = await listen(foreign.models, { seconds: 3, isVoice });
  const said = await listen(unclear.models, { seconds: 3, isVoice });

  assert.deepEqual(
    foreign.heard.map((seconds) => Math.round(10 * (seconds / (foreign.heard[0] ?? 1)))),
    [10, 11],
  );
  assert.deepEqual([guessed.segments[0]?.text, guessed.omissions?.length], ["", 1]);
  assert.deepEqual([said.segments[0]?.text, said.segments[0]?.isDoubtful], ["Nine and four, count four.", true]);
});

test("of two hearings the likelier one is written, unless it never ends", async () => {
  const hears = (second: Partial<Utterance>) => {
    const hearings = [{ text: "Let fees may apply.", logLikelihoods: [-0.3, -0.3] }, second];
    return makeModels(() => Promise.resolve({ ...clear, ...hearings.shift() })).models;
  };
  const isVoice = (second: number) => second === 1;
  const textOf = async (second: Partial<Utterance>) =>
    (await listen(hears(second), { seconds: 3, isVoice })).segments[0]?.text;
  const better = { text: "Late fees may apply.", logLikelihoods: [-0.1, -0.1] };

  assert.equal(await textOf(better), "Late fees may apply.");
  assert.equal(await textOf({ ...better, logLikelihoods: [-0.4, -0.4] }), "Let fees may apply.");
  assert.equal(await textOf({ ...better, unknownShare: 0.5 }), "Let fees may apply.");
  assert.equal(await textOf({ ...better, isCutOff: true }), "Let fees may apply.");
});

/** What is really held: garbage that waits to be collected is no growth. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test("four hours take no more memory than a minute, and no stretch is longer than 13 s", async () => {
  const { models, heard } = makeModels(() => Promise.resolve(clear));
  const before = heldBytes();

  await listen(models, { seconds: 4 * 3600, isVoice: (second) => second % 60 < 40 });

  const after = heldBytes();
  assert.ok(heard.length > 600);
  assert.ok(Math.max(...heard) < 13);
  assert.ok(after - before < 64 * 2 ** 20);
});

test("the decoder is held back when the words of three stretches are still to come", async () => {
  const waiting: (() => void)[] = [];
  const { models } = makeModels(() => new Promise((resolve) => waiting.push(() => resolve(clear))));
  const consumer = createSpeechConsumer({ models });
  let accepted = 0;
  const feeding = (async () => {
    for (let second = 0; second < 20; second += 1) {
      const samples = new Int16Array(soundSampleRate).fill(second % 4 < 2 ? 1000 : 0);
      await consumer.accept({ startSeconds: second, samples });
      accepted = second + 1;
    }
  })();
  for (let turn = 0; turn < 1000; turn += 1) await new Promise(setImmediate);

  assert.ok(accepted < 12, `${accepted} s were taken`);
  const timer = setInterval(() => waiting.splice(0).forEach((resolve) => resolve()), 1);
  await feeding;
  const { segments } = await consumer.finish({ durationSeconds: 20, count: 20 * soundSampleRate });
  clearInterval(timer);
  assert.equal(segments.length, 5);
});

test("a transcriber that fails fails the analysis, at the latest at its end", async () => {
  const { models } = makeModels(() => Promise.reject(new Error("gone")));

  await assert.rejects(listen(models, { seconds: 4, isVoice: (second) => second === 1 }), /gone/);
});

test("voices without words are no segments, but say that they were not understood", async () => {
  const { models } = makeModels(() => Promise.resolve({ ...clear, text: "" }));

  const { segments, notJudged } = await listen(models, { seconds: 8, isVoice: (second) => second < 5 });

  assert.deepEqual(segments, []);
  assert.match(notJudged ?? "", /could not be made out/);
});

test("a model that knows the language says which one was spoken", async () => {
  const german = { text: "Bitte trinken Sie.", logLikelihoods: [], unknownShare: 0, isCutOff: false, language: "de" };
  const { models } = makeModels(() => Promise.resolve(german));

  const { segments, notJudged } = await listen(models, { seconds: 8, isVoice: (second) => second < 5 });

  assert.equal(notJudged, "Most of what is said is not English but German.");
  assert.deepEqual(
    segments.map(({ isDoubtful, confidence }) => ({ isDoubtful, isSure: confidence > 0.8 })),
    [{ isDoubtful: false, isSure: true }],
  );
});
