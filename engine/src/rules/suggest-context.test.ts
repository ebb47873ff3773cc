import assert from "node:assert/strict";
import { test } from "node:test";
import { documentSaying } from "../testing/text-evidence.ts";
import { assetText } from "../text/asset-text.ts";
import { unreadLanguages } from "../text/languages.ts";
import { describeSuggestion, suggestContext } from "./suggest-context.ts";

const suggest = (text: string, context = {}) => suggestContext(assetText(documentSaying(text)), context);

test("market and sector are guessed from money, regulators and words, and said with the option to add", () => {
  const guess = suggest("Borrow £500 today. Personal loans, 29.9% APR representative. Authorised by the FCA.");

  assert.deepEqual([guess?.jurisdictions, guess?.sector], [["UK"], "credit"]);
  assert.ok(guess !== null);
  assert.match(
    describeSuggestion(guess),
    /^Looks like consumer credit in the UK \(.+\); add --context jurisdictions=UK --context sector=credit to judge it so\.$/,
  );
});

test("other markets show by their own signs", () => {
  const places = [
    "Call 1-800-555-1234. Not evaluated by the FDA.",
    "Only A$49 from www.shop.com.au",
    "Just ₹999, down from Rs. 1,999.",
    "Regulated by the Central Bank of Ireland. €50 bonus.",
  ].map((text) => suggest(text)?.jurisdictions);

  assert.deepEqual(places, [["US"], ["AU"], ["IN"], ["IE"]]);
});

test("nothing is suggested for what was declared, or where nothing shows", () => {
  assert.equal(suggest("Loans and credit for £5.", { jurisdictions: ["UK"], sector: "credit" }), null);
  assert.equal(suggest("Have a lovely day."), null);
});

test("a sector that nobody knows is said to count as not declared, with the nearest ones", () => {
  const said = (sector: string) => suggest("Have a lovely day.", { jurisdictions: ["UK"], sector })?.notUnderstood;

  assert.deepEqual(said("gamblng"), [
    "The sector “gamblng” is not known, so it counts as not declared; nearest: gambling.",
  ]);
  assert.deepEqual(said("zeppelins"), ["The sector “zeppelins” is not known, so it counts as not declared."]);
  assert.deepEqual([said("Credit cards"), said("pet food"), said("")], [undefined, undefined, undefined]);
});

test("text in a language without rules is said to be not judged, English is not", () => {
  const pages = documentSaying(
    "Our new shop is open all day and you can get a free coffee with every cake.",
    "Unser neuer Laden ist den ganzen Tag für Sie da, und der Kaffee ist bei uns nicht teuer.",
    "Новый магазин открыт каждый день, приходите за кофе.",
  );

  assert.deepEqual(unreadLanguages(assetText(pages)), [
    "Page 2 is in German: the rules for wording read English, so it was not judged.",
    "Page 3 is in Cyrillic script: the rules for wording read English, so it was not judged.",
  ]);
});

test("a paragraph in a language without rules is said to be not judged, though its page is in English", () => {
  const english = "Our new shop is open all day and you can get a free coffee with every cake. ";
  const german = "Unser neuer Laden ist den ganzen Tag für Sie da, und der Kaffee ist bei uns nicht teuer.";
  const blocks = [english.repeat(5), german].map((text) => ({ text, kind: "body" as const, region: null }));
  const page = { page: 1, text: blocks.map(({ text }) => text).join("\n"), blocks, needsReading: false };
  const evidence = documentSaying("");
  const document = { pages: [page], cues: null, limits: [] };

  assert.deepEqual(unreadLanguages(assetText({ ...evidence, document })), [
    "A part of page 1 is in German: the rules for wording read English, so it was not judged.",
  ]);
});
