/**
 * pdf.js reads a page in one go without giving timers a turn, and a few kilobytes may hold forms that call each other
 * a billion times or a million states saved inside each other. It looks at the clock for every hundred operators and
 * for every form, so the clock it is given here refuses once a page has used up its budget. Only ever done in a
 * disposable worker.
 */
export function limitOperators(limits: { looks: number; cpuSeconds: number }): {
  /** Gives the next page a budget of its own. */
  renew: () => void;
  isExceeded: () => boolean;
} {
  const now = Date.now;
  let looks = 0;
  let usedBefore = process.cpuUsage();
  let isExceeded = false;

  Date.now = () => {
    looks += 1;
    if (!isExceeded && (looks > limits.looks || cpuSeconds() > limits.cpuSeconds)) {
      isExceeded = true;
    }
    // Again at every look: pdf.js goes on after a form that failed.
    if (isExceeded) throw new Error("The page has used up its budget.");
    return now();
  };
  const cpuSeconds = () => process.cpuUsage(usedBefore).user / 1e6;

  return {
    renew: () => {
      looks = 0;
      usedBefore = process.cpuUsage();
      isExceeded = false;
    },
    isExceeded: () => isExceeded,
  };
}
