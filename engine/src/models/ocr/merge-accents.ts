import type { Recognized } from "./recognize-line.ts";

/** Letters that PP-OCR has no sign for, and what it takes them for. */
const taken: Readonly<Record<string, string>> = {
  ß: "b8s",
  æ: "ae",
  œ: "oe",
  ø: "o0",
  ł: "l",
  đ: "d",
  "†": "t+",
  "‡": "t+",
};

/** Puts the accents of another reading of the same line onto its letters. The letters themselves stay. */
export function mergeAccents(read: Recognized, other: string): Recognized {
  const own = Array.from(read.text);
  const pairs = align(own, Array.from(other));
  const text = own.map((letter, index) => {
    const accented = pairs.get(index);
    return accented !== undefined && /[^\p{ASCII}]/u.test(accented) && /\p{L}/u.test(accented) ? accented : letter;
  });
  return { ...read, text: text.join("") };
}

/** Share of the letters, 0 to 1, that two readings have in common, whatever their accents. */
export function similarLetters(one: string, other: string): number {
  const [a, b] = [lettersOf(one), lettersOf(other)];
  return align(a, b).size / Math.max(1, a.length, b.length);
}

function lettersOf(text: string): string[] {
  return Array.from(text).filter((letter) => /[\p{L}\p{N}]/u.test(letter));
}

/** Which letter of `b` each letter of `a` is, where the two are the same but for accents: the longest such row. */
function align(a: readonly string[], b: readonly string[]): Map<number, string> {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = isSame(a[i] ?? "", b[j] ?? "")
        ? 1 + (lengths[(i + 1) * width + j + 1] as number)
        : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number);
    }
  }
  const pairs = new Map<number, string>();
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [one = "", other = ""] = [a[i], b[j]];
    if (isSame(one, other)) {
      pairs.set(i, other);
      i += 1;
      j += 1;
    } else if ((lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number)) i += 1;
    else j += 1;
  }
  return pairs;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [bare(one), bare(other)];
  return a === b || (taken[b]?.includes(a) ?? false);
}

function bare(letter: string): string {
  return letter.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
