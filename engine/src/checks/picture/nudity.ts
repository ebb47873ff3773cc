import { Type } from "typebox";
import { defineCheckKind } from "../check-kind.ts";
import { percent, seconds } from "../format-numbers.ts";

/** Only ever a request for a human look: the classifier takes many clothed people for naked ones. */
export const nudity = defineCheckKind({
  kind: "nudity",
  about: "Pictures that may show nudity: a request for a person to look, never a verdict.",
  parameters: Type.Object({ minScore: Type.Number({ minimum: 0.5, maximum: 1 }) }),
  appliesTo: ["video", "image"],
  needs: () => ["nudity"],
  run({ evidence, parameters }) {
    const looks = (evidence.nudity?.looks ?? []).filter(({ score }) => score >= parameters.minScore);
    const first = looks[0];
    if (first === undefined) return [];
    const times = looks.flatMap(({ seconds: at }) => (at === null ? [] : [at]));
    const where = times.length === 0 ? "" : ` at ${times.slice(0, 6).map(seconds).join(", ")}`;
    const last = times.at(-1);
    return [
      {
        summary: `Please look at the picture${where}: it may show nudity.`,
        headline: "May show nudity",
        reasoning: `An image classifier gave ${percent(Math.max(...looks.map(({ score }) => score)))} to ${looks.length === 1 ? "one picture" : `${looks.length} pictures`}${where}. It often mistakes bare arms, beaches and sport for nudity, so this is a question, not a finding of fact.`,
        identity: "",
        needsHuman: true,
        ...(first.seconds !== null &&
          last !== undefined && { location: { startSeconds: first.seconds, endSeconds: last } }),
      },
    ];
  },
});
