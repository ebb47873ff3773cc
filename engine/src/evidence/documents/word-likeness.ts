const fewWords = 4;
const maxOddShare = 0.35;

/**
 * Whether text could be words of a language in Latin letters: most of its words have a vowel and no long row of
 * consonants. Letters that a false map puts in place of others do not. Text of a few words, of figures or in another
 * script is not judged.
 */
export function readsLikeWords(text: string): boolean {
  const words = text.toLowerCase().match(/(?<!\p{L})\p{Script=Latin}{3,}(?!\p{L})/gu) ?? [];
  if (words.length < fewWords) return true;
  const plain = words.map((word) => word.normalize("NFD").replaceAll(/\p{M}/gu, ""));
  const odd = plain.filter((word) => !/[aeiouy]/.test(word) || /[^aeiouy]{6}/.test(word) || /[aeiou]{5}/.test(word));
  return odd.length / words.length <= maxOddShare;
}
