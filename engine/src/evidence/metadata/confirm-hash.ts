import { createHash } from "node:crypto";
import { piecesOf, type SignedFile, signedHashes } from "./signed-hash.ts";

type Range = { from: number; to: number };

/**
 * Computes the hash of the file without the ranges that the credentials declare as left out, and compares it with the
 * one that was signed: a wrong charge of forgery is worse than none. Null: there is no such hash to compare with.
 */
export function matchesDataHash(report: unknown, file: SignedFile): boolean | null {
  const hashes = signedHashes(report, file.activeLabel, /^c2pa\.hash\.data(?:__\d+|\.v\d+)?$/);
  if (hashes.length === 0) return null;
  return hashes.every(({ assertion, algorithm, wanted }) => {
    if (algorithm === null) return false;
    const digest = createHash(algorithm);
    for (const range of keptRanges(rangesOf(assertion.exclusions ?? []), file.sizeBytes)) {
      for (const piece of piecesOf(file, range)) digest.update(piece);
    }
    return digest.digest("base64") === wanted;
  });
}

function rangesOf(exclusions: readonly unknown[]): Range[] {
  return (exclusions as { start?: unknown; length?: unknown }[]).map(({ start, length }) => ({
    from: Number(start),
    to: Number(start) + Number(length),
  }));
}

/** What is left of the file; ranges may overlap, come in any order, and reach beyond its end. */
export function keptRanges(excluded: readonly Range[], sizeBytes: number): Range[] {
  const ranges = excluded.filter(({ from, to }) => from >= 0 && to > from).toSorted((a, b) => a.from - b.from);
  const kept: Range[] = [];
  let at = 0;
  for (const { from, to } of ranges) {
    if (from > at) kept.push({ from: at, to: Math.min(from, sizeBytes) });
    at = Math.max(at, to);
  }
  if (at < sizeBytes) kept.push({ from: at, to: sizeBytes });
  return kept;
}
