/** The frame at hand and the times of the last ones, so that a change can be kept as a number of four bytes. */
export type FrameClock = {
  ordinal: number;
  seconds: number;
  tick: (seconds: number) => void;
  secondsOf: (ordinal: number) => number;
};

const rememberedFrames = 1024;

export function createFrameClock(): FrameClock {
  const times = new Float64Array(rememberedFrames);
  const clock: FrameClock = {
    ordinal: -1,
    seconds: Number.NEGATIVE_INFINITY,
    tick(seconds) {
      clock.ordinal += 1;
      clock.seconds = seconds;
      times[clock.ordinal % rememberedFrames] = seconds;
    },
    secondsOf(ordinal) {
      const isRemembered = clock.ordinal - ordinal < rememberedFrames;
      return isRemembered ? (times[ordinal % rememberedFrames] as number) : Number.NEGATIVE_INFINITY;
    },
  };
  return clock;
}

/** For each cell its changes of the last second, and how often it flashes. */
export type FlashRates = {
  /** Flashes (pairs of opposing changes) that began within one second, as of the last change; 0 once it is over. */
  rate: Uint8Array;
  /** When the first of those flashes began. */
  sinceSeconds: Float64Array;
  lastChangeSeconds: Float64Array;
  /** All changes so far. */
  changes: Uint32Array;
  /** The cell changed, in the direction opposite to its last change. */
  record: (cell: number) => void;
  /** To be called once a frame, before its changes. True when a cell has stopped flashing. */
  expire: () => boolean;
};

const kept = 64;
/** Containers that count milliseconds round both ends: 3 flashes a second must not become 4 in 0.999 s. */
const oneSecond = 0.998;
/** An isolated change is not half of a flash that ends much later. */
const maxHalfFlashSeconds = 0.5;

/**
 * Four flashes are in one second when the first change of the fourth comes less than a second after the first change of
 * the first, and the fourth is completed. So 3.1 a second is more than three a second, as a frequency is, and neither
 * three flashes and a cut, nor the phase in which counting began, make four or hide one.
 */
export function createFlashRates(count: number, clock: FrameClock): FlashRates {
  const ordinals = new Uint32Array(count * kept);
  const changes = new Uint32Array(count);
  const first = new Uint32Array(count);
  const expiresSeconds = new Float64Array(count);
  const rate = new Uint8Array(count);
  const lastChangeSeconds = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  const sinceSeconds = new Float64Array(count);
  let active = 0;

  const secondsOf = (cell: number, change: number) =>
    clock.secondsOf(ordinals[cell * kept + (change % kept)] as number);

  function record(cell: number): void {
    const change = changes[cell] as number;
    const previousSeconds = lastChangeSeconds[cell] as number;
    const { seconds } = clock;
    ordinals[cell * kept + (change % kept)] = clock.ordinal;
    changes[cell] = change + 1;
    lastChangeSeconds[cell] = seconds;
    if (seconds - previousSeconds > maxHalfFlashSeconds) return;
    let oldest = Math.max(first[cell] as number, change + 1 - kept);
    while (previousSeconds - secondsOf(cell, oldest) >= oneSecond) oldest += 1;
    first[cell] = oldest;
    const flashes = ((change - 1 - oldest) >> 1) + 1;
    if ((rate[cell] as number) === 0) active += 1;
    rate[cell] = flashes;
    // One and a half of its periods without a change and it no longer flashes together with the others.
    expiresSeconds[cell] = seconds + 1.5 / flashes;
    sinceSeconds[cell] = secondsOf(cell, change + 1 - 2 * flashes);
  }

  function expire(): boolean {
    if (active === 0) return false;
    const before = active;
    for (let cell = 0; cell < count; cell += 1) {
      if ((rate[cell] as number) === 0 || clock.seconds <= (expiresSeconds[cell] as number)) continue;
      rate[cell] = 0;
      active -= 1;
    }
    return active < before;
  }

  return { rate, sinceSeconds, lastChangeSeconds, changes, record, expire };
}
