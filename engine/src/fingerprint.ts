import { createHash } from "node:crypto";

/**
 * The same finding in the next version of a file has the same fingerprint. `sameness` says what makes it the same; case,
 * punctuation and spacing do not count, because text that is read from pictures differs in them from run to run.
 */
export function fingerprintOf(finding: { ruleCode: string; sameness: string }): string {
  const essence = finding.sameness
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return createHash("sha256").update(`${finding.ruleCode}\n${essence}`).digest("hex").slice(0, 32);
}
