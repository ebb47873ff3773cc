import type { PlanarFormat } from "../evidence.ts";
import type { LinePoints } from "./line-points.ts";
import type { TextFrame } from "./text-frames.ts";
import { createLuminance, luminanceOfLetters } from "./text-luminance.ts";
import { type LineCut, originOf, type Place, type Template } from "./text-template.ts";
import { yuvWeights } from "../pixels/yuv-to-rgb.ts";

/** How letters stand out from what is behind them, frame by frame. */
export type ContrastMeter = {
  /** Relative luminance. `height` of a capital, in pixels. */
  ofLetters: (cut: LineCut, height: number | null) => number;
  /** Of letters of that luminance in the frame, after what was seen before. */
  look: (
    before: SeenContrast | null,
    sight: { letters: number; template: Template; frame: TextFrame; place: Place },
  ) => SeenContrast;
};

/** The least so far: to what is behind the letters, and to what is right at them, which may be an edge of their own. */
export type SeenContrast = { behind: number; beside: number; frames: number; framesWithEdge: number };

/** Without an outline the pixels right at a letter differ from it less than those behind it, but for what compression adds. */
const outlineGain = 1.4;
/** An outline is not seen as such in frames where the picture is just like it, but it is there all the same. */
const leastFramesWithEdge = 0.15;

export function leastContrast({ behind, beside, frames, framesWithEdge }: SeenContrast): number {
  return framesWithEdge >= leastFramesWithEdge * frames ? beside : behind;
}

export function createContrastMeter(format: PlanarFormat): ContrastMeter {
  const luminance = createLuminance(format);
  const toRgb = createPointReader(format);

  function luminanceAt(
    { xy }: LinePoints,
    { frame, place }: { frame: TextFrame; place: Place },
    origin: Origin,
  ): number {
    let sum = 0;
    let count = 0;
    for (let index = 0; index < xy.length; index += 2) {
      const x = Math.round((xy[index] as number) * place.scale + origin.x);
      const y = Math.round((xy[index + 1] as number) * place.scale + origin.y);
      if (x < 0 || y < 0 || x >= format.width || y >= format.height) continue;
      const { red, green, blue } = toRgb(frame.yuv, x, y);
      sum += luminance(red, green, blue);
      count += 1;
    }
    return count === 0 ? 0 : sum / count;
  }

  return {
    ofLetters: (cut, height) => luminanceOfLetters(cut, { luminance, height }),
    look(before, { letters, ...sight }) {
      const { ground, rim } = sight.template;
      const origin = originOf(sight.template, sight.place);
      const behind = contrastRatio(letters, luminanceAt(ground, sight, origin));
      const beside = rim.xy.length === 0 ? behind : contrastRatio(letters, luminanceAt(rim, sight, origin));
      return {
        behind: Math.min(before?.behind ?? behind, behind),
        beside: Math.min(before?.beside ?? beside, beside),
        frames: (before?.frames ?? 0) + 1,
        framesWithEdge: (before?.framesWithEdge ?? 0) + (beside > outlineGain * behind ? 1 : 0),
      };
    },
  };
}

type Origin = ReturnType<typeof originOf>;

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
