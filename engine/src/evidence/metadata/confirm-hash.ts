import { createHash } from "node:crypto";

type Exclusion = { start?: unknown; length?: unknown };

/** The part of the library's full report (crJSON) that tells which bytes were signed. */
type Report = {
  manifests?: {
    label?: string;
    "claim.v2"?: { alg?: string };
    claim?: { alg?: string };
    assertions?: Record<string, { exclusions?: Exclusion[]; alg?: string; hash?: string } | undefined>;
  }[];
};

const pieceBytes = 2 ** 20;

/**
 * Computes the hash of the file without the ranges that the credentials declare as left out, and compares it with the
 * one that was signed: a wrong charge of forgery is worse than none. Null: there is no such hash to compare with.
 */
export function matchesDataHash(
  report: unknown,
  options: { activeLabel: string | undefined; sizeBytes: number; read: (offset: number, length: number) => Uint8Array },
): boolean | null {
  const manifests = (report as Report).manifests ?? [];
  const active = manifests.find(({ label }) => label === options.activeLabel) ?? manifests[0];
  const assertions = Object.entries(active?.assertions ?? {}).flatMap(([label, data]) =>
    /^c2pa\.hash\.data(?:__\d+|\.v\d+)?$/.test(label) && data !== undefined ? [data] : [],
  );
  if (assertions.length === 0) return null;
  return assertions.every(({ exclusions = [], alg, hash }) => {
    const name = alg ?? active?.["claim.v2"]?.alg ?? active?.claim?.alg ?? "sha256";
    const wanted = /^b64'(.*)'$/.exec(hash ?? "")?.[1];
    if (!["sha256", "sha384", "sha512"].includes(name) || wanted === undefined) return false;
    const digest = createHash(name);
    for (const { from, to } of keptRanges(exclusions, options.sizeBytes)) {
      for (let at = from; at < to; at += pieceBytes) digest.update(options.read(at, Math.min(pieceBytes, to - at)));
    }
    return digest.digest("base64") === wanted;
  });
}

/** What is left of the file; ranges may overlap, come in any order, and reach beyond its end. */
function keptRanges(exclusions: readonly Exclusion[], sizeBytes: number): { from: number; to: number }[] {
  const ranges = exclusions
    .map(({ start, length }) => ({ from: Number(start), to: Number(start) + Number(length) }))
    .filter(({ from, to }) => from >= 0 && to > from)
    .toSorted((a, b) => a.from - b.from);
  const kept: { from: number; to: number }[] = [];
  let at = 0;
  for (const { from, to } of ranges) {
    if (from > at) kept.push({ from: at, to: Math.min(from, sizeBytes) });
    at = Math.max(at, to);
  }
  if (at < sizeBytes) kept.push({ from: at, to: sizeBytes });
  return kept;
}
