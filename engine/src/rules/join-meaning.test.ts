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

test("the gravest words of a short advertisement stay grave, whatever the head takes it for", async () => {
  const packs = [await builtIn("financial-promotions"), await builtIn("green-claims")];
  const judge = (text: string, sector: string) =>
    judgeWithAll(packs, { text, context: { jurisdictions: ["UK"], sector, channel: "tv" }, on: "screen" });

  const promises = judge("Guaranteed returns. No risk to your capital.", "financial");
  const candle = judge("This candle offsets your whole year.", "household");

  assert.deepEqual(
    promises.filter(({ ruleCode }) => ruleCode === "XX-FIN-GUARANTEE").map(({ severity }) => severity),
    ["CRITICAL", "CRITICAL"],
  );
  assert.equal(candle.find(({ ruleCode }) => ruleCode === "XX-GREEN-NEUTRAL")?.severity, "CRITICAL");
});

test("a plain label of a few words sounds like no offence", async () => {
  const sidekicks = (await loadPacks()).map(({ sidekick }) => sidekick);
  const judge = (text: string, sector: string) =>
    above(judgeWithAll(sidekicks, { text, context: { jurisdictions: ["UK"], sector }, on: "document" }));

  assert.deepEqual(judge("Selected branches only today.", "banking"), []);
  assert.deepEqual(judge("A plain slide", "health"), []);
});

test("heads far behind a rule that found the passage by its words stay silent", async () => {
  const sidekicks = (await loadPacks()).map(({ sidekick }) => sidekick);
  const context = { jurisdictions: ["UK"], sector: "retail", channel: "online" };

  const codes = above(judgeWithAll(sidekicks, { text: "Was £199, now £29!", context, on: "document" }));

  assert.deepEqual(codes, ["UK-PRICE-WASNOW"]);
});

test("a head does not speak for a claim of one's own pack that has all it needs", () => {
  const needsAll = [["capital at risk"], ["past performance"]];
  const check = { kind: "claim", anyOf: ["zeppelin fund"], needsAll, missing: "its warnings" };
  const sidekick = makeSidekick({ topic: "investment-risk", check });
  const context = { jurisdictions: ["UK"], sector: "investments" };
  const promise = "Double your money in a year, guaranteed returns, no risk whatsoever.";
  const judge = (text: string) => judgeWithAll([sidekick], { text, context, on: "document" }).length;

  assert.equal(judge(promise), 1);
  assert.equal(judge(`${promise} Capital at risk. Past performance is no guide.`), 0);
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
