import type { Consumer, Frame, FrameFormat, Region } from "../src/evidence/evidence.ts";

export type Colour = readonly [red: number, green: number, blue: number];
export type Canvas = { pixels: Uint8Array; width: number; height: number };
/** Draws the picture that is seen at that time. What it does not touch is black. */
export type Scene = (canvas: Canvas, seconds: number) => void;

export const black: Colour = [0, 0, 0];
export const white: Colour = [255, 255, 255];
export const red: Colour = [255, 0, 0];
export const whole: Region = { x: 0, y: 0, width: 1, height: 1 };

/** What a decoder makes of 1080p. */
export const smallFormat: FrameFormat = {
  width: 320,
  height: 180,
  displayWidth: 1920,
  displayHeight: 1080,
  transfer: "sdr",
  framesPerSecond: 25,
};

export function grey(code: number): Colour {
  return [code, code, code];
}

/** The sRGB grey of a luminance in cd/m², white being 200, not rounded: dithering between codes is up to the caller. */
export function greyOfNits(nits: number): number {
  const light = nits / 200;
  return 255 * (light <= 0.003_130_8 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
}

/** Anti-aliased: an edge between pixels mixes the colours, in linear light as a scaler should. */
export function fill({ pixels, width, height }: Canvas, { region, colour }: { region: Region; colour: Colour }): void {
  const left = region.x * width;
  const right = Math.min(width, left + region.width * width);
  const top = region.y * height;
  const bottom = Math.min(height, top + region.height * height);
  const [red, green, blue] = colour;
  for (let y = Math.floor(top); y < bottom; y += 1) {
    const down = Math.min(y + 1, bottom) - Math.max(y, top);
    for (let x = Math.floor(left); x < right; x += 1) {
      const share = down * (Math.min(x + 1, right) - Math.max(x, left));
      const at = (y * width + x) * 3;
      pixels[at] = mixed(pixels[at] ?? 0, { code: red, share });
      pixels[at + 1] = mixed(pixels[at + 1] ?? 0, { code: green, share });
      pixels[at + 2] = mixed(pixels[at + 2] ?? 0, { code: blue, share });
    }
  }
}

function mixed(before: number, { code, share }: { code: number; share: number }): number {
  if (share > 0.999) return code;
  return Math.round(255 * (share * (code / 255) ** 2.2 + (1 - share) * (before / 255) ** 2.2) ** (1 / 2.2));
}

export function everyFrame(framesPerSecond: number, seconds: number): number[] {
  return Array.from({ length: Math.round(framesPerSecond * seconds) }, (_, index) => index / framesPerSecond);
}

/** True in the second half of each period: a square wave that begins dark. */
export function isLit(seconds: number, hertz: number): boolean {
  return Math.floor(2 * hertz * seconds + 1e-6) % 2 === 1;
}

export async function show<Result>(
  scene: Scene,
  options: { times: number[]; format: FrameFormat; consumer: Consumer<Frame, Result> },
): Promise<Result> {
  const { times, format, consumer } = options;
  const { width, height } = format;
  const pixels = new Uint8Array(width * height * 3);
  for (const [index, seconds] of times.entries()) {
    pixels.fill(0);
    scene({ pixels, width, height }, seconds);
    await consumer.accept({ index, seconds, pixels });
  }
  return consumer.finish({ durationSeconds: times.at(-1) ?? 0, count: times.length });
}

/** The same numbers on every run, 0 to 1. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
