/** Two people who hear the same may write it otherwise. */
const spellings: readonly [RegExp, string][] = [
  [/\b0 ?%/g, "zero percent"],
  [/%/g, " percent"],
  [/\bper cent\b/g, "percent"],
  [/\badvisors\b/g, "advisers"],
  [/\b18\b/g, "eighteen"],
  [/\b5\b/g, "five"],
  [/\b1\b/g, "one"],
  [/-/g, " "],
];

/** Wrong, missing and additional words, as a share of those that were said. */
export function wrongShare(said: string, heard: string): number {
  const [wanted, found] = [wordsOf(said), wordsOf(heard)];
  let row = Array.from({ length: found.length + 1 }, (_, index) => index);
  for (const [i, word] of wanted.entries()) {
    const next = [i + 1];
    for (const [j, other] of found.entries()) {
      next.push(Math.min((row[j] ?? 0) + (word === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) / Math.max(1, wanted.length);
}

function wordsOf(text: string): string[] {
  const plain = spellings.reduce((words, [from, to]) => words.replaceAll(from, to), text.toLowerCase());
  return plain.match(/[a-z0-9']+/g) ?? [];
}
