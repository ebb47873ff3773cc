import type { Region } from "../evidence.ts";
import type { PagePictures } from "./render-page.ts";
import { luminanceOf, ratioOf } from "./contrast.ts";

/** What a run of text leaves to be seen on the drawn page. */
export type TextInk = { isSeen: boolean; contrastRatio: number | null };

/** Of 255: less than this in every colour is not seen as a letter. */
const leastDifference = 12;
/** Of the area of a run: a row of full stops has more. */
const leastShare = 0.002;
/** Thin strokes are half paper: only the darkest part of the difference tells the colour of the letters. */
const strongShare = 0.75;
const leastRatio = 1.1;

/** Compares the page with and without its text where the run is. */
export function inkOf({ whole, withoutText }: PagePictures, region: Region): TextInk {
  const { width, height } = whole;
  const left = Math.max(0, Math.floor(region.x * width));
  const right = Math.min(width, Math.ceil((region.x + region.width) * width));
  const top = Math.max(0, Math.floor(region.y * height));
  const bottom = Math.min(height, Math.ceil((region.y + region.height) * height));
  const differenceAt = (at: number) =>
    Math.max(
      ...[0, 1, 2].map((part) => Math.abs((whole.pixels[at + part] ?? 0) - (withoutText.pixels[at + part] ?? 0))),
    );
  let changed = 0;
  let most = 0;
  const points: { at: number; difference: number }[] = [];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const at = (y * width + x) * 3;
      const difference = differenceAt(at);
      if (difference < leastDifference) continue;
      changed += 1;
      most = Math.max(most, difference);
      points.push({ at, difference });
    }
  }
  const area = Math.max(1, (right - left) * (bottom - top));
  if (changed / area < leastShare || changed < 2) return { isSeen: false, contrastRatio: null };
  let letters = 0;
  let behind = 0;
  const strong = points.filter(({ difference }) => difference >= most * strongShare);
  for (const { at } of strong) {
    letters += luminanceAt(whole.pixels, at);
    behind += luminanceAt(withoutText.pixels, at);
  }
  const ratio = ratioOf(letters / strong.length, behind / strong.length);
  // A colour of the same brightness is seen by its colour.
  return { isSeen: ratio >= leastRatio || most >= 4 * leastDifference, contrastRatio: Number(ratio.toFixed(1)) };
}

function luminanceAt(pixels: Uint8Array, at: number): number {
  return luminanceOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
}
