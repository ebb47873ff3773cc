import type { LineInk } from "../../models/ocr/line-ink.ts";
import type { PlanarFormat } from "../evidence.ts";
import { hlgDisplayGain, linearLight } from "../pixels/light.ts";
import type { Raster } from "../pixels/raster.ts";
import { groundPlacesOf, type LineCut, placesOf } from "./text-template.ts";
import { yuvWeights } from "../pixels/yuv-to-rgb.ts";

/** Relative luminance of three 8-bit codes, white = 1. */
export type Luminance = (red: number, green: number, blue: number) => number;

/** Thin strokes are mixed with what is behind them all over: only the purest few of their pixels show their colour. */
const purestShare = 0.004;
/** Where strokes are five pixels wide, their middle does; where they are three, the purest of their middle. */
const leastCores = 60;
const leastCoreShare = 0.1;

export function createLuminance({ transfer, matrix }: Pick<PlanarFormat, "transfer" | "matrix">): Luminance {
  const light = linearLight(transfer);
  const { red: redWeight, blue: blueWeight } = yuvWeights[matrix === "bt2020" ? "bt2020" : "bt709"];
  return (red, green, blue) => {
    const sum =
      redWeight * (light[red] as number) +
      (1 - redWeight - blueWeight) * (light[green] as number) +
      blueWeight * (light[blue] as number);
    return transfer === "hlg" ? sum * hlgDisplayGain(sum) : sum;
  };
}

/** The letters' own. `height` of a capital, in pixels. */
export function luminanceOfLetters(
  cut: LineCut,
  { luminance, height }: { luminance: Luminance; height: number | null },
): number {
  const { line, ink } = cut;
  const lights = (isTaken: (index: number) => boolean) => {
    const places = placesOf(cut, isTaken);
    const values = new Float64Array(places.length);
    for (let at = 0; at < values.length; at += 1) values[at] = lightAt(line, places[at] as number, luminance);
    return values;
  };
  const letters = lights((index) => ink.mask[index] === 1);
  const ground = lights((index) => ink.mask[index] === 0);
  const wide = lights((index) => isCore(ink, index, 2));
  const middling = lights((index) => isCore(ink, index, 1));
  const isBright = quantile(letters, 0.5) > quantile(ground, 0.5);
  const purest = (values: Float64Array, share: number) => quantile(values, isBright ? 1 - share : share);
  const least = Math.max(leastCores, leastCoreShare * letters.length);
  if (wide.length >= least) return quantile(wide, 0.5);
  if (middling.length >= least) return purest(middling, 0.1);
  return unmix(purest(letters, purestShare), { ground: quantile(ground, 0.5), height: height ?? Infinity });
}

/** Of what is behind the letters: the mean of what is near them. */
export function luminanceAround(cut: LineCut, luminance: Luminance): number {
  const places = groundPlacesOf(cut);
  const sum = places.reduce((total, index) => total + lightAt(cut.line, index, luminance), 0);
  return places.length === 0 ? 0 : sum / places.length;
}

/**
 * The colour of strokes of less than two pixels, which is hardly ever seen pure: nothing is lost from a capital of 18
 * pixels on, and at 13 to 14 nothing to 7 %, more where the film is compressed more. Half of that is put back.
 */
function unmix(luminance: number, { ground, height }: { ground: number; height: number }): number {
  const coverage = Math.min(1, Math.max(0.92, 0.965 + 0.008 * (height - 13.6)));
  // Codes are mixed, not light.
  const [seen, behind] = [luminance ** (1 / 2.2), ground ** (1 / 2.2)];
  return Math.min(1, Math.max(0, behind + (seen - behind) / coverage)) ** 2.2;
}

/** Whether all around a pixel, as far as that, is letter too. */
function isCore({ width, height, mask }: LineInk, index: number, distance: number): boolean {
  const x = index % width;
  const y = (index - x) / width;
  if (x < distance || y < distance || x >= width - distance || y >= height - distance) return false;
  for (let row = y - distance; row <= y + distance; row += 1) {
    for (let column = x - distance; column <= x + distance; column += 1) {
      if (mask[row * width + column] !== 1) return false;
    }
  }
  return true;
}

function lightAt({ pixels }: Raster, index: number, luminance: Luminance): number {
  const at = 3 * index;
  return luminance(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
}

function quantile(values: Float64Array, share: number): number {
  values.sort();
  return values[Math.round(share * (values.length - 1))] ?? 0;
}
