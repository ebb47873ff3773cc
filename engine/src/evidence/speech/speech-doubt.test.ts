import assert from "node:assert/strict";
import { test } from "node:test";
import { type HeardSegment, judgeDoubt } from "./speech-doubt.ts";

function heard(text: string, meanLogLikelihood = -0.1, more: Partial<HeardSegment> = {}): HeardSegment {
  const logLikelihoods = Array.from({ length: 10 }, () => meanLogLikelihood);
  return {
    startSeconds: 0,
    endSeconds: 4,
    text,
    logLikelihoods,
    unknownShare: 0,
    isCutOff: false,
    language: null,
    disagreement: null,
    ...more,
  };
}

test("plain English is not doubted: prices, names, a word three times, fast small print", () => {
  const sentences = [
    "Save £20 on a café crème at Müller's.",
    "Yes, yes, yes!",
    "Buy one, get one free. Buy one, get one half price.",
    "Subject to status, late payment can cause you serious money problems, keep out of reach of children, see dealer for details.",
  ];

  for (const sentence of sentences) assert.deepEqual(judgeDoubt([heard(sentence)]), ["clear"], sentence);
});

test("words that the model thinks unlikely are doubted, and those it only guesses are not heard at all", () => {
  assert.deepEqual(judgeDoubt([heard("Near over-empt financing.", -0.4)]), ["doubtful"]);
  assert.deepEqual(judgeDoubt([heard("The whole family is a country.", -1.1)]), ["unheard"]);
});

test("words that are none raise the doubt, and make what is unclear unheard", () => {
  assert.deepEqual(judgeDoubt([heard("Call us now.", -0.18)]), ["clear"]);
  assert.deepEqual(judgeDoubt([heard("Rifcon said Ly.", -0.18, { unknownShare: 0.5 })]), ["doubtful"]);
  assert.deepEqual(judgeDoubt([heard("In Mediciale, sentimental.", -0.5)]), ["doubtful"]);
  assert.deepEqual(judgeDoubt([heard("In Mediciale, sentimental.", -0.5, { unknownShare: 0.5 })]), ["unheard"]);
});

test("unclear words that a second hearing has otherwise are not heard; clear ones are not questioned", () => {
  assert.deepEqual(judgeDoubt([heard("Nine and four, count four.", -0.5, { disagreement: 0.9 })]), ["unheard"]);
  assert.deepEqual(judgeDoubt([heard("Please drink wrist and sibling.", -0.5, { disagreement: 0.2 })]), ["doubtful"]);
  assert.deepEqual(judgeDoubt([heard("Please drink responsibly.", -0.1, { disagreement: 0.9 })]), ["clear"]);
  assert.deepEqual(judgeDoubt([heard("Touch you for shale.", -0.3, { disagreement: 0.9 })]), ["unheard"]);
  assert.deepEqual(judgeDoubt([heard("Keep up repayments.", -0.25, { disagreement: 0.2 })]), ["clear"]);
  assert.deepEqual(judgeDoubt([heard("Keep up repayments.", -0.25, { disagreement: 0.6 })]), ["doubtful"]);
});

test("loops, foreign letters, notes, no words at all and endless speech are not heard however sure the model is", () => {
  const noise = [
    "you you you you",
    "the country, the country, the country, and so on",
    "The 100% of the list is 0.0000000000000000.",
    "은근 근",
    "♪ Live for you too ♪",
    "...",
    "National Conference of the ".repeat(8),
  ];

  for (const text of noise) assert.deepEqual(judgeDoubt([heard(text)]), ["unheard"], text);
  assert.deepEqual(judgeDoubt([heard("It goes on", -0.1, { isCutOff: true })]), ["unheard"]);
});

test("what is unclear is not heard among other languages, and doubted among clear words", () => {
  const [foreign, unclear, clear] = [
    heard("The skeleton shift.", -1.2),
    heard("From the noise.", -0.5),
    heard("Call."),
  ];

  assert.deepEqual(judgeDoubt([foreign, foreign, unclear, foreign]), ["unheard", "unheard", "unheard", "unheard"]);
  assert.deepEqual(judgeDoubt([clear, clear, unclear, foreign]), ["clear", "clear", "doubtful", "unheard"]);
  assert.deepEqual(judgeDoubt([foreign, clear, foreign]), ["unheard", "clear", "unheard"]);
});

test("a model that does not say how sure it is is believed", () => {
  assert.deepEqual(judgeDoubt([heard("Bitte trinken Sie.", 0, { logLikelihoods: [], language: "de" })]), ["clear"]);
});
