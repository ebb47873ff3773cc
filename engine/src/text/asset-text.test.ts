import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyEvidence } from "../evidence/empty-evidence.ts";
import type { Super } from "../evidence/evidence.ts";
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

test("cards that take each other's place are one sentence, and what stands beside them is another", () => {
  const card = (text: string, [startSeconds, endSeconds]: [number, number], y = 0.6) => ({
    text,
    startSeconds,
    endSeconds,
    heightLines: 60,
    heightShare: 0.05,
    contrastRatio: 10,
    region: { x: 0.3, y, width: 0.4, height: 0.05 },
    isMoving: false,
    confidence: 0.98,
  });
  const textOf = (supers: Super[]) =>
    assetText({ ...emptyEvidence(filmProbe), supers: { supers, readerCalls: 1 } }).tracks[0]?.text;

  const captions = [
    card("Terms apply.", [0, 9], 0.95),
    card("THIS TEA", [1, 1.7]),
    card("CAN CURE", [1.74, 2.4]),
    card("Only 18+", [2.4, 9], 0.05),
    card("CANCER", [2.42, 3]),
    card("ORDER NOW!", [3, 3.7]),
    card("BEST PRICES", [3.7, 4.4]),
  ];
  assert.equal(textOf(captions), "Terms apply.\nTHIS TEA CAN CURE CANCER ORDER NOW!\nOnly 18+\nBEST PRICES");

  const cards = [
    card("Our new tea can", [0, 2]),
    card("cure cancer", [2, 4]),
    card("Ask in your store", [4, 6]),
    card("Now £9", [7, 8]),
  ];
  assert.equal(textOf(cards), "Our new tea can cure cancer\nAsk in your store\nNow £9");

  const built = [card("THIS TEA", [0, 4], 0.5), card("CAN CURE", [0.5, 4], 0.56), card("CANCER", [1, 4], 0.62)];
  assert.equal(textOf(built), "THIS TEA CAN CURE CANCER");

  const poster = [
    { ...card("CURES", [0, 0], 0.3), heightLines: 120, heightShare: 0.11 },
    { ...card("in 7 days*", [0, 0], 0.4), region: { x: 0.5, y: 0.4, width: 0.2, height: 0.05 } },
    { ...card("arthritis", [0, 0], 0.401), region: { x: 0.2, y: 0.401, width: 0.25, height: 0.045 } },
    card("*Results may vary.", [0, 0], 0.95),
  ].map((line) => ({ ...line, startSeconds: null, endSeconds: null }));
  assert.equal(textOf(poster), "CURES arthritis in 7 days*\n*Results may vary.");

  const typed = [
    card("This tea can cu", [0, 1.5]),
    card("This tea can cure canc", [1.5, 2]),
    card("This tea can cure cancer", [2, 4]),
  ];
  assert.equal(textOf(typed), "This tea can cure cancer");

  const scattered = [
    card("CURE", [1, 1.5], 0.2),
    card("CANCER", [1.5, 2], 0.7),
    card("Ask your pharmacist first", [2, 4], 0.9),
  ];
  assert.equal(textOf(scattered), "CURE CANCER\nAsk your pharmacist first");
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
