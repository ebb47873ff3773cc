import type { Utterance } from "../../models/models.ts";
import type { Span } from "../evidence.ts";

export type HeardSegment = Span &
  Utterance & {
    /** Share of the words, 0 to 1, that a second hearing has otherwise; null: it was not heard twice. */
    disagreement: number | null;
  };

/**
 * `clear`: to be judged as words. `doubtful`: English of which some words are wrong; a person should listen. `unheard`:
 * another language, song or noise, whose words nobody said.
 */
export type Verdict = "clear" | "doubtful" | "unheard";

/**
 * How doubtful a segment may be. Learned from 600 spoilt clips (noise, music, other voices, telephone, echo, speed), none
 * of them of the `test` half of `npm run bench -- reading speech`, so that nine of ten are doubted that have more than a
 * quarter of their words wrong. Of the others, those with a word or two wrong are hard to tell from them.
 */
const doubtfulFrom = 0.32;
const weights = { unsure: 1, hardlySure: 0.17, unknown: 0.33, disagreement: 0.2 };
/** Less doubtful ones are seldom better when they are heard again, and twice the work. */
const hearAgainFrom = 0.22;
/** A token with less than this is hardly sure. */
const hardlySure = 0.7;
/**
 * Mean logarithm of the likelihood of a token. Of English, more than half of the words are wrong below this; other
 * languages have -0.5 to -1.5, and more words that are none.
 */
const unheardBelow = -0.6;
const unclearBelow = -0.45;
const maxUnknownShare = 0.35;
/** Of words that were said, half or more come out again; of a guess at another language, a third at most. */
const maxDisagreement = 0.6;
/** Of a guess that the model is surer of: a quarter. */
const guessedBelow = -0.25;
const guessedDisagreement = 0.75;
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
    if (mean >= unclearBelow) return doubtOf(segment) >= doubtfulFrom ? "doubtful" : "clear";
    const around = plainly.slice(Math.max(0, index - reach), index + reach + 1);
    return around.length > 1 && around.filter(Boolean).length > (around.length - 1) / 2 ? "unheard" : "doubtful";
  });
}

/**
 * From 0, no doubt: how unlikely its tokens are on average, how many of them are hardly sure, how many words are none, and
 * how many are others when they are heard again.
 */
function doubtOf({ logLikelihoods, unknownShare, disagreement }: Utterance & { disagreement: number | null }): number {
  if (logLikelihoods.length === 0) return 0;
  const likelihoods = logLikelihoods.map(Math.exp);
  const unsure = likelihoods.reduce((sum, likelihood) => sum + 1 - likelihood, 0) / likelihoods.length;
  const share = likelihoods.filter((likelihood) => likelihood < hardlySure).length / likelihoods.length;
  return (
    weights.unsure * unsure +
    weights.hardlySure * share +
    weights.unknown * unknownShare +
    weights.disagreement * (disagreement ?? 0)
  );
}

export function meanLogLikelihood({ logLikelihoods }: Pick<Utterance, "logLikelihoods">): number {
  if (logLikelihoods.length === 0) return 0;
  return logLikelihoods.reduce((sum, value) => sum + value, 0) / logLikelihoods.length;
}

/** Whether a second hearing may help: clear words need none, and what is plainly unheard gets no better. */
export function needsSecondHearing(utterance: Utterance): boolean {
  const isHopeless = utterance.isCutOff || meanLogLikelihood(utterance) < unheardBelow;
  return !isHopeless && doubtOf({ ...utterance, disagreement: null }) >= hearAgainFrom;
}

/** Of two hearings of the same: the one whose words are likelier, and rather words than none. */
export function likelierOf(first: Utterance, second: Utterance): Utterance {
  const likelihood = (each: Utterance) => meanLogLikelihood(each) - each.unknownShare / 2;
  return !second.isCutOff && likelihood(second) > likelihood(first) ? second : first;
}

function isPlainlyUnheard(segment: HeardSegment): boolean {
  const { text, startSeconds, endSeconds } = segment;
  const mean = meanLogLikelihood(segment);
  return (
    segment.isCutOff ||
    !/[\p{L}\p{N}]/u.test(text) ||
    mean < unheardBelow ||
    (mean < unclearBelow && segment.unknownShare >= maxUnknownShare) ||
    (mean < unclearBelow && (segment.disagreement ?? 0) >= maxDisagreement) ||
    (mean < guessedBelow && (segment.disagreement ?? 0) >= guessedDisagreement) ||
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
