/**
 * Text in 32 symbols: a small letter is its own, the rest are kinds. Equal texts have equal symbols, so a search by
 * symbols overlooks nothing; it may find too much. Each is named after a character of its kind.
 */
const names = " abcdefghijklmnopqrstuvwxyz0.$#é";
const spaces =
  "\t\n\v\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF";

export const symbolCount = 32;
const otherSymbol = names.indexOf("é");
const lastWordSymbol = names.indexOf("0");

const table = new Uint8Array(0x1_0000).fill(otherSymbol);
table.fill(names.indexOf("#"), 0, 128);
for (const [symbol, kind] of [
  spaces,
  ...Array.from("abcdefghijklmnopqrstuvwxyz"),
  "0123456789",
  ".,:;!?'-/)",
  "$£€",
].entries()) {
  for (const character of kind) table[character.charCodeAt(0)] = symbol;
}

export function symbolsOf(text: string): Uint8Array {
  const symbols = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) symbols[index] = symbolOf(text.charCodeAt(index));
  return symbols;
}

export function symbolName(code: number): string {
  return names[symbolOf(code)] ?? "";
}

/** A small letter or a figure. */
export function isOfWord(symbol: number | undefined): boolean {
  return symbol !== undefined && symbol > 0 && symbol <= lastWordSymbol;
}

function symbolOf(code: number): number {
  return table[code] ?? otherSymbol;
}
