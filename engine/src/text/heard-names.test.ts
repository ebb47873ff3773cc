import assert from "node:assert/strict";
import { test } from "node:test";
import { filmSaying, makeSuper } from "../testing/text-evidence.ts";
import { withHeardNames } from "./heard-names.ts";

function heard(text: string, { screen = "", brand }: { screen?: string; brand?: string } = {}): string {
  const supers = screen === "" ? [] : [makeSuper(screen, 0, 3)];
  const evidence = filmSaying({ screen: supers, speech: [[text, 1, 4]] });
  const { speech } = withHeardNames(evidence, brand === undefined ? {} : { brand });
  return speech?.segments.map((segment) => segment.text).join(" ") ?? "";
}

test("a name is heard as it is written on the screen", () => {
  assert.equal(heard("Try new vexer, for dry skin.", { screen: "Nuvexa skin cream" }), "Try Nuvexa, for dry skin.");
  assert.equal(heard("Try new vexeter, for dry skin.", { screen: "Nuvexa skin cream" }), "Try Nuvexa, for dry skin.");
  assert.equal(heard("Ask for Zolpidex today", { screen: "ZOLPYDEX" }), "Ask for Zolpydex today");
});

test("a declared brand is heard as it is spelled", () => {
  assert.equal(heard("Bank with Kwikasure.", { brand: "Quickassure" }), "Bank with Quickassure.");
});

test("words that were said are never replaced by a name that sounds like them", () => {
  assert.equal(heard("This is not a cure.", { brand: "Notacure" }), "This is not a cure.");
  assert.equal(heard("It can cure you.", { screen: "Kure" }), "It can cure you.");
});

test("what sounds otherwise stays, and so does a name over the border of two sentences", () => {
  assert.equal(heard("Try Bortrax today.", { screen: "Nuvexa" }), "Try Bortrax today.");
  assert.equal(heard("Try Zavexa today.", { screen: "Nuvexa" }), "Try Zavexa today.");
  assert.equal(heard("It is nuv. Exa is good.", { screen: "Nuvexa" }), "It is nuv. Exa is good.");
});

test("without a name on the screen nothing changes", () => {
  assert.equal(heard("Try new vexer today.", { screen: "Only today" }), "Try new vexer today.");
});
