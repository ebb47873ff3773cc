import { AnalysisError } from "../../analysis-error.ts";

export const imageLimits = {
  fileBytes: 512 * 2 ** 20,
  /** An A0 sheet at 300 dpi has 140 million. */
  pixels: 150e6,
  /** HEIC is decoded whole, by WebAssembly, which holds it several times over. */
  heicPixels: 100e6,
  /** The longest side that JPEG can have: a picture of one pixel by millions takes minutes to scale. */
  side: 65_535,
  /** An animation is analysed frame by frame like a film; three minutes at ten frames a second. */
  frames: 2000,
  /** Of all frames of an animation together: 2,000 of 1,000 × 1,000. */
  framePixels: 2e9,
};

/** Refuses by the header alone, before anything is decoded. */
export function checkImageSize(image: { width: number; height: number; frameCount?: number }): void {
  const { width, height, frameCount = 1 } = image;
  const number = (value: number) => Math.round(value).toLocaleString("en-GB");
  const millions = (value: number) => `${number(value / 1e6)} million`;
  const size = `${number(width)} × ${number(height)} pixels`;
  if (width * height > imageLimits.pixels)
    throw new AnalysisError(
      "unsupported_media",
      `The picture has ${millions(width * height)} pixels; at most ${millions(imageLimits.pixels)} are read. Send a smaller export.`,
    );
  if (Math.max(width, height) > imageLimits.side)
    throw new AnalysisError(
      "unsupported_media",
      `The picture has ${size}; a side may have ${number(imageLimits.side)}. Send it in parts.`,
    );
  if (frameCount > imageLimits.frames)
    throw new AnalysisError(
      "unsupported_media",
      `The picture has ${number(frameCount)} frames; at most ${number(imageLimits.frames)} are read. Send it as a video.`,
    );
  if (frameCount * width * height > imageLimits.framePixels)
    throw new AnalysisError(
      "unsupported_media",
      `The animation has ${number(frameCount)} frames of ${size}, ${millions(frameCount * width * height)} in all; at most ${millions(imageLimits.framePixels)} are read. Send it as a video.`,
    );
}
