export type Turns = {
  /** Runs when everything before it is over; of several callers who wait each gets a turn before one gets its second. */
  take: <Result>(caller: object, work: () => Promise<Result>) => Promise<Result>;
};

/** One piece of work at a time, fairly among callers. */
export function createTurns(): Turns {
  // The order of the keys is the order of the callers: who had a turn goes to the back.
  const waiting = new Map<object, (() => void)[]>();
  let isBusy = false;

  function passOn(): void {
    for (const [caller, starts] of waiting) {
      waiting.delete(caller);
      const start = starts.shift();
      if (starts.length > 0) waiting.set(caller, starts);
      start?.();
      return;
    }
    isBusy = false;
  }

  return {
    async take(caller, work) {
      if (isBusy) {
        await new Promise<void>((resolve) => {
          const starts = waiting.get(caller) ?? [];
          starts.push(resolve);
          waiting.set(caller, starts);
        });
      }
      isBusy = true;
      try {
        return await work();
      } finally {
        passOn();
      }
    },
  };
}
