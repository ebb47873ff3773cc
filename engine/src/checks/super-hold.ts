import { type Static, Type } from "typebox";
import { defineCheckKind } from "./check-kind.ts";
import { count, list, round, seconds } from "./figures.ts";
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
    const marginSeconds = marginFrames / (evidence.probe.video?.framesPerSecond ?? 25);
    const { all, chosen } = chooseTexts(evidence, parameters);
    const screens = new Set<string>();
    const faults = chosen.flatMap((text): TextFault[] => {
      const others = countsAllText ? companionsOf(text, all) : [];
      const sure = [text, ...others.filter(({ isSmallPrint }) => isSmallPrint)];
      const everything = [text, ...others];
      const isSure = need(reading, sure) > text.heldSeconds;
      const counted = isSure ? sure : everything;
      const needed = need(reading, counted);
      const missing = needed - text.heldSeconds;
      // Two texts that come and go together are one card, and too short only once.
      const screen = counted
        .map(({ text: words }) => words)
        .toSorted()
        .join("\n");
      if (missing <= 0.005 || (!isSure && missing <= marginSeconds) || (counted.length > 1 && screens.has(screen))) {
        return [];
      }
      screens.add(screen);
      const isNear = missing <= marginSeconds;
      return [
        {
          text,
          shortfall: missing,
          hit: {
            summary: `${quoteOf(text)} is held for ${seconds(text.heldSeconds)}; ${counted.length > 1 ? "the text on screen" : "it"} needs ${seconds(needed)}.`,
            headline: `Held ${seconds(text.heldSeconds)}; needs ${seconds(needed)}`,
            reasoning: `Held ${seconds(text.heldSeconds)}; needs ${seconds(needed)} = ${arithmetic(reading, counted)}.${explainOthers(counted, isSure)}${isNear ? ` It is within the two frames (${seconds(marginSeconds)}) that the measurement can tell.` : ""}${text.isMoving ? " It moves, so each word is on screen for less time than that." : ""}`,
            ...(isNear || !isSure ? { severity: "MINOR" as const } : {}),
            ...(isSure ? {} : { needsHuman: true }),
            measurement: { value: round(text.heldSeconds), limit: round(needed), unit: "s" },
            recommendation: recommend(reading, { text, counted, needed, missing }),
          },
        },
      ];
    });
    return onePerText(faults);
  },
});

function companionsOf(text: ScreenText, all: readonly ScreenText[]): ScreenText[] {
  const found: ScreenText[] = [];
  for (const other of all) {
    if (other === text || togetherShare(text, other) < togetherFrom) continue;
    if (!other.isSmallPrint && other.wordCount <= brandWords) continue;
    if (![text, ...found].some((known) => isSameText(known.text, other.text))) found.push(other);
  }
  return found;
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
  const first = `${seconds(reading.firstLineSeconds)} for the first line`;
  if (further === 0 || reading.furtherLineSeconds === 0) return seconds(reading.firstLineSeconds);
  return `${first} + ${count(further, "further line", "further lines")} × ${seconds(reading.furtherLineSeconds)}`;
}

function explainOthers(counted: readonly ScreenText[], isSure: boolean): string {
  const [, ...others] = counted;
  if (others.length === 0) return "";
  const named = list(others.map((other) => `${quoteOf(other)} (${count(other.wordCount, "word", "words")})`));
  const doubt = isSure ? "" : " Without it the time would do: leave out brand names and text on products, then decide.";
  return ` On screen at the same time and counted: ${named}.${doubt}`;
}

function recommend(
  reading: Reading,
  {
    text,
    counted,
    needed,
    missing,
  }: { text: ScreenText; counted: readonly ScreenText[]; needed: number; missing: number },
): string {
  const longer = `Hold the text for at least ${seconds(needed)} (${seconds(missing)} longer)`;
  const apart = counted.length > 1 ? ", or show the texts one after the other" : "";
  if (!("perWordSeconds" in reading)) return `${longer}${apart}.`;
  const words = mostWords(reading, text.heldSeconds);
  return words < 1
    ? `${longer}${apart}.`
    : `${longer}, or cut what is on screen to ${count(words, "word", "words")}${apart}.`;
}

/** How many words can be read in that time. */
function mostWords(reading: Static<typeof ByWords>, heldSeconds: number): number {
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
