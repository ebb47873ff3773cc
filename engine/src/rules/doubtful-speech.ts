import type { Hit } from "../checks/check-kind.ts";
import type { SpeechEvidence } from "../evidence/evidence.ts";
import { plainText } from "../text/asset-text.ts";

/** Whether a finding rests on words that the model only guessed: a person should listen before it is believed. */
export function restsOnDoubt({ location }: Hit, speech: SpeechEvidence | null): boolean {
  const startSeconds = location?.startSeconds ?? null;
  const quote = location?.quote ?? null;
  if (startSeconds === null || quote === null || speech === null) return false;
  return speech.segments.some(
    (segment) =>
      segment.isDoubtful &&
      Math.abs(segment.startSeconds - startSeconds) < 0.01 &&
      sharesStart(plainText(segment.text), quote),
  );
}

/** A quote may run on into the next segment. */
function sharesStart(said: string, quote: string): boolean {
  const [first = ""] = quote.split(/\s+/u);
  return first !== "" && said.includes(first);
}
