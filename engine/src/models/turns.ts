export type Turns = {
  /** Runs when there is room; of several callers who wait each gets a turn before one gets its second. */
  take: <Result>(caller: object, work: () => Promise<Result>) => Promise<Result>;
};

/**
 * So many pieces of work at once, fairly among callers. One that takes longer than `overdueMs` may hang, and would hold
 * everybody behind it: somebody else gets its place, for at most `maxOverdue` of them.
 */
export function createTurns({
  atOnce = 1,
  overdueMs = Infinity,
  maxOverdue = 0,
}: { atOnce?: number; overdueMs?: number; maxOverdue?: number } = {}): Turns {
  // The order of the keys is the order of the callers: who had a turn goes to the back.
  const waiting = new Map<object, (() => void)[]>();
  let running = 0;
  let overdue = 0;

  const hasRoom = () => running - Math.min(overdue, maxOverdue) < atOnce;

  function passOn(): void {
    for (const [caller, starts] of waiting) {
      if (!hasRoom()) return;
      waiting.delete(caller);
      const start = starts.shift();
      if (starts.length > 0) waiting.set(caller, starts);
      // Counted here: until the one that waited goes on, another could come and take its place.
      running += 1;
      start?.();
    }
  }

  async function enter(caller: object): Promise<void> {
    if (hasRoom()) {
      running += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      const starts = waiting.get(caller) ?? [];
      starts.push(resolve);
      waiting.set(caller, starts);
    });
  }

  return {
    async take(caller, work) {
      await enter(caller);
      let isOverdue = false;
      const timer = Number.isFinite(overdueMs)
        ? setTimeout(() => {
            isOverdue = true;
            overdue += 1;
            passOn();
          }, overdueMs).unref()
        : undefined;
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        running -= 1;
        if (isOverdue) overdue -= 1;
        passOn();
      }
    },
  };
}
