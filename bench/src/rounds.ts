import { median, rounded, say } from "./report.ts";

export type Rounds<Name extends string> = {
  /** The median of each. */
  medians: Record<Name, number>;
  /** The median over the rounds of one divided by the other, so that a busy moment counts for both. */
  ratio: (of: Name, to: Name) => number;
};

/** Measures all in turn, every other round in reverse: the second is not punished when the machine slows down. */
export async function takeTurns<Name extends string>(
  options: { rounds: number; unit: string },
  contestants: { [N in Name]?: () => Promise<number> },
): Promise<Rounds<Name>> {
  const names = Object.keys(contestants) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 1; round <= options.rounds; round++) {
    for (const name of round % 2 === 1 ? names : names.toReversed()) {
      const value = (await contestants[name]?.()) ?? Number.NaN;
      values[name].push(value);
      say(`round ${round} of ${options.rounds}: ${name} ${rounded(value)} ${options.unit}`);
    }
  }
  return {
    medians: Object.fromEntries(names.map((name) => [name, rounded(median(values[name]))])) as Record<Name, number>,
    ratio: (of, to) => median(values[of].map((value, round) => value / (values[to][round] ?? Number.NaN))),
  };
}
