import { Type } from "typebox";
import { type AssetText, locate } from "../../text/asset-text.ts";
import { exampleHead, type Examples } from "../../models/meaning/example-head.ts";
import { windowsOf } from "../../models/meaning/windows.ts";
import { nearestExample } from "../../models/meaning/nearest-example.ts";
import { placeOf, readMeaning, type TopicReading } from "../../models/meaning/read-meaning.ts";
import { isAnywhere } from "../../text/text-search.ts";
import { Patterns } from "../../text/pattern.ts";
import { defineCheckKind, everyKind, type Hit, textNeeds } from "../check-kind.ts";
import { shorten } from "./phrase.ts";

/** What no list of words catches: paraphrase and insinuation, learned from labelled texts. */
export const meaning = defineCheckKind({
  kind: "meaning",
  about: "What a text amounts to, learned from labelled texts of a topic: always a request for a person to look.",
  parameters: Type.Object({
    /** One of the topics of rulepacks/texts, or a name of your own: then it learns from the rule's own examples. */
    topic: Type.String({ minLength: 3 }),
    /** How far above the topic's own threshold; 0 when left out. Below zero finds more, with more false alarms. */
    threshold: Type.Optional(Type.Number({ minimum: -5, maximum: 10 })),
    /** Wording anywhere in the asset that satisfies the rule. */
    unlessAnywhere: Type.Optional(Patterns),
    /** Filled in from the rule's own `fails` and `passes`. */
    examples: Type.Optional(Type.Object({ fails: Type.Array(Type.String()), passes: Type.Array(Type.String()) })),
  }),
  appliesTo: everyKind,
  needs: () => textNeeds,
  run({ text, context, parameters: { topic, threshold = 0, unlessAnywhere = [], examples } }) {
    if (examples !== undefined) {
      return isAnywhere(text, unlessAnywhere) ? [] : hitsLikeExamples(text, { examples, threshold, topic });
    }
    const reading = readMeaning(text, context, topic);
    if (reading === null || reading.margin < threshold || !reading.isAbout) return [];
    if (isAnywhere(text, unlessAnywhere)) return [];
    return [meaningHit(reading, topic)];
  },
});

/** A rule by example says what it is like, and leaves the verdict to a person. */
function hitsLikeExamples(
  text: AssetText,
  { examples, threshold, topic }: { examples: Examples; threshold: number; topic: string },
): Hit[] {
  const head = exampleHead(examples);
  const found = windowsOf(text)
    .map((window) => ({ window, score: head.score(window.words) }))
    .filter(({ score }) => score >= threshold)
    .toSorted((a, b) => b.score - a.score);
  const [best] = found;
  if (best === undefined) return [];
  const { track, start, end } = best.window;
  const location = locate(track, start, end);
  const words = shorten(location.quote ?? "");
  return [
    {
      summary: `“${words}” reads like the examples of this rule.`,
      headline: `Reads like ${topic.replaceAll("-", " ")}`,
      reasoning: `Judged by its likeness to the ${examples.fails.length} texts that the rule must find and the ${examples.passes.length} that it must leave alone.`,
      identity: words,
      needsHuman: true,
      location: { ...location, quote: words },
    },
  ];
}

export function meaningHit(reading: TopicReading, topic: string): Hit {
  const { quote, location, words } = placeOf(reading, topic);
  const example = nearestExample(reading.window.words, topic);
  const spoken = words.map((word) => `“${word}”`).join(", ");
  const like = example === null ? "" : ` The nearest known example is “${shorten(example.text, 120)}” (${example.id}).`;
  return {
    summary: `“${shorten(quote)}” reads like a text of this kind.`,
    headline: `Reads like ${topic.replaceAll("-", " ")}: ${spoken}`,
    reasoning: `Judged by its meaning, not by fixed words. Weightiest here: ${spoken}.${like}`,
    identity: quote,
    needsHuman: true,
    location,
  };
}
