/** The detector of voices gives one likelihood for each 32 ms. */
export const windowSeconds = 0.032;

/** A stretch of speech in windows, `end` exclusive. */
export type SpeechCut = {
  start: number;
  end: number;
  /** How sure the detector was of a voice, on average, 0 to 1. */
  voiceLikelihood: number;
};

export type SpeechCutter = {
  /** The next window; answers with a stretch that is complete now. */
  push: (likelihood: number) => SpeechCut | null;
  finish: () => SpeechCut | null;
  /** Windows before this one belong to nothing that is still to come. */
  neededFrom: () => number;
};

const beginsAt = 0.5;
const goesOnAt = 0.35;
const windows = (seconds: number) => Math.round(seconds / windowSeconds);
/** A drum or a plucked string sounds like a voice for a moment; so many windows in a row are one. */
const steadyFrom = 3;
const leastVoice = windows(0.2);
const longest = windows(12);
/** Where a stretch that is too long is cut: in the quietest moment of its end. */
const searchedForCut = windows(5);

/**
 * Cuts sound into stretches of speech at its pauses. The longer a stretch already is, the shorter the pause that ends
 * it: the transcriber is at its best with a few seconds, and a sentence should stay whole.
 */
export function createSpeechCutter(): SpeechCutter {
  /** From `start` on, or the last few where no stretch has begun. */
  let likelihoods: number[] = [];
  let start: number | null = null;
  let lastVoice = 0;
  let inARow = 0;
  let now = 0;

  function complete(end: number): SpeechCut | null {
    const from = start ?? 0;
    const taken = likelihoods.splice(0, Math.max(0, end - from));
    if (taken.filter((likelihood) => likelihood >= goesOnAt).length < leastVoice) return null;
    return { start: from, end, voiceLikelihood: taken.reduce((sum, value) => sum + value, 0) / taken.length };
  }

  function begin(): void {
    likelihoods = likelihoods.slice(-steadyFrom);
    const isVoice = inARow >= steadyFrom && likelihoods.some((likelihood) => likelihood >= beginsAt);
    if (isVoice) start = now - steadyFrom;
  }

  return {
    push(likelihood) {
      likelihoods.push(likelihood);
      now += 1;
      inARow = likelihood >= goesOnAt ? inARow + 1 : 0;
      if (start === null) begin();
      if (start === null) return null;
      if (inARow >= steadyFrom || (inARow > 0 && now - lastVoice <= steadyFrom)) lastVoice = now;
      if (now - lastVoice >= pauseThatEnds(now - start)) {
        const cut = complete(lastVoice);
        start = null;
        return cut;
      }
      if (likelihoods.length < longest) return null;
      const end = start + quietest(likelihoods);
      const cut = complete(end);
      start = end;
      return cut;
    },
    finish: () => (start === null ? null : complete(lastVoice)),
    neededFrom: () => start ?? Math.max(0, now - steadyFrom),
  };
}

function pauseThatEnds(length: number): number {
  if (length < windows(4)) return windows(0.5);
  return length < windows(8) ? windows(0.3) : windows(0.13);
}

function quietest(likelihoods: number[]): number {
  let [best, least] = [likelihoods.length - 1, Infinity];
  for (let at = likelihoods.length - searchedForCut; at < likelihoods.length - 1; at += 1) {
    const around = (likelihoods[at - 1] ?? 0) + (likelihoods[at] ?? 0) + (likelihoods[at + 1] ?? 0);
    if (around < least) [best, least] = [at, around];
  }
  return best;
}
