import assert from "node:assert/strict";
import { test } from "node:test";
import type { Super } from "../../evidence/evidence.ts";
import { makeSpeech, makeSuper } from "../../testing/evidence.ts";
import { screenTexts } from "./screen-text.ts";

function read(supers: Super[], speech = makeSpeech()) {
  return screenTexts({ supers: { supers, readerCalls: 0 }, speech });
}

function isSmallPrint(text: string, differences: Partial<Super> = {}): boolean {
  return read([makeSuper(text, differences)])[0]?.isSmallPrint ?? false;
}

const low = { heightShare: 0.03, heightLines: 32 };
const high = { heightShare: 0.09, heightLines: 97 };

test("long text in small letters is small print, and so is legal wording of a word or two", () => {
  assert.ok(isSmallPrint("Subject to status. Over 18s only. UK residents.", low));
  assert.ok(isSmallPrint("T&Cs apply", low));
  assert.ok(isSmallPrint("18+ begambleaware.org", low));
  assert.ok(isSmallPrint("*Serving suggestion", low));
});

test("a logo, a sign and a large claim are no small print", () => {
  assert.ok(!isSmallPrint("ACME Motors", low));
  assert.ok(!isSmallPrint("Open daily", low));
  assert.ok(!isSmallPrint("The best coffee you have ever tasted", high));
});

test("legal wording at some length is small print in large letters too", () => {
  assert.ok(isSmallPrint("Representative example: 24.9 % APR variable", high));
  assert.ok(!isSmallPrint("Sponsored by ACME", high));
});

test("burnt-in subtitles are left out where the voice says the same, and legal text that is read out is not", () => {
  const speech = makeSpeech(
    [10, 13, "I never thought that coffee could be this good."],
    [14, 18, "Terms and conditions apply, see website for details."],
  );

  const texts = read(
    [
      makeSuper("I never thought that coffee could be this good.", { ...low, endSeconds: 13 }),
      makeSuper("Terms and conditions apply, see website for details.", { ...low, startSeconds: 14 }),
    ],
    speech,
  );

  assert.deepEqual(
    texts.map((text) => text.isSmallPrint),
    [false, true],
  );
});

test("credits that roll upwards are no small print, small print that crawls or rolls is", () => {
  const roll = { ...low, isMoving: true, region: { x: 0.2, y: 0, width: 0.6, height: 1 } };
  const crawl = { ...low, isMoving: true, region: { x: 0, y: 0.9, width: 1, height: 0.05 } };

  assert.ok(!isSmallPrint("Director Ann Example Camera Robert Sample", roll));
  assert.ok(isSmallPrint("Lines are open until nine o'clock tonight", crawl));
  assert.ok(isSmallPrint("Terms and conditions apply, see website for details", roll));
});

test("a text that a cut parts is held from its first to its last frame, and is as low as at its lowest", () => {
  const texts = read([
    makeSuper("Offer ends 31 May. Terms apply.", { startSeconds: 2, endSeconds: 5, contrastRatio: 12 }),
    makeSuper("Offer ends 31 May. Terms app1y.", { startSeconds: 5.08, endSeconds: 8, contrastRatio: 3 }),
  ]);

  assert.equal(texts.length, 1);
  assert.equal(texts[0]?.heldSeconds, 6);
  assert.equal(texts[0].contrastRatio, 3);
});

test("another price, date or word in the same place is a text of its own", () => {
  const pairs: [string, string][] = [
    ["Only £29.99 a month", "Only £39.99 a month"],
    ["Offer ends 1 May", "Offer ends 2 May"],
    ["Model A is here", "Model B is here"],
    ["Fresh cat food for you", "Fresh oat food for you"],
  ];

  for (const [first, second] of pairs) {
    const texts = read([
      makeSuper(first, { startSeconds: 2, endSeconds: 4, confidence: 0.99 }),
      makeSuper(second, { startSeconds: 4, endSeconds: 6, confidence: 0.99 }),
    ]);
    assert.deepEqual(
      texts.map(({ heldSeconds }) => heldSeconds),
      [2, 2],
      first,
    );
  }
});

test("a few words that limit an offer are small print", () => {
  const limits = [
    "Selected stores only.",
    "Minimum spend forty pounds.",
    "New customers only",
    "One per household",
    "Batteries not included",
    "Book by Friday",
  ];

  for (const text of limits) assert.ok(isSmallPrint(text, low), text);
  for (const text of ["Only the best", "Our new store", "Fresh every day"]) assert.ok(!isSmallPrint(text, low), text);
});

test("the same words in another place or after a pause are another text", () => {
  const texts = read([
    makeSuper("Offer ends 31 May. Terms apply.", { startSeconds: 2, endSeconds: 5 }),
    makeSuper("Offer ends 31 May. Terms apply.", { startSeconds: 9, endSeconds: 12 }),
    makeSuper("Offer ends 31 May. Terms apply.", {
      startSeconds: 12,
      endSeconds: 14,
      region: { x: 0.1, y: 0.05, width: 0.8, height: 0.05 },
    }),
  ]);

  assert.equal(texts.length, 3);
});

test("words are counted with figures and without marks, lines by breaks or by the height of the block", () => {
  const [broken, joined] = read([
    makeSuper("From £9.99 – 24 months.\nT&Cs apply.", low),
    makeSuper("Three lines that a reader joined with spaces into one", {
      ...low,
      region: { x: 0.1, y: 0.8, width: 0.8, height: 0.03 * 4.8 },
    }),
  ]);

  assert.deepEqual([broken?.wordCount, broken?.lineCount], [6, 2]);
  assert.deepEqual([joined?.wordCount, joined?.lineCount], [10, 3]);
});
