import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeScratch } from "@greenlit/engine/testing/scratch.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

const hype = [
  "Disrupt your morning with a paradigm-shifting toothbrush.",
  "A game-changing, next-level stapler for visionary teams.",
  "Our revolutionary paradigm will disrupt how you wash socks.",
  "Next-level synergy meets game-changing noodles.",
  "Visionary lampshades that disrupt the whole paradigm of light.",
  "The game-changing mop: a revolutionary leap for kitchens.",
  "Think next-level. Think visionary. Think our biscuits.",
  "Disruptive doormats for a revolutionary home.",
  "A paradigm shift in gravy, from visionary cooks.",
  "This game-changing candle takes evenings to the next level.",
];
const sober = [
  "A toothbrush with soft bristles, in four colours.",
  "Staples twenty sheets at a time. Refills are in the drawer.",
  "Wash socks at forty degrees and dry them flat.",
  "Noodles with ginger and spring onion, ready in six minutes.",
  "A linen lampshade, thirty centimetres wide.",
  "The mop head comes off and goes into the machine.",
  "Oat biscuits, baked in Leeds on Tuesdays.",
  "A doormat of coconut fibre for muddy boots.",
  "Gravy made from roasted onions and stock.",
  "This candle burns for about thirty hours.",
];

test("a rule is made from ten texts of each kind, says how well it separates them, and suggests what to label next", async () => {
  await using scratch = await makeScratch();
  const packs = join(scratch.folder, "packs");
  await writeFile(join(scratch.folder, "hype.txt"), hype.join("\n"));
  await writeFile(join(scratch.folder, "sober.txt"), sober.join("\n"));
  const copy = "A revolutionary, game-changing kettle.\nThe kettle boils a litre in three minutes.\n";
  await writeFile(join(scratch.folder, "copy.txt"), copy);

  const examples = ["--fails", join(scratch.folder, "hype.txt"), "--passes", join(scratch.folder, "sober.txt")];
  await greenlit("rules", "new", "ACME-HYPE", "--pack", join(packs, "house"), ...examples);
  const tested = await greenlit("rules", "test", packs);
  const suggested = await greenlit(
    "rules",
    "suggest",
    "ACME-HYPE",
    "--packs",
    packs,
    "--texts",
    join(scratch.folder, "copy.txt"),
  );

  assert.match(tested, /ACME-HYPE tells its examples apart: finds (?:9|10) of 10, leaves (?:9|10) of 10 alone/);
  assert.match(suggested, /would find .*A revolutionary, game-changing kettle\./);
  assert.match(suggested, /would leave .*The kettle boils a litre in three minutes\./);
});

test("examples that cannot be told apart say what to do about it", async () => {
  await using scratch = await makeScratch();
  const packs = join(scratch.folder, "packs");
  // Every one of them is about something else.
  const fails = [
    "Our revolutionary platform changes everything.",
    "A game-changing way to bank.",
    "The most disruptive card ever made.",
    "Unleash the magic of your money.",
    "A mind-blowing rate you will not believe.",
    "Next-level savings for next-level people.",
    "Supercharge your wealth today.",
    "The future of finance is here and it is awesome.",
    "Insanely good rewards.",
    "Banking, reimagined from the ground up.",
  ];
  const passes = [
    "Our savings account pays 3.1% AER, variable.",
    "You can change your limit in the app.",
    "The card has no annual fee.",
    "We write to you before the rate changes.",
    "Open Monday to Friday, nine to five.",
    "Move money between your accounts in two steps.",
    "Your statement is ready on the third of each month.",
    "Ask us about joint accounts.",
    "The branch in Leeds has moved to Park Row.",
    "Withdraw up to 300 pounds a day.",
  ];
  await writeFile(join(scratch.folder, "a.txt"), fails.join("\n"));
  await writeFile(join(scratch.folder, "b.txt"), passes.join("\n"));

  const examples = ["--fails", join(scratch.folder, "a.txt"), "--passes", join(scratch.folder, "b.txt")];
  await greenlit("rules", "new", "ACME-VAGUE", "--pack", join(packs, "house"), ...examples);
  const tested = await greenlit("rules", "test", packs);

  assert.match(tested, /It does not hold yet\. Add ten more of each/);
});

test("words that must occur keep a rule by example to what it is about, and a list of words that nobody has is a mistake", async () => {
  await using scratch = await makeScratch();
  const packs = join(scratch.folder, "packs");
  const fails = [
    "Cheaper than",
    "We beat",
    "Leave",
    "Forget",
    "Better than",
    "Why pay",
    "Faster than",
    "Not like",
    "Even",
    "Goodbye",
  ];
  await writeFile(join(scratch.folder, "a.txt"), fails.map((start) => `${start} Tesco.`).join("\n"));
  await writeFile(join(scratch.folder, "b.txt"), sober.join("\n"));
  const copy = "Cheaper than Aldi.\nCheaper than last year.\n";
  await writeFile(join(scratch.folder, "copy.txt"), copy);
  const examples = ["--fails", join(scratch.folder, "a.txt"), "--passes", join(scratch.folder, "b.txt")];
  const make = (code: string, words: string) =>
    greenlit("rules", "new", code, "--pack", join(packs, "house"), ...examples, "--only-with", words);

  await make("ACME-RIVALS", "@known-company, our old bank");
  const texts = ["--packs", packs, "--texts", join(scratch.folder, "copy.txt")];
  const suggested = await greenlit("rules", "suggest", "ACME-RIVALS", ...texts);
  await make("ACME-TYPO", "@known-companies");
  const refused = greenlit("rules", "test", packs);

  assert.match(suggested, /would find .*Cheaper than Aldi\./);
  assert.match(suggested, /would leave .*Cheaper than last year\./);
  await assert.rejects(refused, (error: { stdout: string }) =>
    /acme-typo\.yaml:\d+: there is no built-in lexicon known-companies/.test(error.stdout),
  );
});

test("too few examples are refused with the number that is needed", async () => {
  await using scratch = await makeScratch();
  await writeFile(join(scratch.folder, "few.txt"), "one\ntwo\n");
  const few = join(scratch.folder, "few.txt");

  const refused = greenlit("rules", "new", "ACME-HYPE", "--pack", scratch.folder, "--fails", few, "--passes", few);

  await assert.rejects(refused, /needs 10 texts that it must find and 10 that it must leave alone; the fails have 2/);
});

async function greenlit(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args]);
  return stdout;
}
