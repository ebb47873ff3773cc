/**
 * Words in flat arrays. A process that starts from a snapshot reads each object in it one by one: tens of thousands of
 * small strings take longer than to judge a sentence.
 */
export type PackedWords = {
  /** All words in a row; word n from `starts[n]` to `starts[n + 1]`. */
  text: string;
  starts: Int32Array;
  /** Words by their hash, plus one; 0 for none. The size is a power of two. */
  slots: Int32Array;
};

/** Each word once; its number is its place. */
export function packWords(words: readonly string[]): PackedWords {
  return { text: words.join(""), starts: startsOf(words.map(({ length }) => length)), slots: slotsOf(words) };
}

/** The number of a word; -1: it is none of them. */
export function numberOfWord({ text, starts, slots }: PackedWords, word: string): number {
  const mask = slots.length - 1;
  for (let slot = hashOf(word) & mask; ; slot = (slot + 1) & mask) {
    const number = (slots[slot] ?? 0) - 1;
    if (number < 0) return -1;
    const start = starts[number] ?? 0;
    if ((starts[number + 1] ?? 0) - start === word.length && text.startsWith(word, start)) return number;
  }
}

/** Where each part begins when all stand in a row, and where the last ends. */
export function startsOf(lengths: ArrayLike<number>): Int32Array {
  const starts = new Int32Array(lengths.length + 1);
  for (let index = 0; index < lengths.length; index += 1)
    starts[index + 1] = (starts[index] ?? 0) + (lengths[index] ?? 0);
  return starts;
}

function slotsOf(words: readonly string[]): Int32Array {
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(words.length * 2 + 2)));
  const mask = slots.length - 1;
  for (const [number, word] of words.entries()) {
    let slot = hashOf(word) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = number + 1;
  }
  return slots;
}

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return hash ^ (hash >>> 15);
}
