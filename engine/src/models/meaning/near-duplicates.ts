/** Two texts that share most of their three-word runs: one of them teaches nothing. */
export type NearDuplicate = { first: string; second: string; likeness: number };

const runLength = 3;

export function findNearDuplicates(
  texts: readonly { id: string; text: string }[],
  minLikeness: number,
): NearDuplicate[] {
  const found: NearDuplicate[] = [];
  const holders = new Map<string, number[]>();
  const sizes: number[] = [];
  for (const [number, { id, text }] of texts.entries()) {
    const runs = runsOf(text);
    sizes.push(runs.size);
    const shared = new Map<number, number>();
    for (const run of runs) {
      const others = holders.get(run);
      if (others === undefined) holders.set(run, [number]);
      else {
        for (const other of others) shared.set(other, (shared.get(other) ?? 0) + 1);
        others.push(number);
      }
    }
    for (const [other, count] of shared) {
      const likeness = count / (runs.size + (sizes[other] ?? 0) - count);
      if (likeness >= minLikeness) found.push({ first: texts[other]?.id ?? "", second: id, likeness });
    }
  }
  return found;
}

function runsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < runLength) return new Set([words.join(" ")]);
  return new Set(words.slice(runLength - 1).map((_, index) => words.slice(index, index + runLength).join(" ")));
}
