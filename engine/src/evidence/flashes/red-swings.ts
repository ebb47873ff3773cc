import type { LightCells } from "./light-cells.ts";
import { createSwings, type Swings } from "./flash-swings.ts";

/** Twenty of the 320 steps in which the older WCAG text measures red. */
export const rednessChange = 20 / 320;
const saturatedShare = 0.8;
const chromaDistance = 0.2;
/** Nearly black: its colour is compression noise. The texts are silent; it stands as the white point. */
const blackSum = 0.01;

/** `high` and `low` are of red minus green minus blue; beside them the colour of the reddest or least red state. */
export type RedSwings = Swings & { red: Float32Array; green: Float32Array; blue: Float32Array };

export function createRedSwings(count: number): RedSwings {
  return {
    ...createSwings(count),
    red: new Float32Array(count),
    green: new Float32Array(count),
    blue: new Float32Array(count),
  };
}

/**
 * A change to or from saturated red, R/(R+G+B) ≥ 0.8 in linear light, by either text: (R−G−B)×320 differs by more than
 * 20 (WCAG 2.0 and 2.1, also red against a darker red), or the colours are more than 0.2 apart in CIE 1976 u'v' (WCAG
 * 2.2, ISO 9241-391, also dark red against orange). A red under 20 of those 320 steps, 2.7 cd/m², is taken for black.
 */
export function stepRed(swings: RedSwings, cells: LightCells): void {
  const { direction, high, low, rawHigh, rawLow, changed } = swings;
  const { count, rawRedness } = cells;
  let changedCount = 0;
  for (let cell = 0; cell < count; cell += 1) {
    let red = Math.max(0, cells.red[cell] as number);
    let green = Math.max(0, cells.green[cell] as number);
    let blue = Math.max(0, cells.blue[cell] as number);
    if (red + green + blue < blackSum) {
      red = blackSum / 3;
      green = red;
      blue = red;
    }
    const sum = red + green + blue;
    const redness = Math.max(0, red - green - blue);
    const isRed = red >= saturatedShare * sum && red >= rednessChange;
    const way = direction[cell] as number;
    const extremeRed = swings.red[cell] as number;
    const extremeSum = extremeRed + (swings.green[cell] as number) + (swings.blue[cell] as number);
    let isNewExtreme = way === 0;
    if (way > 0) {
      if (redness >= (high[cell] as number)) {
        high[cell] = redness;
        rawHigh[cell] = rawRedness[cell] as number;
      }
      isNewExtreme = isRed && red * extremeSum > extremeRed * sum;
      if (
        (high[cell] as number) - redness > rednessChange ||
        (!isNewExtreme && isFarFrom({ red, green, blue }, { swings, cell }))
      ) {
        direction[cell] = -1;
        low[cell] = redness;
        rawLow[cell] = rawRedness[cell] as number;
        changed[changedCount] = cell;
        changedCount += 1;
        isNewExtreme = true;
      }
    } else {
      if (redness <= (low[cell] as number)) {
        low[cell] = redness;
        rawLow[cell] = rawRedness[cell] as number;
      }
      if (way === 0) {
        direction[cell] = isRed ? 1 : -1;
        high[cell] = redness;
        rawHigh[cell] = rawRedness[cell] as number;
      } else if (
        isRed &&
        (redness - (low[cell] as number) > rednessChange || isFarFrom({ red, green, blue }, { swings, cell }))
      ) {
        direction[cell] = 1;
        high[cell] = redness;
        rawHigh[cell] = rawRedness[cell] as number;
        changed[changedCount] = cell;
        changedCount += 1;
        isNewExtreme = true;
      } else {
        isNewExtreme = red * extremeSum < extremeRed * sum;
      }
    }
    if (!isNewExtreme) continue;
    swings.red[cell] = red;
    swings.green[cell] = green;
    swings.blue[cell] = blue;
  }
  swings.changedCount = changedCount;
}

type Colour = { red: number; green: number; blue: number };

function isFarFrom(colour: Colour, { swings, cell }: { swings: RedSwings; cell: number }): boolean {
  const here = chromaticity(colour);
  const there = chromaticity({
    red: swings.red[cell] as number,
    green: swings.green[cell] as number,
    blue: swings.blue[cell] as number,
  });
  return (here.u - there.u) ** 2 + (here.v - there.v) ** 2 > chromaDistance ** 2;
}

/** CIE 1976 u'v' of linear BT.709. */
export function chromaticity({ red, green, blue }: Colour): { u: number; v: number } {
  const x = 0.4124564 * red + 0.3575761 * green + 0.1804375 * blue;
  const y = 0.2126729 * red + 0.7151522 * green + 0.072175 * blue;
  const z = 0.0193339 * red + 0.119192 * green + 0.9503041 * blue;
  const sum = x + 15 * y + 3 * z;
  return { u: (4 * x) / sum, v: (9 * y) / sum };
}
