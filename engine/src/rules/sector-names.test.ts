import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPacks } from "./load-packs.ts";
import { fieldOf, sectorsOf } from "./sector-names.ts";
import { judgeWithAll } from "./self-test.ts";

const sidekicks = (await loadPacks()).map(({ sidekick }) => sidekick);

/** Names that people give one and the same sector, with texts of it. */
const groups: { names: string[]; texts: string[] }[] = [
  {
    names: ["finance", "Financial", "financial-services", "banking", "credit", "loans", "fintech"],
    texts: [
      "Bad credit? No credit checks, guaranteed acceptance. Your loan is paid out today.",
      "Earn 19.9 % every year. Guaranteed returns. No risk to your capital. Invest now.",
      "Buy Bitcoin in three taps. Your coins only go one way: up.",
    ],
  },
  { names: ["alcohol", "Alcoholic drinks", "beer"], texts: ["A pint of our ale a day keeps your heart healthy."] },
  { names: ["health", "medical", "Healthcare", "wellness"], texts: ["Our honey heals arthritis and type 1 diabetes."] },
];

test("other names of a sector give the same findings", () => {
  for (const { names, texts } of groups)
    for (const text of texts) {
      const answers = names.map((sector) => {
        const context = { jurisdictions: ["UK"], sector, channel: "online" };
        const findings = judgeWithAll(sidekicks, { text, context, on: "document" });
        return findings.map(({ ruleCode, severity }) => `${ruleCode} ${severity}`).join(", ");
      });

      assert.notEqual(answers[0], "", text);
      for (const [index, answer] of answers.entries()) assert.equal(answer, answers[0], `${names[index]}: ${text}`);
    }
});

test("a sector is known in any spelling and by the words of its name, and an unknown one is kept as it is", () => {
  assert.deepEqual(sectorsOf(" Consumer-Credit "), ["credit"]);
  assert.equal(fieldOf("Financial services"), fieldOf("crypto"));
  assert.deepEqual(sectorsOf("Secured loans"), ["credit"]);
  assert.deepEqual(sectorsOf("car insurance"), ["insurance"]);
  assert.deepEqual(sectorsOf("tobacco pouches"), ["nicotine"]);
  assert.deepEqual(sectorsOf("credit card"), ["credit"]);
  assert.equal(fieldOf("pet food"), "pets");
  assert.equal(fieldOf("bee keeping"), "bee_keeping");
  assert.equal(fieldOf(" "), null);
  // What every JavaScript object has is no sector.
  for (const name of ["constructor", "toString", "__proto__"]) assert.deepEqual(sectorsOf(name), [], name);
});
