import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyEvidence } from "../evidence/empty-evidence.ts";
import { filmProbe } from "../testing/evidence.ts";
import { assetText, plainText, sentenceAround } from "./asset-text.ts";

test("text that is turned round by a control character is searched as people read it", () => {
  assert.equal(plainText("A tea. \u202Esitirhtra seruc\u202C Enjoy"), "A tea. cures arthritis Enjoy");
});

test("letters that stand apart or one below the other are one word", () => {
  assert.equal(plainText("C U R E S arthritis"), "CURES arthritis");
  assert.equal(plainText("Tea\nC\nU\nR\nE\nS\nfor all"), "Tea\nCURES\nfor all");
  assert.equal(plainText("I am a man, plan A or B, U.S. A & E"), "I am a man, plan A or B, U.S. A & E");
});

test("a word of Latin letters and others that look like them is read as Latin, one of another script is not", () => {
  assert.equal(plainText("This tea \u0441ur\u0435s \u0430rthritis"), "This tea cures arthritis");
  assert.equal(plainText("\u0441\u043e\u0441\u043d\u0430"), "\u0441\u043e\u0441\u043d\u0430");
});

test("two captions are two texts, and a phrase does not cross a long pause between them", () => {
  const cue = (text: string, startSeconds: number) => ({
    text,
    lines: [text],
    startSeconds,
    endSeconds: startSeconds + 2,
  });
  const cues = [cue("Our sale starts on Monday", 0), cue("It cures arthritis", 2), cue("overnight", 10)];
  const evidence = { ...emptyEvidence(filmProbe), captions: { tracks: [{ language: null, codec: "srt", cues }] } };
  const [track] = assetText(evidence).tracks;
  assert.ok(track !== undefined);
  const start = track.text.indexOf("cures");

  assert.equal(sentenceAround(track, start, start + "cures arthritis".length), "It cures arthritis");
  assert.equal(track.text.replaceAll("\n", "|"), "Our sale starts on Monday It cures arthritis.|overnight");
});

test("plain copy reads the same whether or not a sign beyond ASCII stands in it", () => {
  const texts = [
    "C U R E S all",
    "F\nR\nE\nE beer",
    "it`s  a\t b",
    "A.B.C.D x y z w",
    "R & D e f g h",
    "1 a b c d 2",
    "'a b c d e'",
  ];
  for (const text of texts) assert.equal(`${plainText(text)} ñandú`, plainText(`${text} ñandú`));
});
