import { Type } from "typebox";
import { type AssetText, locate } from "../../text/asset-text.ts";
import { exampleHead, type Examples } from "../../models/meaning/example-head.ts";
import { withConcepts } from "../../models/meaning/example-features.ts";
import { nearestExample } from "../../models/meaning/nearest-example.ts";
import { placeOf, readMeaning, type TopicReading } from "../../models/meaning/read-meaning.ts";
import { readAsset } from "../../text/concepts/asset-reading.ts";
import type { Reading } from "../../text/reading/reading.ts";
import type { TokenSpan } from "../../text/reading/stance.ts";
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
    /** For a topic of your own: words, or lexicons as `@name`, of which one must stand in what is found. */
    onlyWith: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    /** Filled in from the rule's own `fails` and `passes`. */
    examples: Type.Optional(
      Type.Object({
        fails: Type.Array(Type.String()),
        passes: Type.Array(Type.String()),
        onlyWith: Type.Optional(Type.Array(Type.String())),
      }),
    ),
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
  const [best] = readAsset(text)
    .flatMap(({ track, reading }) => {
      const read = withConcepts(reading);
      return passagesOf(reading).map((passage) => ({ track, read, passage, score: head.score(read, passage) }));
    })
    .filter(({ score }) => score >= threshold)
    .toSorted((a, b) => b.score - a.score);
  if (best === undefined) return [];
  const { track, read, passage } = best;
  const { tokens } = read.reading;
  const start = tokens[passage.firstToken]?.start ?? 0;
  const location = locate(track, start, tokens[passage.endToken - 1]?.end ?? start);
  const words = shorten(location.quote ?? "");
  const spoken = head.weightiest(read, passage).map((word) => `“${word}”`);
  return [
    {
      summary: `“${words}” reads like the examples of this rule.`,
      headline: `Reads like ${topic.replaceAll("-", " ")}`,
      reasoning: `Judged by its likeness to the ${examples.fails.length} texts that the rule must find and the ${examples.passes.length} that it must leave alone.${spoken.length === 0 ? "" : ` Weightiest here: ${spoken.join(", ")}.`}`,
      identity: words,
      needsHuman: true,
      location: { ...location, quote: words },
    },
  ];
}

/** Each sentence, and each with the next where both are short: an example may be two. */
function passagesOf({ sentences }: Reading): TokenSpan[] {
  const pairs = sentences.slice(1).flatMap(({ endToken }, index) => {
    const firstToken = sentences[index]?.firstToken ?? 0;
    return endToken - firstToken <= maxPairTokens ? [{ firstToken, endToken }] : [];
  });
  return [...sentences.map(({ firstToken, endToken }) => ({ firstToken, endToken })), ...pairs];
}

const maxPairTokens = 30;

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
