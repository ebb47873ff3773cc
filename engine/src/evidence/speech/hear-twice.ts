import { editDistance } from "../../edit-distance.ts";
import type { Models, Utterance } from "../../models/models.ts";
import { likelierOf, needsSecondHearing } from "./speech-doubt.ts";

/** Of the first hearing: slow enough to be another guess, and still a voice. */
const pace = 0.88;

/**
 * The words of a stretch of speech. What is unclear is heard once more, a little slower: words that were said come out
 * again, some of them better, and a guess at another language is another guess.
 */
export async function hearTwice(
  models: Pick<Models, "transcribe">,
  samples: Int16Array,
): Promise<Utterance & { disagreement: number | null }> {
  const first = await models.transcribe(samples);
  if (!needsSecondHearing(first)) return { ...first, disagreement: null };
  const second = await models.transcribe(slowDown(samples));
  return { ...likelierOf(first, second), disagreement: disagreementOf(first.text, second.text) };
}

function slowDown(samples: Int16Array): Int16Array {
  return Int16Array.from({ length: Math.floor(samples.length / pace) }, (_, index) => {
    const place = index * pace;
    const before = samples[Math.floor(place)] ?? 0;
    const after = samples[Math.floor(place) + 1] ?? before;
    return before + (after - before) * (place % 1);
  });
}

function disagreementOf(one: string, other: string): number {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  const [a, b] = [wordsOf(one), wordsOf(other)];
  return editDistance(a, b) / Math.max(1, a.length, b.length);
}
