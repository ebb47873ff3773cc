/** One promise of the project, and whether this run kept it. */
export type Bar = { name: string; value: number; limit: number; pass: boolean };

export type Result = { bars: Bar[]; figures: Record<string, unknown> };

export type Bench = {
  /** One line, for the list of what there is. */
  about: string;
  /** Whatever is started goes onto the stack, which is also emptied when somebody presses Ctrl-C. */
  run(stack: AsyncDisposableStack): Promise<Result>;
};

export function atLeast(name: string, value: number, limit: number): Bar {
  return { name, value: rounded(value), limit, pass: value >= limit };
}

export function atMost(name: string, value: number, limit: number): Bar {
  return { name, value: rounded(value), limit, pass: value <= limit };
}

/** Progress, for people; standard output is for the result alone. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Three digits that mean something. */
export function rounded(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(Math.abs(value) >= 1000 ? 5 : 3)) : value;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that this share of all does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error("there is nothing to take a quantile of");
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}
