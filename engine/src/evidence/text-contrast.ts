import type { PlanarFormat } from "./evidence.ts";
import type { TextFrame } from "./text-frames.ts";
import { createLuminance, luminanceOfLetters } from "./text-luminance.ts";
import { type LineCut, originOf, type Place, type Template } from "./text-template.ts";
import { yuvWeights } from "./yuv-to-rgb.ts";

/** Relative luminances of letters and of what is behind them, frame by frame. */
export type ContrastMeter = {
  /** `height` of a capital, in pixels. */
  ofLetters: (cut: LineCut, height: number | null) => number;
  ofGround: (template: Template, frame: TextFrame, place: Place) => number;
};

export function createContrastMeter(format: PlanarFormat): ContrastMeter {
  const luminance = createLuminance(format);
  const toRgb = createPointReader(format);
  return {
    ofLetters: (cut, height) => luminanceOfLetters(cut, { luminance, height }),
    ofGround(template, frame, place) {
      const { ground } = template;
      const origin = originOf(template, place);
      let sum = 0;
      let count = 0;
      for (let index = 0; index < ground.length; index += 2) {
        const x = Math.round((ground[index] as number) * place.scale + origin.x);
        const y = Math.round((ground[index + 1] as number) * place.scale + origin.y);
        if (x < 0 || y < 0 || x >= format.width || y >= format.height) continue;
        const { red, green, blue } = toRgb(frame.yuv, x, y);
        sum += luminance(red, green, blue);
        count += 1;
      }
      return count === 0 ? 0 : sum / count;
    },
  };
}

/** WCAG's ratio of two relative luminances. */
export function contrastRatio(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Single pixels of a frame as 8-bit codes of red, green and blue. */
function createPointReader({ width, height, matrix }: PlanarFormat) {
  const { red: kr, blue: kb } = yuvWeights[matrix];
  const uStart = width * height;
  const vStart = uStart * 1.25;
  const code = (value: number) => Math.min(255, Math.max(0, Math.round(value * 255)));
  return (yuv: Uint8Array, x: number, y: number) => {
    const chroma = (y >> 1) * (width >> 1) + (x >> 1);
    const luma = ((yuv[y * width + x] as number) - 16) / 219;
    const blueStep = ((yuv[uStart + chroma] as number) - 128) / 224;
    const redStep = ((yuv[vStart + chroma] as number) - 128) / 224;
    const red = luma + 2 * (1 - kr) * redStep;
    const blue = luma + 2 * (1 - kb) * blueStep;
    const green = (luma - kr * red - kb * blue) / (1 - kr - kb);
    return { red: code(red), green: code(green), blue: code(blue) };
  };
}
