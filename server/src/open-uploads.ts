/** Counts the uploads that are open, by who sends them: each holds a connection and a file for as long as it takes. */
export type OpenUploads = {
  /** To be disposed of when the upload is over; undefined when there are as many open as allowed. */
  admit(owner: string): Disposable | undefined;
};

const manyUploads = 50;

export function createOpenUploads(options: {
  perOwner: number;
  /** Called when the last of many uploads is over. */
  onQuiet?: () => void;
}): OpenUploads {
  const counts = new Map<string, number>();
  let total = 0;
  let most = 0;

  const leave = (owner: string) => {
    const rest = (counts.get(owner) ?? 1) - 1;
    if (rest === 0) counts.delete(owner);
    else counts.set(owner, rest);
    total -= 1;
    if (total > 0) return;
    if (most >= manyUploads) options.onQuiet?.();
    most = 0;
  };

  return {
    admit(owner) {
      const count = counts.get(owner) ?? 0;
      if (count >= options.perOwner) return undefined;
      counts.set(owner, count + 1);
      total += 1;
      most = Math.max(most, total);
      return { [Symbol.dispose]: () => leave(owner) };
    },
  };
}
