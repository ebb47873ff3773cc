import assert from "node:assert/strict";
import { test } from "node:test";
import type { CaptionEvidence } from "../../evidence/evidence.ts";
import { filmProbe, judge, makeSpeech, makeSuper } from "../../testing/evidence.ts";

const rule = { check: { kind: "caption-missing", minSpeechSeconds: 3 } };
const speech = makeSpeech([2, 6, "Every morning starts with coffee."], [10, 14, "And ours comes from small farms."]);
const none: CaptionEvidence = { tracks: [] };

function track(...spans: [number, number][]): CaptionEvidence {
  const cues = spans.map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds, text: "x", lines: ["x"] }));
  return { tracks: [{ language: "eng", codec: "mov_text", cues }] };
}

test("speech without captions is found with how much of it there is", () => {
  const [finding] = judge(rule, { speech, captions: none });

  assert.equal(finding?.summary, "8 s of speech and no captions.");
  assert.match(finding.severityReasoning, /Of 8 s of speech, 8 s have no captions; 3 s or more need them\./);
  assert.equal(finding.location?.startSeconds, 2);
});

test("captions, even a little late, words on screen, and captions that are pictures are enough", () => {
  const shown = [
    makeSuper("EVERY MORNING STARTS WITH COFFEE", { startSeconds: 2, endSeconds: 6 }),
    makeSuper("And ours comes from small farms", { startSeconds: 10, endSeconds: 14 }),
  ];
  const withPictures = { ...filmProbe, subtitleStreams: [{ codec: "dvb_subtitle", language: null }] };

  assert.deepEqual(judge(rule, { speech, captions: track([3, 6], [11, 15]) }), []);
  assert.deepEqual(judge(rule, { speech, captions: none, supers: { supers: shown, readerCalls: 2 } }), []);
  assert.deepEqual(judge(rule, { speech, captions: none, probe: withPictures }), []);
});

test("captions that leave a part of the speech out are found there", () => {
  const [finding] = judge(rule, { speech, captions: track([2, 6]) });

  assert.match(finding?.summary ?? "", /^4 s of speech have no captions, from 10 s/);
  assert.match(finding?.severityReasoning ?? "", /The captions of the film leave out 50 % of the speech/);
});

test("an empty track is said to be empty", () => {
  const probe = { ...filmProbe, subtitleStreams: [{ codec: "mov_text", language: "eng" }] };

  assert.equal(
    judge(rule, { speech, captions: track(), probe })[0]?.summary,
    "8 s of speech and no captions: the caption track is empty.",
  );
});

test("a word or two, music, noise and short films that are exempt need none", () => {
  const unheard = (speech?.segments ?? []).map((part) => ({ ...part, text: "", isDoubtful: true }));
  const noise = { segments: unheard, notJudged: null };
  const exempt = { check: { ...rule.check, exemptUpToSeconds: 300 } };

  assert.deepEqual(judge(rule, { speech: makeSpeech([1, 3, "Coffee."]), captions: none }), []);
  assert.deepEqual(judge(rule, { speech: noise, captions: none }), []);
  assert.deepEqual(judge(rule, { speech: null, captions: none }), []);
  assert.deepEqual(judge(exempt, { speech, captions: none }), []);
});

test("speech in a language that cannot be written down is speech all the same", () => {
  const foreign = {
    segments: (speech?.segments ?? []).map((part) => ({ ...part, isDoubtful: true })),
    notJudged: "The speech does not sound like English.",
  };

  assert.equal(judge(rule, { speech: foreign, captions: none }).length, 1);
});
