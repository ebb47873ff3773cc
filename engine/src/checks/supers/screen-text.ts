import type { Evidence, Region, SpeechEvidence, Super } from "../../evidence/evidence.ts";
import { plainText } from "../../text/asset-text.ts";
import { isFound } from "../../text/pattern.ts";

/** A text of a film with what the rules on legal supers count. */
export type ScreenText = Super & {
  startSeconds: number;
  endSeconds: number;
  heldSeconds: number;
  wordCount: number;
  lineCount: number;
  isSmallPrint: boolean;
};

/** Capitals of more than this share of the height are what the advertiser wants read: claims, titles, logos. */
const smallPrintShare = 0.06;
const smallPrintWords = 5;
/** A reader may lose a text for a moment where the picture behind it is cut. */
const cutSeconds = 0.25;

/** Wording that stands in the small print, however short it is. */
const legalCues: readonly string[] = [
  "/^\\s*[*†‡]/",
  "/\\bt\\s?&\\s?cs?\\b/",
  "/\\b(?:terms|conditions|exclusions|restrictions|fees|limits|charges)\\s(?:may\\s|also\\s)?appl(?:y|ies)\\b/",
  "/\\b(?:subject to|excludes?|excluding|offer ends|ends \\d|while stocks last|whilst stocks last|see (?:website|in store)|void where|no purchase necessary)\\b/",
  "/\\b(?:representative|apr|credit intermediary|capital at risk|authori[sz]ed and regulated|regulated by|member fdic|equal housing)\\b/",
  "/\\b(?:18\\+|21\\+|begambleaware|gambleaware|gamstop|drinkaware|drink responsibly|responsibly)\\b/",
  "/\\b(?:always read the label|contains (?:paracetamol|ibuprofen|nicotine)|individual results|results (?:may|not)|not typical)\\b/",
  "/\\b(?:dramati[sz]ation|actor portrayal|professional driver|closed course|do not attempt|simulated|sequences? shortened|serving suggestion)\\b/",
  // What limits an offer: who, where, how many, how long, what it costs besides.
  "/\\b(?:selected|participating|certain) (?:stores?|shops?|branches|restaurants|lines|items|products|models|areas|routes|locations|retailers|dealers|dates)\\b/",
  "/\\b(?:minimum|min\\.?|maximum|max\\.?) (?:spend|order|purchase|deposit|term|contract|stay|age|basket)\\b/",
  "/\\b(?:customers?|members?|residents?|subscribers?|adults?|over 18s|18s|online|in[- ]store|uk|gb|us|weekdays|stores?|first orders?)\\s+only\\b/",
  "/\\b(?:limited|restricted) (?:time|stocks?|availability|period|numbers?)\\b|\\bsubject to\\b|\\bwhile (?:stocks?|supplies) lasts?\\b/",
  "/\\b(?:one|limit (?:of )?(?:one|\\d+)|\\d+|max(?:imum)? \\d+) per (?:person|customer|household|order|transaction|account)\\b/",
  "/\\b(?:not included|sold separately|costs? extra|extra charges?|delivery (?:extra|charges?|costs?)|(?:plus|excludes?) (?:p&p|postage|delivery|vat|tax))\\b/",
  "/\\b(?:valid (?:until|till|to|from)|(?:offer|sale|promotion) (?:ends?|expires?|valid|closes?)|book by|order by|claim (?:by|before|within))\\b/",
  "/\\bcalls? (?:cost|are charged|from)\\b|\\bstandard (?:network|text|message|data) rates?\\b/",
  "/\\b(?:paid for by|sponsored by|approved (?:this|by)|licen[cs]e no)\\b/",
];

/**
 * The texts of a film that rules on legal supers may be about, and which of them are small print. A machine cannot know
 * what a text is for, so the line is drawn by looks: small print is text whose capitals are lower than 6 % of the picture
 * and that has five words or more, or wording of the law (“T&Cs apply”, “18+”, an asterisk) or of a limit to an offer
 * (“Selected stores only”, “Minimum spend £40”) in small letters or at some length. Signs, packs and logos are shorter, claims and titles are larger. Burnt-in subtitles and rolling credits are
 * small and long as well: what says what is being said, or rolls upwards, is small print only with wording of the law.
 */
export function screenTexts(evidence: Pick<Evidence, "supers" | "speech">): readonly ScreenText[] {
  const known = readings.get(evidence);
  if (known !== undefined) return known;
  const texts = readScreen(evidence);
  readings.set(evidence, texts);
  return texts;
}

/** Every rule on supers asks for them. */
const readings = new WeakMap<Pick<Evidence, "supers" | "speech">, readonly ScreenText[]>();

function readScreen({ supers, speech }: Pick<Evidence, "supers" | "speech">): ScreenText[] {
  const timed = (supers?.supers ?? []).flatMap((line) => {
    const { startSeconds, endSeconds, isCode = false } = line;
    return isCode || startSeconds === null || endSeconds === null ? [] : [{ ...line, startSeconds, endSeconds }];
  });
  return joinAcrossCuts(timed.toSorted((a, b) => a.startSeconds - b.startSeconds)).map((line) => {
    const wordCount = wordsOf(line.text).length;
    const isOfLaw = hasLegalCue(line);
    return {
      ...line,
      heldSeconds: line.endSeconds - line.startSeconds,
      wordCount,
      lineCount: countLines(line),
      isSmallPrint:
        looksLegal(line, { wordCount, isOfLaw }) && (isOfLaw || !(isRoll(line) || isSubtitle(line, speech))),
    };
  });
}

/** What goes sideways stays in a low band as wide as the picture; what rolls upwards passes through most of its height. */
export function isCrawl({ isMoving, region, heightShare }: Super): boolean {
  return isMoving && region.width >= 0.5 && region.height <= Math.max(4 * heightShare, 0.1);
}

/** Figures count as words; a mark alone does not. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** How much of the shorter of the two lies in the other, 0 to 1. */
export function togetherShare(a: ScreenText, b: ScreenText): number {
  const shared = Math.min(a.endSeconds, b.endSeconds) - Math.max(a.startSeconds, b.startSeconds);
  const shorter = Math.min(a.heldSeconds, b.heldSeconds);
  return shorter > 0 ? Math.max(0, shared / shorter) : 0;
}

/** Whether two readings are of the same words: readers slip on a letter now and then. */
export function isSameText(a: string, b: string): boolean {
  const [one, other] = [pairsOf(a), pairsOf(b)];
  return isMostlyIn(one.list, other.set) && isMostlyIn(other.list, one.set);
}

/** Gives up as soon as too many are missing: most texts have nothing in common. */
function isMostlyIn(pairs: readonly string[], others: ReadonlySet<string>): boolean {
  let missing = 0;
  for (const pair of pairs) if (!others.has(pair) && (missing += 1) > pairs.length * 0.2) return false;
  return (pairs.length - missing) / pairs.length >= 0.8;
}

/** How much of what is said a text shows, or of a text is said, 0 to 1. */
export function sharedWords(words: string, within: string): number {
  return shareIn(keysOf(words), keysOf(within));
}

/** What is heard while a text is on screen, give or take the second that subtitles run ahead or behind. */
function heardDuring(span: { startSeconds: number; endSeconds: number }, speech: SpeechEvidence | null): string {
  return (speech?.segments ?? [])
    .filter(
      ({ startSeconds, endSeconds, isDoubtful }) =>
        !isDoubtful && startSeconds < span.endSeconds + 1 && endSeconds > span.startSeconds - 1,
    )
    .map(({ text }) => text)
    .join(" ");
}

function looksLegal({ heightShare }: Super, { wordCount, isOfLaw }: { wordCount: number; isOfLaw: boolean }): boolean {
  const isSmall = heightShare < smallPrintShare;
  const isLong = wordCount >= smallPrintWords;
  return isOfLaw ? isSmall || isLong : isSmall && isLong;
}

function isSubtitle(line: Super & { startSeconds: number; endSeconds: number }, speech: SpeechEvidence | null) {
  return sharedWords(line.text, heardDuring(line, speech)) >= 0.7;
}

/** Wording of the law, whatever it looks like. */
export function hasLegalCue({ text }: Pick<Super, "text">): boolean {
  return isFound(plainText(text), legalCues);
}

function isRoll(line: Super): boolean {
  return line.isMoving && !isCrawl(line);
}

/** Lines are parted by line breaks; where a reader joined them with spaces, the height of the block tells. */
function countLines({ text, region, heightShare }: Super): number {
  const told = text.split("\n").filter((line) => line.trim() !== "").length;
  if (told > 1 || !(heightShare > 0)) return Math.max(1, told);
  // One line is about 1.4 capitals high with what hangs below it, and the next ones begin 1.7 capitals further down.
  return Math.max(1, 1 + Math.round((region.height / heightShare - 1.4) / 1.7));
}

/** `lines` in order of their start. */
function joinAcrossCuts<Line extends Super & { startSeconds: number; endSeconds: number }>(lines: Line[]): Line[] {
  const joined: Line[] = [];
  let recent: number[] = [];
  for (const line of lines) {
    recent = recent.filter((index) => (joined[index]?.endSeconds ?? 0) >= line.startSeconds - cutSeconds);
    const index = recent.find((candidate) => {
      const earlier = joined[candidate];
      return earlier !== undefined && !line.isMoving && continues(line, earlier);
    });
    const earlier = index === undefined ? undefined : joined[index];
    if (index === undefined || earlier === undefined) {
      recent.push(joined.push(line) - 1);
    } else {
      const endSeconds = Math.max(earlier.endSeconds, line.endSeconds);
      joined[index] = { ...earlier, endSeconds, ...worse(earlier, line) };
    }
  }
  return joined;
}

/** It begins where the other ends, in the same place and with the same words. */
function continues(line: Super & { startSeconds: number }, earlier: Super & { endSeconds: number }): boolean {
  return (
    Math.abs(line.startSeconds - earlier.endSeconds) <= cutSeconds &&
    overlaps(line.region, earlier.region) &&
    isSameText(line.text, earlier.text) &&
    !saysOtherwise(line, earlier)
  );
}

/** Another price, date or word in the same place is another text, however alike the two are. */
function saysOtherwise(line: Super, earlier: Super): boolean {
  const [words, before] = [keysOf(line.text), keysOf(earlier.text)];
  const isSure = Math.min(line.confidence, earlier.confidence) >= sureConfidence;
  const isSlip = (word: string) => /\d/.test(word) && /\p{L}/u.test(word);
  if (words.length !== before.length) return isSure && words.join("") !== before.join("");
  return words.some((word, index) => {
    const other = before[index] ?? "";
    if (word === other || isSlip(word) || isSlip(other)) return false;
    return isSure || (/^\d+$/.test(word) && /^\d+$/.test(other));
  });
}

/** Below this a letter may be misread. */
const sureConfidence = 0.95;

/** A text in two pieces is as legible as the worse one. */
function worse(a: Super, b: Super): Pick<Super, "contrastRatio" | "heightLines" | "heightShare"> {
  const ratios = [a.contrastRatio, b.contrastRatio].filter((ratio) => ratio !== null);
  const lower = a.heightShare <= b.heightShare ? a : b;
  return {
    contrastRatio: ratios.length === 0 ? null : Math.min(...ratios),
    heightLines: lower.heightLines,
    heightShare: lower.heightShare,
  };
}

function overlaps(a: Region, b: Region): boolean {
  return (
    Math.min(a.x + a.width, b.x + b.width) > Math.max(a.x, b.x) &&
    Math.min(a.y + a.height, b.y + b.height) > Math.max(a.y, b.y)
  );
}

type Pairs = { list: readonly string[]; set: ReadonlySet<string> };

/** Each text of a film is compared with all the others, moment after moment. */
const knownPairs = new Map<string, Pairs>();
const maxKnownPairs = 500;

/** Every two letters that follow one another. */
function pairsOf(text: string): Pairs {
  const known = knownPairs.get(text);
  if (known !== undefined) return known;
  const letters = keysOf(text).join("");
  const list =
    letters.length < 2 ? [letters] : Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2));
  const pairs = { list, set: new Set(list) };
  if (knownPairs.size >= maxKnownPairs) knownPairs.clear();
  knownPairs.set(text, pairs);
  return pairs;
}

function keysOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function shareIn(words: readonly string[], others: readonly string[]): number {
  if (words.length === 0) return 0;
  const known = new Set(others);
  return words.filter((word) => known.has(word)).length / words.length;
}
