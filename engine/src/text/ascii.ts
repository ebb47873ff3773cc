/**
 * Most copy is. The classes of Unicode (`\p{L}`) take V8 half a millisecond each in every new process, which is more than
 * to search a sentence: what has none of their letters is searched for the plain ones.
 */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** The same with the signs of ordinary copy, none of which is a letter or a figure. */
export function hasPlainLetters(text: string): boolean {
  return /^[\0-\x7f£€©®°·–—‘’“”•…™]*$/.test(text);
}
