import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type Landmarks, requiredLiteralsOf } from "./pattern-prefixes.ts";
import { compilePattern } from "./pattern.ts";

const known = new Map<string, Landmarks>();

/** Worked out once: for all patterns of the packs that takes longer than to judge most files. */
export function requiredLiteralsOfPattern(pattern: string): Landmarks {
  const requiredLiterals = known.get(pattern) ?? requiredLiteralsOf(compilePattern(pattern));
  known.set(pattern, requiredLiterals);
  return requiredLiterals;
}

/** Takes over what an earlier process kept in the file; nothing when there was none. */
export async function recallRequiredLiterals(file: string): Promise<void> {
  const kept = await readFile(file, "utf8").catch(() => "[]");
  for (const [pattern, requiredLiterals] of JSON.parse(kept) as [string, Landmarks][])
    known.set(pattern, requiredLiterals);
}

/** For other processes of the same code. */
export function keepRequiredLiterals(file: string): void {
  writeFileSync(file, JSON.stringify([...known]));
}
