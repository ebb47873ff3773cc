/** Chosen on the kit of pairs (`npm run bench -- verify`): honest files stay below, altered ones go beyond. */
export const limits = {
  /**
   * Of brightness, for cells that differ for one, two and four samples in a row: in a perfect copy, and at most. In
   * between as much more as the codec's work at edges and letters asks for.
   */
  grid: { once: [28, 50], twice: [17, 34], lasting: [9, 22], isSteady: false },
  /** Where samples cannot be of the very same frames, only what lasts counts. */
  gridOfOtherRate: { once: [1000, 1000], twice: [1000, 1000], lasting: [12, 26], isSteady: true },
  /** A still picture has one sample: codecs have nothing to even out. */
  still: { once: [10, 24], twice: [1000, 1000], lasting: [1000, 1000], isSteady: false },
  /** Beyond this a copy is too poor to be compared. */
  noise: 10,
  /** Of the mean of a block, for a single frame. */
  frame: 7,
  gain: 0.1,
  lift: 10,
  /** Of all colours, in radians and as a logarithm. */
  turn: 0.2,
  saturation: 0.35,
  soundDecibels: 0.8,
  /** Between picture and sound. */
  soundLagSeconds: 0.16,
  /** A normalised file may be softer, but not much louder than what was cleared. */
  louderLu: 5,
  softerLu: 14,
  /** Of the master, seen in the other file: below it is another film. */
  share: 0.3,
  slateSeconds: 90,
} as const;
