import { hasPlainLetters } from "./text/ascii.ts";
import { createHash } from "node:crypto";

/**
 * The same finding in the next version of a file has the same fingerprint. `identity` says what makes it the same; case,
 * punctuation, spacing and letters that look alike do not count, because text that is read from pictures differs in them
 * from run to run.
 */
export function fingerprintOf(finding: { ruleCode: string; identity: string }): string {
  return createHash("sha256")
    .update(`${finding.ruleCode}\n${essenceOf(finding.identity)}`)
    .digest("hex")
    .slice(0, 32);
}

/** Of several with the same name the second and later ones get a number, in order: a fingerprint names one finding. */
export function numberDuplicates<Item>(
  items: readonly Item[],
  options: { nameOf: (item: Item) => string; rename: (item: Item, count: number) => Item },
): Item[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const name = options.nameOf(item);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? item : options.rename(item, count);
  });
}

/**
 * A short name for a long text that one misread letter seldom changes: the least of its hashed four-letter parts. For
 * texts that come from a reader as a whole, such as a super of three lines.
 */
export function nameOfText(text: string): string {
  const essence = essenceOf(text);
  const parts = Array.from({ length: Math.max(1, essence.length - 3) }, (_, index) => essence.slice(index, index + 4));
  return parts.map((part) => createHash("sha256").update(part).digest("hex").slice(0, 16)).toSorted()[0] ?? "";
}

const alike: Readonly<Record<string, string>> = { "0": "o", "1": "l", i: "l", "5": "s", "8": "b", "|": "l" };

function essenceOf(text: string): string {
  const plain = text.normalize("NFKC").toLowerCase();
  return plain
    .replaceAll(hasPlainLetters(plain) ? /[^a-z0-9|]+/g : /[^\p{L}\p{N}|]+/gu, "")
    .replaceAll(/[01i58|]/gu, (letter) => alike[letter] ?? letter);
}
