import { explain } from "@greenlit/engine/rules/yaml-file.ts";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";

const closed = { additionalProperties: false };
const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

const Answer = Type.Object(
  {
    explanations: Type.Array(
      Type.Object(
        {
          finding: Type.Integer({ minimum: 1 }),
          explanation: Text(1200),
          rewording: Type.Union([Text(1000), Type.Null()]),
        },
        closed,
      ),
      { maxItems: 20 },
    ),
    looks: Type.Array(
      // No CRITICAL: a model alone never stops a publication.
      Type.Object({ quote: Text(1000), concern: Text(600), severity: Type.Enum(["MAJOR", "MINOR"]) }, closed),
      { maxItems: 5 },
    ),
  },
  closed,
);

export type Explanation = Static<typeof Answer>["explanations"][number];
export type Look = Static<typeof Answer>["looks"][number];

/** An answer that is not what was asked for. Nothing of it is used. */
export class AnswerRefused extends Error {
  override name = "AnswerRefused";
}

/**
 * What may be used of an answer. It comes from a model that has read words of strangers, so the whole answer is refused
 * when its form is wrong, and single entries are dropped that nobody could stand behind.
 */
export function parseAnswer(
  answer: string,
  { findingCount, words }: { findingCount: number; words: string },
): { explanations: Explanation[]; looks: Look[]; dropped: number } {
  const content = parseJson(answer);
  const errors = Value.Errors(Answer, content);
  const error = errors.find(({ keyword }) => keyword === "additionalProperties") ?? errors[0];
  if (error) throw new AnswerRefused(`${error.instancePath.slice(1).replaceAll("/", ".")} ${explain(error)}`.trim());
  const { explanations, looks } = content as Static<typeof Answer>;
  const unknown = explanations.find(({ finding }) => finding > findingCount);
  if (unknown) throw new AnswerRefused(`finding ${unknown.finding} does not exist; there are ${findingCount}`);

  const known = fold(words);
  const kept = {
    explanations: explanations
      .map((each) => ({
        ...each,
        explanation: tidy(each.explanation),
        rewording: each.rewording === null ? null : tidy(each.rewording) || null,
      }))
      .filter(({ explanation }, index, all) => isPlain(explanation) && isFirst(all, index)),
    looks: looks
      .map((each) => ({ ...each, quote: tidy(each.quote), concern: tidy(each.concern) }))
      // A quote that is not in the asset was made up.
      .filter(({ quote, concern }) => isPlain(concern) && fold(quote) !== "" && known.includes(fold(quote))),
  };
  const dropped = explanations.length + looks.length - kept.explanations.length - kept.looks.length;
  return { ...kept, dropped };
}

function isFirst(all: readonly Explanation[], index: number): boolean {
  return all.findIndex(({ finding }) => finding === all[index]?.finding) === index;
}

function parseJson(answer: string): unknown {
  const bare = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/u.exec(answer)?.[1] ?? answer;
  try {
    return JSON.parse(bare);
  } catch {
    throw new AnswerRefused("the answer is not JSON");
  }
}

/** No controls, no marks that turn text around, no line breaks. */
function tidy(text: string): string {
  return text
    .replaceAll(/[\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu, "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

/** People trust an address that the service shows them, and nobody has checked this one. */
function isPlain(text: string): boolean {
  return text !== "" && !/https?:|www\.|\w@\w|<[a-z!/]/iu.test(text);
}

function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
