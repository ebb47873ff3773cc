/** One letter for another, or one more or less. `place`: which letter of the first text it is at. */
export type Edit = { from: string; to: string; place: number };

/** The same shape in many a font: no reader can tell them apart. */
const twins = ["0o", "1il"];
/** Readers take the letters of one group for each other; figures are never taken for other figures. */
const alike = ["0odqc", "1ilj!t", "5s", "8b", "2z", "6bg", "9gq", "4a", "uv", "vy", "ceo", "rnm", "fe£", "7t"];
/** Thin letters and signs of money come and go with what is behind them. */
const thin = /^[iljtrf£€$]$/;

/** What has to be changed to make one text of the other, as few letters as can be. Spaces, case and points do not count. */
export function editsBetween(one: string, other: string): Edit[] {
  const [a, b] = [lettersOf(one), lettersOf(other)];
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (const [i, { letter }] of a.entries()) {
    const before = rows[i] ?? [];
    const next = [i + 1];
    for (const [j, wanted] of b.entries()) {
      const replaced = (before[j] ?? 0) + (letter === wanted.letter ? 0 : 1);
      next.push(Math.min(replaced, (before[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    rows.push(next);
  }
  const edits: Edit[] = [];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity;
  let [i, j] = [a.length, b.length];
  while (i > 0 || j > 0) {
    const [from, to] = [a[i - 1], b[j - 1]];
    const place = (from ?? a[i])?.place ?? 0;
    const isSame = from?.letter === to?.letter;
    if (i > 0 && j > 0 && at(i, j) === at(i - 1, j - 1) + (isSame ? 0 : 1)) {
      if (!isSame) edits.push({ from: from?.letter ?? "", to: to?.letter ?? "", place });
      [i, j] = [i - 1, j - 1];
    } else if (i > 0 && at(i, j) === at(i - 1, j) + 1) {
      edits.push({ from: from?.letter ?? "", to: "", place });
      i -= 1;
    } else {
      // A letter that comes in pushes those after it along.
      edits.push({ from: "", to: to?.letter ?? "", place: a[i]?.place ?? place });
      j -= 1;
    }
  }
  return edits.toReversed();
}

/** Whether a reader may have made it of the same letters. */
export function isSlip({ from, to }: Edit, { isSure = false } = {}): boolean {
  if (from === "" || to === "") return thin.test(from + to);
  if (/\d/.test(from) && /\d/.test(to)) return false;
  return (isSure ? twins : alike).some((group) => group.includes(from) && group.includes(to));
}

/** Whether two sure readings say different things: another figure, date, letter or word. */
export function tellsApart(one: Reading, other: Reading): boolean {
  const least = Math.min(one.confidence, other.confidence);
  const isSure = least >= sureConfidence;
  const real = editsBetween(one.text, other.text).filter(
    (edit) => !isSlip(edit, { isSure: least >= verySureConfidence }),
  );
  const letters = Math.max(one.text.length, other.text.length);
  return isSure ? real.length > 0 : real.length > Math.max(1, unsureShare * letters);
}

type Reading = { text: string; confidence: number };

const sureConfidence = 0.9;
const verySureConfidence = 0.95;
const unsureShare = 0.25;

function lettersOf(text: string): { letter: string; place: number }[] {
  return Array.from(text).flatMap((character, place) => {
    const letter = character.toLowerCase();
    return /[\p{L}\p{N}%£€$]/u.test(letter) ? [{ letter, place }] : [];
  });
}
