import assert from "node:assert/strict";
import { test } from "node:test";
import { builtIn, makeSidekick } from "../testing/sidekicks.ts";
import { judgeWithAll } from "./self-test.ts";

const above = (findings: ReturnType<typeof judgeWithAll>) =>
  findings.filter(({ severity }) => severity !== "INFO").map(({ ruleCode }) => ruleCode);

test("one claim is reported once by a duty that two places of one pack share", async () => {
  const pack = await builtIn("green-claims");
  const text = "Our eco-friendly washing-up liquid is back in stock.";
  const context = { jurisdictions: ["EU"], sector: "retail", channel: "online" };

  const codes = judgeWithAll([pack], { text, context, on: "document" }).map(({ ruleCode }) => ruleCode);

  assert.equal(codes.filter((code) => code.endsWith("-GREEN-GENERIC")).length, 1, codes.join());
});

test("the warning that a promotion needs is a note on news of its subject", async () => {
  const pack = await builtIn("crypto");
  const context = { jurisdictions: ["UK"], sector: "crypto", channel: "online" };
  const judge = (text: string) => judgeWithAll([pack], { text, context, on: "document" });

  const news = judge(
    "Bitcoin fell 9% overnight after a large exchange paused withdrawals. Our business editor explains.",
  );
  const promotion = judge("Buy Bitcoin in minutes with CoinBarn. Download the app and start today.");

  assert.deepEqual(above(news), []);
  assert.ok(above(promotion).includes("UK-FIN-CRYPTO"));
});

test("the gravest words of a short advertisement stay above a note, although the head takes it for honest", async () => {
  const pack = await builtIn("financial-promotions");
  const text = "Guaranteed returns. No risk to your capital.";
  const context = { jurisdictions: ["UK"], sector: "financial" };

  const findings = judgeWithAll([pack], { text, context, on: "document" });

  const promises = findings.filter(({ ruleCode }) => ruleCode === "XX-FIN-GUARANTEE");
  assert.deepEqual(
    promises.map(({ severity, needsHuman }) => [severity, needsHuman]),
    [
      ["MAJOR", true],
      ["MAJOR", true],
    ],
  );
});

test("a passage is given to at most three topics by their heads", async () => {
  const topics = ["gambling-harm", "gambling-youth", "get-rich-income", "investment-risk", "prize-scam"];
  const sidekick = makeSidekick(
    ...topics.map((topic) => ({ topic, check: { kind: "meaning", topic, threshold: -5 } })),
  );
  const text = "Rent due Friday? One good Thursday night on Larkspin and your landlord can stop calling.";
  const context = { jurisdictions: ["UK"], sector: "gambling", channel: "social" };

  const findings = judgeWithAll([sidekick], { text, context, on: "document" });

  assert.ok(findings.length >= 1 && findings.length <= 3, `${findings.length}`);
});
