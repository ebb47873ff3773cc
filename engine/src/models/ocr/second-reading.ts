import { isKnownWord } from "../../text/reading/known-words.ts";
import type { Recognized } from "./recognize-line.ts";
import { findInk } from "./line-ink.ts";
import { drawInk } from "./line-picture.ts";
import { mayHaveMarks, takeMarks } from "./footnote-marks.ts";
import { mergeAccents, similarLetters } from "./merge-accents.ts";
import type { Raster } from "../../evidence/pixels/raster.ts";
import { type GrayPicture, type OpenTesseract, openScriptDetector, type ScriptDetector } from "./tesseract.ts";

/** A line and, where its letters are not Latin, the name of its script: then the text is no text. */
export type SecondReading = { read: Recognized; script: string | null };

const accented = ["fra", "deu", "spa", "ita", "por"] as const;
type Latin = "eng" | (typeof accented)[number];

/** Of Tesseract, 0 to 100. By the stills of `npm run bench -- reading`: a language of its own has 82 to 96, one with the same letters 60 to 92, another script 0 to 53. */
const sureConfidence = 93;
const ownConfidence = 78;
const foreignConfidence = 58;
/** The reader of Thai finds its letters in everything: its own has 93 to 95, all others up to 85. */
const thaiConfidence = 90;
const gibberishConfidence = 30;
/** Of PP-OCR: Latin letters are read with more, even in a rare font. */
const clearConfidence = 0.8;
const minMixedWords = 2;
/** Of the letters: two readers see the same. */
const sameLetters = 0.7;
/** Of the detector of scripts. Where PP-OCR saw no letters, there may be none. */
const sureScript = 1.5;
const verySureScript = 10;
const minLetters = 4;
const measured = /^\d+(?:k?g|mg|[mc]?l|[kcm]?m|[mgt]b|mph|st|nd|rd|th|p|k|oz|lbs?|h|hrs?|s|x|am|pm|d|hp|w|v)$/;
/** In heights of the line: what is shorter is a word or two, too little for a second opinion. */
const minLength = 5;
/** Of PP-OCR: what is read with less is seldom text. */
export const leastConfidence = 0.6;

/**
 * Whether a line could be something else than English: half of its words or more are not known. PP-OCR knows hardly
 * any accent, and gives the letters of other scripts as whatever Latin ones look like them.
 */
export function isOdd(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']*\p{L}[\p{L}\p{N}']*/gu) ?? [];
  const letters = (some: readonly string[]) => some.reduce((sum, word) => sum + word.length, 0);
  const known = words.filter((word) => isKnownWord(word.replace(/'s?$/, "")) || measured.test(word));
  return letters(words) >= minLetters && letters(known) < letters(words) / 2;
}

/** Words with a capital right after a small letter, as "apTpNT". */
function mixedWords(text: string): number {
  return text.match(/\p{L}*\p{Ll}\p{Lu}\p{L}*/gu)?.length ?? 0;
}

/** Reads an odd line once more with Tesseract: for the accents of the languages of the west, or to name the script. */
export function createSecondReader(open: OpenTesseract): (read: Recognized, line: Raster) => Promise<SecondReading> {
  let detecting: Promise<ScriptDetector> | undefined;
  /** A page is mostly in one language. */
  let last: Latin = "eng";

  async function bestReading(picture: GrayPicture) {
    let best = { text: "", confidence: -1, language: last };
    for (const language of new Set<Latin>([last, "eng", ...accented])) {
      const read = (await open(language))(picture);
      if (read.confidence > best.confidence) best = { ...read, language };
      if (best.confidence >= sureConfidence) break;
    }
    return best;
  }

  async function scriptOf(picture: GrayPicture, isRead: boolean): Promise<string | null> {
    // The detector takes the first two for Thai and for signs, and is never sure of a short line of Thai.
    for (const [language, script, sure] of [
      ["heb", "Hebrew", ownConfidence],
      ["hin", "Devanagari", ownConfidence],
      ["tha", "Thai", thaiConfidence],
    ] as const) {
      const { text, confidence } = (await open(language))(picture);
      const own = text.match(new RegExp(`\\p{Script=${script}}`, "gu"))?.length ?? 0;
      if (confidence >= sure && own >= minLetters) return script;
    }
    detecting ??= openScriptDetector();
    const found = (await detecting)(picture);
    if (found === null || found.script === "Latin") return null;
    const name = found.confidence >= (isRead ? sureScript : verySureScript) ? scriptNames[found.script] : undefined;
    return name ?? (isRead ? unknownScript : null);
  }

  return async (read, line) => {
    const isRead = read.confidence >= leastConfidence;
    const mayBeMarked = mayHaveMarks(read.text);
    // What has letters of another script is named by them.
    const isForeign = /(?!\p{Script=Latin})\p{L}/u.test(read.text);
    const ink = (isRead && !isOdd(read.text) && !mayBeMarked) || isForeign ? null : findInk(line);
    if (ink === null || ink.width < minLength * ink.height) return { read, script: null };
    const picture = drawInk(ink, { from: 0, to: ink.width });
    if (!isRead) return { read, script: await scriptOf(picture, isRead) };
    const marked = mayBeMarked ? takeMarks(read, (await open("eng"))(picture).text) : read;
    if (!isOdd(read.text)) return { read: marked, script: null };
    const best = await bestReading(picture);
    const isSame = similarLetters(read.text, best.text) >= sameLetters;
    if (best.confidence >= ownConfidence && isSame) {
      last = best.language;
      return { read: mergeAccents(marked, best.text), script: null };
    }
    // Cyrillic looks like Latin with capitals inside its words.
    const isLatin = best.confidence >= foreignConfidence;
    if (isLatin && mixedWords(read.text) < minMixedWords) return { read: marked, script: null };
    const script = await scriptOf(picture, isRead);
    if (isLatin && (script === null || script === unknownScript)) return { read: marked, script: null };
    // Not even the languages of the west make anything of it, and the detector of scripts is at a loss.
    const isGibberish = best.confidence < gibberishConfidence && read.confidence < clearConfidence;
    return { read, script: script ?? (isGibberish ? unknownScript : null) };
  };
}

const unknownScript = "a script that the reader does not know";

const scriptNames: Readonly<Record<string, string>> = {
  Greek: "Greek",
  Cyrillic: "Cyrillic",
  Arabic: "Arabic",
  Thai: "Thai",
  Hebrew: "Hebrew",
  Devanagari: "Devanagari",
  Han: "Chinese or Japanese",
  Hiragana: "Chinese or Japanese",
  Katakana: "Chinese or Japanese",
  Japanese: "Chinese or Japanese",
  Hangul: "Korean",
  Korean: "Korean",
  Bengali: "Bengali",
  Tamil: "Tamil",
  Georgian: "Georgian",
  Armenian: "Armenian",
};
