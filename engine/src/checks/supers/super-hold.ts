import { type Static, Type } from "typebox";
import { defineCheckKind } from "../check-kind.ts";
import { count, list, round, seconds } from "../format-numbers.ts";
import { isSameText, type ScreenText, togetherShare } from "./screen-text.ts";
import { chooseTexts, onePerText, quoteOf, textChoice, type TextFault } from "./small-print.ts";

const Seconds = Type.Number({ minimum: 0 });
const ByWords = Type.Object({
  perWordSeconds: Seconds,
  /** Time to notice the text before reading it. */
  recognitionSeconds: Seconds,
  /** The same for texts of `longFromWords` words or more. */
  longRecognitionSeconds: Seconds,
  longFromWords: Type.Integer({ minimum: 1 }),
});
const ByLines = Type.Object({ firstLineSeconds: Seconds, furtherLineSeconds: Seconds });

type Reading = Static<typeof ByWords> | Static<typeof ByLines>;

const marginFrames = 2;
const roundingSeconds = 0.001;
/** Slides have a frame for seconds, but the times of their texts are as exact as those of a film. */
const leastFramesPerSecond = 12;
/** Texts that share less than half of the shorter one's time are read one after the other. */
const togetherFrom = 0.5;
/** Brand names and the like need not be counted. */
const brandWords = 2;

/** Small print that is gone before it can be read. */
export const superHold = defineCheckKind({
  kind: "super-hold",
  about: "Small print that is on screen for less time than its words or lines need.",
  parameters: Type.Object({
    reading: Type.Union([ByWords, ByLines]),
    /** Whether everything that is on screen at once counts, or each text for itself. */
    countsAllText: Type.Boolean(),
    ...textChoice,
  }),
  appliesTo: ["video"],
  needs: () => ["supers", "speech"],
  run({ evidence, parameters }) {
    const { reading, countsAllText } = parameters;
    const marginSeconds =
      marginFrames / Math.max(leastFramesPerSecond, evidence.probe.video?.framesPerSecond ?? 25) + roundingSeconds;
    const { all, chosen } = chooseTexts(evidence, parameters);
    const cards = new Set<string>();
    const faults = chosen.flatMap((text): TextFault[] => {
      const others = countsAllText ? companionsOf(text, all) : [];
      const smallPrint = [text, ...others.filter(({ isSmallPrint }) => isSmallPrint)];
      const isSure = need(reading, smallPrint) > text.heldSeconds + roundingSeconds;
      const counted = isSure ? smallPrint : [text, ...others];
      const missingSeconds = need(reading, counted) - text.heldSeconds;
      const isNear = missingSeconds <= marginSeconds;
      if (missingSeconds <= roundingSeconds || (isNear && !isSure)) return [];
      // Two texts that come and go together are one card, and too short only once.
      const card = counted
        .map(({ text: words }) => words)
        .toSorted()
        .join("\n");
      if (cards.has(card)) return [];
      if (counted.length > 1) cards.add(card);
      return [describe({ text, counted, reading, missingSeconds, marginSeconds, isSure, isNear })];
    });
    return onePerText(faults);
  },
});

type Shortage = {
  text: ScreenText;
  counted: readonly ScreenText[];
  reading: Reading;
  missingSeconds: number;
  marginSeconds: number;
  /** The small print alone needs more time; otherwise only together with what may be no more than a brand name. */
  isSure: boolean;
  isNear: boolean;
};

function describe(shortage: Shortage): TextFault {
  const { text, counted, reading, missingSeconds, marginSeconds, isSure, isNear } = shortage;
  const held = seconds(text.heldSeconds);
  const needed = seconds(need(reading, counted));
  const notes = [
    `Held ${held}; needs ${needed} = ${arithmetic(reading, counted)}.`,
    ...explainOthers(counted, isSure),
    ...(isNear ? [`It is within the two frames (${seconds(marginSeconds)}) that the measurement can tell.`] : []),
    ...(text.isMoving ? ["It moves, so each word is on screen for less time than that."] : []),
  ];
  return {
    text,
    shortfall: missingSeconds,
    hit: {
      summary: `${quoteOf(text)} is held for ${held}; ${counted.length > 1 ? "the text on screen" : "it"} needs ${needed}.`,
      headline: `Held ${held}; needs ${needed}`,
      reasoning: notes.join(" "),
      ...(isNear || !isSure ? { severity: "MINOR" as const } : {}),
      ...(isSure ? {} : { needsHuman: true }),
      measurement: { value: round(text.heldSeconds), limit: round(need(reading, counted)), unit: "s" },
      recommendation: recommend(shortage),
    },
  };
}

/** What else is on screen at the moment of this text that has most to read. */
function companionsOf(text: ScreenText, all: readonly ScreenText[]): ScreenText[] {
  const others = all.filter(
    (other) =>
      other !== text &&
      togetherShare(text, other) >= togetherFrom &&
      (other.isSmallPrint || other.wordCount > brandWords),
  );
  let most: ScreenText[] = [];
  for (const { startSeconds } of others) {
    const moment = Math.max(startSeconds, text.startSeconds);
    const shown = others.filter((other) => other.startSeconds <= moment && other.endSeconds > moment);
    const once = withoutCopies([text, ...shown]).slice(1);
    if (total(once, "wordCount") > total(most, "wordCount")) most = once;
  }
  return most;
}

function withoutCopies(texts: readonly ScreenText[]): ScreenText[] {
  const kept: ScreenText[] = [];
  for (const text of texts) if (!kept.some((known) => isSameText(known.text, text.text))) kept.push(text);
  return kept;
}

function need(reading: Reading, texts: readonly ScreenText[]): number {
  if ("perWordSeconds" in reading) {
    const words = total(texts, "wordCount");
    return words * reading.perWordSeconds + recognition(reading, words);
  }
  return reading.firstLineSeconds + (total(texts, "lineCount") - 1) * reading.furtherLineSeconds;
}

function arithmetic(reading: Reading, texts: readonly ScreenText[]): string {
  if ("perWordSeconds" in reading) {
    const words = total(texts, "wordCount");
    return `${count(words, "word", "words")} × ${seconds(reading.perWordSeconds)} + ${seconds(recognition(reading, words))}`;
  }
  const further = total(texts, "lineCount") - 1;
  if (reading.furtherLineSeconds === 0) return `${seconds(reading.firstLineSeconds)} for the whole text`;
  const first = `${seconds(reading.firstLineSeconds)} for the first line`;
  return further === 0
    ? first
    : `${first} + ${count(further, "further line", "further lines")} × ${seconds(reading.furtherLineSeconds)}`;
}

function explainOthers([, ...others]: readonly ScreenText[], isSure: boolean): string[] {
  if (others.length === 0) return [];
  const named = list(others.map((other) => `${quoteOf(other)} (${count(other.wordCount, "word", "words")})`));
  const doubt = "Without these the time would do: leave out brand names and text on products, then decide.";
  return [`On screen at the same time and counted: ${named}.`, ...(isSure ? [] : [doubt])];
}

function recommend({ text, counted, reading, missingSeconds }: Shortage): string {
  const longer = `Hold the text for at least ${seconds(need(reading, counted))} (${seconds(missingSeconds)} longer)`;
  const apart = counted.length > 1 ? ", or show the texts one after the other" : "";
  const words = "perWordSeconds" in reading ? maxWords(reading, text.heldSeconds) : 0;
  const shorter =
    words < total(counted, "wordCount") / 2 ? "" : `, or cut what is on screen to ${count(words, "word", "words")}`;
  return `${longer}${shorter}${apart}.`;
}

/** How many words can be read in that time. */
function maxWords(reading: Static<typeof ByWords>, heldSeconds: number): number {
  const fit = (recognitionSeconds: number) =>
    Math.floor((heldSeconds - recognitionSeconds) / reading.perWordSeconds + 1e-9);
  const long = fit(reading.longRecognitionSeconds);
  return long >= reading.longFromWords ? long : Math.min(reading.longFromWords - 1, fit(reading.recognitionSeconds));
}

function recognition(reading: Static<typeof ByWords>, words: number): number {
  return words >= reading.longFromWords ? reading.longRecognitionSeconds : reading.recognitionSeconds;
}

function total(texts: readonly ScreenText[], key: "wordCount" | "lineCount"): number {
  return texts.reduce((sum, text) => sum + text[key], 0);
}
