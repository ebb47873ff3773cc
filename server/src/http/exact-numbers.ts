/** What stands in the place of a number that was refused. */
const inexact = Symbol("inexact");

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/**
 * Finds the first number of a JSON text that would come back as another one: 12345678901234567890 ends with 8000 when it
 * is read, and 1e400 becomes Infinity. Gives its path, or undefined when all are kept.
 */
export function findInexactNumber(text: string): string | undefined {
  // Nearly every body has only numbers that are short enough to be kept.
  if (!/[\d.]{16}|\d[eE]/.test(text)) return undefined;
  const reviver: Reviver = (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && !isKept(source, value) ? inexact : value;
  return pathOfInexact(JSON.parse(text, reviver as (key: string, value: unknown) => unknown), "");
}

/** Fractions may have the 17 digits that name any double: what languages print is not always the shortest form. */
const digitsOfDouble = 17;

function isKept(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  const [sent, kept] = [decimalOf(source), decimalOf(String(value))];
  if (sent.digits === kept.digits && sent.exponent === kept.exponent) return true;
  const isFraction = sent.exponent < 0 && Number.isSafeInteger(Math.trunc(value)) && kept.digits !== "";
  return isFraction && sent.digits.length <= digitsOfDouble;
}

/** `digits` × 10 ^ `exponent`, without zeros at either end; no digits: zero. */
function decimalOf(source: string): { digits: string; exponent: number } {
  const [, whole = "", fraction = "", power = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return { digits: "", exponent: 0 };
  return { digits: significant, exponent: Number(power) - fraction.length + digits.length - significant.length };
}

function pathOfInexact(value: unknown, path: string): string | undefined {
  if (value === inexact) return path;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = pathOfInexact(item, path === "" ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
