const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  pound: "£",
  euro: "€",
  copy: "©",
  reg: "®",
  trade: "™",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  hellip: "…",
};

/** The text of a web page or a plain text that is inserted into a document. Null for other formats (RTF, Word 97). */
export function plainTextOfChunk(bytes: Buffer): string | null {
  const source = decode(bytes);
  if (source.startsWith("{\\rtf") || source.includes("\u0000")) return null;
  if (/^\s*MIME-Version:/i.test(source)) return null;
  return /<\/?[a-z!][^>]*>/i.test(source) ? textOfHtml(source) : source;
}

function textOfHtml(source: string): string {
  return source
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replaceAll(/<(script|style|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/<(?:br|\/p|\/div|\/h[1-6]|\/li|\/tr)\b[^>]*>/gi, "\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&#(x?)([0-9a-f]{1,6});/gi, (whole, hex: string, digits: string) => {
      const code = Number.parseInt(digits, hex === "" ? 10 : 16);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    })
    .replaceAll(/&([a-z]+);/gi, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replaceAll(/ *\n */g, "\n")
    .trim();
}

function decode(bytes: Buffer): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
