import assert from "node:assert/strict";
import { test } from "node:test";
import { likelyWords, type Rival } from "./likely-words.ts";

test("a word that nobody knows gives way to one that was seen almost as well", () => {
  assert.equal(likelyWords(read("Guaranteed to cure cancen", { 24: { r: 0.23 } })), "Guaranteed to cure cancer");
  assert.equal(likelyWords(read("FREE DELIVEBY", { 11: { R: 0.3, P: 0.1 } })), "FREE DELIVERY");
});

test("what was read without doubt stays, and so do known words and names", () => {
  assert.equal(likelyWords(read("cure cancen", {})), "cure cancen");
  assert.equal(likelyWords(read("a cancer cure", { 7: { l: 0.4 } })), "a cancer cure");
  assert.equal(likelyWords(read("Fly with Mila", { 12: { e: 0.1 } })), "Fly with Mila");
  assert.equal(likelyWords(read("cancen", { 5: { x: 0.4 } })), "cancen");
});

function read(text: string, doubts: Record<number, Record<string, number>>) {
  return Array.from(text, (character, index) => {
    const rivals: Rival[] = Object.entries(doubts[index] ?? {}).map(([other, likelihood]) => ({
      character: other,
      likelihood,
    }));
    return { character, likelihood: 1, rivals };
  });
}
