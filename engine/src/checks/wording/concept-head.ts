import { locate, sentenceAround } from "../../text/asset-text.ts";
import type { CheckInput, Hit } from "../check-kind.ts";
import { heardOrSeen, quoted } from "./phrase.ts";

/**
 * A head that is sure of the text's honesty makes a concept's finding one severity milder; a head alone asks a person to
 * look.
 */
export function joinHead(input: CheckInput<{ topic?: string }>, hits: readonly Hit[]): Hit[] {
  const { heads, text, parameters } = input;
  const { topic } = parameters;
  if (heads === undefined || topic === undefined) return [...hits];
  const scores = text.tracks.flatMap((track) => {
    const score = heads.score(topic, track);
    return score === null ? [] : [{ track, ...score }];
  });
  if (scores.length === 0) return [...hits];
  if (hits.length > 0) {
    const isHonest = scores.every(({ verdict }) => verdict === "honest");
    return hits.map((hit) => (isHonest ? { ...hit, isMilder: true } : hit));
  }
  const [best] = scores.filter(({ verdict }) => verdict === "offends").toSorted((a, b) => b.score - a.score);
  if (best === undefined) return [];
  const { track, start, end, reason } = best;
  const words = track.text.slice(start, end);
  return [
    {
      summary: `${heardOrSeen(track.source)} ${quoted(sentenceAround(track, start, end))}`,
      headline: "Reads like texts that break this rule",
      reasoning: reason,
      identity: words,
      location: locate(track, start, end),
      needsHuman: true,
      isMilder: true,
    },
  ];
}
