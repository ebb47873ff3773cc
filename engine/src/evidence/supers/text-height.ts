import type { LineInk } from "../../models/ocr/line-ink.ts";

/** How high letters are, as parts of a capital: fonts differ by a few hundredths. */
const kinds = {
  capital: { letters: /[ABDEFHIKLMNPRTUVWXYZ147]/, ofCapital: 1 },
  /** Round ones reach a little over their line and under it. */
  round: { letters: /[CGOS0235689]/, ofCapital: 1.03 },
  tall: { letters: /[bdhkl]/, ofCapital: 1.045 },
  low: { letters: /[acemnorsuvwxz]/, ofCapital: 0.73 },
};
/** Half of what lies between a letter and its neighbours is its own; letters that lean reach into the next. */
const ownShare = 0.55;

/** The height of a capital letter in pixels of the line; null where no letter stands out. */
export function capitalHeight(ink: LineInk, { text, letters }: { text: string; letters: number[] }): number | null {
  const characters = Array.from(text);
  const heightsOf = (kind: keyof typeof kinds) =>
    characters.flatMap((character, index) => {
      if (!kinds[kind].letters.test(character)) return [];
      const middle = letters[index] ?? 0;
      const step = Math.min(middle - (letters[index - 1] ?? 0), (letters[index + 1] ?? 1) - middle);
      const height = heightBetween(ink, (middle - ownShare * step) * ink.width, (middle + ownShare * step) * ink.width);
      return height === null ? [] : [height / kinds[kind].ofCapital];
    });
  const capitals = [...heightsOf("capital"), ...heightsOf("round")];
  if (capitals.length > 2) return median(capitals);
  const tall = [...capitals, ...heightsOf("tall")];
  return tall.length > 0 ? median(tall) : median(heightsOf("low"));
}

/** One that is cut or swollen by what is behind it must not decide. */
function median(values: number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}

/** From the first row that is half covered by a stroke to the last, to parts of a pixel. */
function heightBetween(ink: LineInk, from: number, to: number): number | null {
  const [left, right] = [Math.max(0, Math.floor(from)), Math.min(ink.width, Math.ceil(to))];
  const rows = Array.from({ length: ink.height }, (_, row) => {
    let most = 0;
    for (let x = left; x < right; x += 1) most = Math.max(most, ink.coverage[row * ink.width + x] as number);
    return most / 255;
  });
  const isInk = (row: number) => (rows[row] ?? 0) >= 0.5;
  let top = 0;
  let bottom = ink.height - 1;
  // What reaches in from above or below is not this line's.
  while (isInk(top)) top += 1;
  while (isInk(bottom)) bottom -= 1;
  while (top < bottom && !isInk(top)) top += 1;
  while (top < bottom && !isInk(bottom)) bottom -= 1;
  if (bottom - top < 0.25 * ink.height) return null;
  return bottom - top + crossing(rows[top], rows[top - 1]) + crossing(rows[bottom], rows[bottom + 1]);
}

/** How far past the middle of the inner row the half is crossed, 0 to 1. */
function crossing(inner = 1, outer = 0): number {
  return inner === outer ? 0.5 : (inner - 0.5) / (inner - outer);
}
