export const imageLimits = {
  fileBytes: 512 * 2 ** 20,
  /** An A0 sheet at 300 dpi has 140 million. */
  pixels: 150e6,
  /** HEIC is decoded whole, by WebAssembly, which holds it several times over. */
  heicPixels: 100e6,
  frames: 10_000,
};
