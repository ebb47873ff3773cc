const maxTerms = 32;
const maxLength = 64;

/** The words of a filename or of a search for it: letters and digits in lower case, each once. */
export function nameTerms(text: string): string[] {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, maxLength)))].slice(0, maxTerms);
}
