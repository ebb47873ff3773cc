import assert from "node:assert/strict";
import { test } from "node:test";
import { builtIn, makeSidekick } from "../testing/sidekicks.ts";
import { loadPacks } from "./load-packs.ts";
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

test("the gravest words of a short advertisement stay above a note, whatever the head takes it for", async () => {
  const pack = await builtIn("financial-promotions");
  const text = "Guaranteed returns. No risk to your capital.";
  const context = { jurisdictions: ["UK"], sector: "financial" };

  const findings = judgeWithAll([pack], { text, context, on: "document" });

  const promises = findings.filter(({ ruleCode }) => ruleCode === "XX-FIN-GUARANTEE");
  assert.equal(promises.length, 2);
  assert.ok(promises.every(({ severity }) => severity === "CRITICAL" || severity === "MAJOR"));
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

test("a claim that its rule found by its words is not given to unlike topics as well", async () => {
  const sidekicks = (await loadPacks()).map(({ sidekick }) => sidekick);
  const text = "Earn 19.9 % every year. Guaranteed returns. No risk to your capital.";
  const context = { jurisdictions: ["UK"], sector: "finance", channel: "online" };

  const codes = above(judgeWithAll(sidekicks, { text, context, on: "document" }));

  assert.ok(codes.includes("XX-FIN-GUARANTEE"), codes.join());
  assert.deepEqual(
    codes.filter((code) => /AI-|COSMETIC|PRICE/.test(code)),
    [],
  );
});

test("a grave claim stays above a note in a long text too, when its own sentence is no honest one", async () => {
  const sidekicks = (await loadPacks()).map(({ sidekick }) => sidekick);
  const text = [
    "Bellmoor Private Capital has looked after families in the north of England since 1974. Our offices are in",
    "Harrogate, next to the Valley Gardens, and we are open from nine to five. There is parking for visitors behind",
    "the building, and the kettle is always on. Our newsletter comes out four times a year and has a page of",
    "recipes. Guaranteed returns of 14% a year with no risk to your capital. Susan at the front desk will find you",
    "the right person to talk to. We sponsor the youth brass band and two of our colleagues play the cornet in it.",
  ].join(" ");
  const context = { jurisdictions: ["UK"], sector: "finance", channel: "online" };

  assert.ok(above(judgeWithAll(sidekicks, { text, context, on: "document" })).includes("XX-FIN-GUARANTEE"));
});
