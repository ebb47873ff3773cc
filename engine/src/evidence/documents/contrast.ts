import { linearLight } from "../pixels/light.ts";

const light = linearLight("sdr");

/** WCAG's relative luminance of 8-bit red, green and blue, 0 to 1. */
export function luminanceOf(red: number, green: number, blue: number): number {
  return 0.2126 * (light[red] ?? 0) + 0.7152 * (light[green] ?? 0) + 0.0722 * (light[blue] ?? 0);
}

/** WCAG's ratio of two luminances, 1 to 21. */
export function ratioOf(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Of `#rrggbb`. */
export function luminanceOfColour(colour: string): number {
  const value = Number.parseInt(colour.slice(1), 16);
  return luminanceOf(value >> 16, (value >> 8) & 255, value & 255);
}
