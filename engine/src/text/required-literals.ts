import { readFile, rename, unlink, writeFile } from "node:fs/promises";
import { type Landmarks, requiredLiteralsOf } from "./pattern-prefixes.ts";
import { compilePattern } from "./pattern.ts";

const known = new Map<string, Landmarks>();
let keptCount = 0;

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
  keptCount = known.size;
}

/** For the next process of the same code; one that reads meanwhile finds the old file or the new one, whole. */
export async function keepRequiredLiterals(file: string): Promise<void> {
  if (known.size === keptCount) return;
  const own = `${file}.${process.pid}`;
  try {
    await writeFile(own, JSON.stringify([...known]), { mode: 0o600 });
    await rename(own, file);
    keptCount = known.size;
  } catch {
    // A full disk costs the next process time, not this one its result.
    await unlink(own).catch(() => {});
  }
}
