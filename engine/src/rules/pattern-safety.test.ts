import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";
import { checkSync } from "recheck";
import { compilePattern } from "../text/pattern.ts";
import { loadPacks } from "./load-packs.ts";

const packs = await loadPacks();
const patterns = [...new Set(packs.flatMap(({ sidekick }) => sidekick.rules.flatMap(({ check }) => regexesOf(check))))];

test("no pattern repeats without an end, so that no text costs more than its length times a constant", () => {
  const endless = patterns.filter((pattern) => /[*+]|\{\d+,\}/.test(withoutClasses(pattern)));

  assert.deepEqual(endless, []);
});

test("every pattern is proved free of catastrophic backtracking", { timeout: 900_000 }, () => {
  // Bounded repeats are unrolled for the proof; with its usual limits recheck would only guess by fuzzing.
  const limits = { maxRepeatCount: 100_000, maxPatternSize: 100_000, timeout: 120_000 };
  const unproved = patterns.flatMap((pattern) => {
    const { source, flags } = compilePattern(pattern);
    const { status } = checkSync(source, flags.replace("g", ""), limits);
    return status === "safe" ? [] : [`${status} ${pattern}`];
  });

  assert.deepEqual(unproved, []);
});

test("no pattern runs away on a long text made of its own words", { timeout: 900_000 }, () => {
  const stuck = patterns.filter((pattern) => !finishes(pattern, provocationFor(pattern)));

  assert.deepEqual(stuck, []);
});

function regexesOf(value: unknown): string[] {
  if (typeof value === "string") return /^\/.*\/$/su.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(regexesOf);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(regexesOf) : [];
}

/** What stands in brackets or after a backslash is a character, not a repeat. */
function withoutClasses(pattern: string): string {
  return pattern.replaceAll(/\\p\{\w+\}|\\./gsu, "x").replaceAll(/\[[^\]]*\]/gu, "x");
}

/** The pattern's words in every order, without a stop: each start goes far before it fails. */
function provocationFor(pattern: string): string {
  const words = pattern.match(/[a-z]{2,}/giu) ?? ["a"];
  let state = 7;
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  return Array.from({ length: 4000 }, () => words[Math.floor(next() * words.length)]).join(" ");
}

/** Far more than any honest pattern needs, also on a busy machine; a runaway would take years. */
function finishes(pattern: string, text: string): boolean {
  const run = () => Array.from(text.matchAll(compilePattern(pattern))).length;
  try {
    vm.runInNewContext("run()", { run }, { timeout: 60_000 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  }
}
