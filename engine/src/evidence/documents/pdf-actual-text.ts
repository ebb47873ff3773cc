/** Longer than any text that stands for a few letters. */
const keptCharacters = 4_000;
const maxFound = 1_000;

/**
 * Texts that a page gives to readers in place of what it draws (`ActualText` of marked content). pdf.js leaves them
 * out, so they are looked for in the unpacked bytes.
 */
export function createActualTextFinder() {
  const found = new Set<string>();
  function search(bytes: string, { isEnd }: { isEnd: boolean }): void {
    if (!bytes.includes("/ActualText")) return;
    for (const match of bytes.matchAll(/\/ActualText\s*(?:\(((?:\\[^]|[^\\()])*)\)|<([\da-fA-F\s]*)>)/g)) {
      // What ends with the piece may go on in the next one, and is found whole there.
      if (!isEnd && (match.index ?? 0) >= bytes.length - keptCharacters) continue;
      if (found.size < maxFound) found.add(decode(match[1], match[2]));
    }
  }
  return {
    /** One stream of the file, piece by piece. */
    open() {
      let kept = "";
      return {
        add(piece: Uint8Array) {
          const bytes = kept + Buffer.from(piece).toString("latin1");
          search(bytes, { isEnd: false });
          kept = bytes.slice(-keptCharacters);
        },
        end: () => search(kept, { isEnd: true }),
      };
    },
    texts: () => [...found],
  };
}

function decode(literal: string | undefined, hex: string | undefined): string {
  const bytes =
    literal === undefined
      ? Buffer.from((hex ?? "").replaceAll(/\s/g, ""), "hex")
      : Buffer.from(
          literal.replaceAll(/\\([0-7]{1,3}|[^])/g, (_, code: string) => unescape(code)),
          "latin1",
        );
  const isWide = bytes[0] === 0xfe && bytes[1] === 0xff;
  return isWide
    ? bytes
        .subarray(2, bytes.length - (bytes.length % 2))
        .swap16()
        .toString("utf16le")
    : bytes.toString("latin1");
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "", f: "", "\n": "" };

function unescape(code: string): string {
  return /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (escapes[code] ?? code);
}
