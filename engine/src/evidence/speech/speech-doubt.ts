import type { Utterance } from "../../models/models.ts";
import type { Span } from "../evidence.ts";

export type HeardSegment = Span & Utterance;

/**
 * `clear`: to be judged as words. `doubtful`: English of which some words are wrong; a person should listen. `unheard`:
 * another language, song or noise, whose words nobody said.
 */
export type Verdict = "clear" | "doubtful" | "unheard";

/**
 * Mean logarithm of the likelihood of a token. By the kit of `npm run bench -- hearing` (noise, music, telephone, echo,
 * accents, speed), nine of ten segments with more than a quarter of their words wrong are below the first figure and nine
 * of ten others above it. Other languages have -0.7 to -1.8.
 */
const doubtfulBelow = -0.195;
const unheardBelow = -0.65;
/** Here English that is hard to make out and another language overlap: what is around it decides. */
const unclearBelow = -0.45;
const maxCharactersPerSecond = 40;
/** So many segments before and after count as around it. */
const reach = 2;

/**
 * Which segments hold words that the model only guessed: it knows English, and for anything else (other languages, song,
 * noise) writes English that sounds a little like it.
 */
export function judgeDoubt(segments: readonly HeardSegment[]): Verdict[] {
  const plainly = segments.map(isPlainlyUnheard);
  return segments.map((segment, index) => {
    const mean = meanLogLikelihood(segment);
    if (plainly[index] === true) return "unheard";
    if (mean >= unclearBelow) return mean < doubtfulBelow ? "doubtful" : "clear";
    const around = plainly.slice(Math.max(0, index - reach), index + reach + 1);
    return around.length > 1 && around.filter(Boolean).length > (around.length - 1) / 2 ? "unheard" : "doubtful";
  });
}

export function meanLogLikelihood({ logLikelihoods }: Pick<Utterance, "logLikelihoods">): number {
  if (logLikelihoods.length === 0) return 0;
  return logLikelihoods.reduce((sum, value) => sum + value, 0) / logLikelihoods.length;
}

function isPlainlyUnheard(segment: HeardSegment): boolean {
  const { text, startSeconds, endSeconds } = segment;
  return (
    segment.isCutOff ||
    !/[\p{L}\p{N}]/u.test(text) ||
    meanLogLikelihood(segment) < unheardBelow ||
    text.length / (endSeconds - startSeconds) > maxCharactersPerSecond ||
    hasForeignLetters(text) ||
    isLoop(text)
  );
}

/** Letters that English words, names and prices do not have; notes, which the model writes for song. */
function hasForeignLetters(text: string): boolean {
  return /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]|[\u2669-\u266f\ufffd]/u.test(text);
}

/** "you you you you", "the country, the country, the country". */
function isLoop(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  for (let length = 1; length <= 8; length += 1) {
    let repeated = 0;
    for (let at = length; at < words.length; at += 1) {
      repeated = words[at] === words[at - length] ? repeated + 1 : 0;
      if (repeated >= (length === 1 ? 3 : 2 * length)) return true;
    }
  }
  return /(\d)\1{7}/.test(text.replaceAll(/[^\d]/g, ""));
}
