/** Chosen on the kit of pairs (`npm run bench -- verify`): honest files stay below, altered ones go beyond. */
export const limits = {
  /** Of brightness, for cells that differ for one, two and four samples in a row. */
  grid: { once: 40, twice: 26, lasting: 14, noiseFactor: 1.5 },
  /** Where samples cannot be of the very same frames, only what lasts counts. */
  gridOfOtherRate: { once: 1000, twice: 1000, lasting: 18, noiseFactor: 1.5 },
  /** A still picture has one sample: codecs have nothing to even out. */
  still: { once: 16, twice: 1000, lasting: 1000, noiseFactor: 1.5 },
  /** Beyond this a copy is too poor to be compared. */
  noise: 10,
  /** Of the mean of a block, for a single frame. */
  frame: 7,
  gain: 0.1,
  lift: 10,
  soundDecibels: 6,
  /** Between picture and sound. */
  soundLagSeconds: 0.16,
  /** A normalised file may be softer, but not much louder than what was cleared. */
  louderLu: 5,
  softerLu: 14,
  /** Of the master, seen in the other file: below it is another film. */
  share: 0.3,
  slateSeconds: 90,
} as const;
