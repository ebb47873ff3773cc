import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeScratch } from "@greenlit/engine/testing/scratch.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

test("rules explain shows stance, concepts and amounts, and why a rule fires or spares a text", async () => {
  const claimed = await greenlit("rules", "explain", "Our tea cures gout in two weeks.", "--rule", "XX-DISEASE");
  const denied = await greenlit("rules", "explain", "Our tea does not cure gout.", "--rule", "XX-DISEASE");

  assert.match(claimed, /asserted +Our tea cures gout/);
  assert.match(claimed, /two weeks +duration 14 days/);
  assert.match(claimed, /disease +“gout”/);
  assert.match(claimed, /XX-DISEASE +MAJOR/);
  assert.match(denied, /negated +Our tea does not cure gout/);
  assert.match(denied, /XX-DISEASE +spared .*negated/);
});

test("rules lexicon shows the words, the lists it is part of and the rules that use it, and guesses a wrong name", async () => {
  const shown = await greenlit("rules", "lexicon", "disease-joint");

  assert.match(shown, /words +.*arthritis/);
  assert.match(shown, /part of +.*disease/);
  assert.match(shown, /XX-DISEASE/);
  await assert.rejects(greenlit("rules", "lexicon", "disease-joints"), /There is no lexicon disease-joints; near: /);
});

test("a check without a declared context names the market and the sector that the words point to", async () => {
  await using scratch = await makeScratch();
  const file = join(scratch.folder, "loan.txt");
  await writeFile(
    file,
    "Borrow £5,000 over 36 months. Loans from a UK lender regulated by the FCA. Representative 19.9% APR.\n",
  );

  const open = await greenlit("check", file, "--fail-on", "never").catch(
    (error: { stdout?: string }) => error.stdout ?? "",
  );
  const declared = await greenlit("check", file, "--context", "jurisdictions=UK", "--context", "sector=credit").catch(
    (error: { stdout?: string }) => error.stdout ?? "",
  );

  assert.match(open, /Looks like .*credit.*\bUK\b/s);
  assert.doesNotMatch(declared, /Looks like/);
});

async function greenlit(...parameters: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, [main, ...parameters])).stdout;
}
