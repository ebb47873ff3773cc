import { Type } from "typebox";
import type { MetadataEvidence } from "../../evidence/evidence.ts";
import { isMachineMade } from "../../machine-made.ts";
import { defineCheckKind, everyKind, textNeeds } from "../check-kind.ts";
import { indexOf } from "../../text/concepts/asset-reading.ts";
import { matchTerm, preparePatternText } from "../../text/concepts/match-pattern.ts";
import { Terms } from "../wording/concept-parameters.ts";
import { shorten } from "../wording/phrase.ts";

/** Made by a model according to its own metadata, and nothing that the audience sees or hears says so. */
export const aiLabel = defineCheckKind({
  kind: "ai-label",
  about: "Media that its own metadata calls AI-made, without a label that people can see or hear.",
  /** `labels`: the concepts that tell people so. */
  parameters: Type.Object({ labels: Terms }),
  readsConcepts: true,
  appliesTo: everyKind,
  needs: () => ["metadata", ...textNeeds],
  run({ evidence, text, lexicons, parameters }) {
    const mark = evidence.metadata === null ? null : markOf(evidence.metadata);
    if (mark === null) return [];
    const read = preparePatternText(text, indexOf(lexicons));
    if (parameters.labels.some((label) => matchTerm(read, label).length > 0)) return [];
    return [
      {
        summary: `The file is marked as made by AI (${mark.short}), but nothing on screen, in the voice or in the text says so.`,
        headline: "Made by AI, and not labelled",
        reasoning: `${mark.long} No label such as “AI-generated” was seen or heard in the file itself.`,
        identity: "",
      },
    ];
  },
});

const generators =
  /\b(?:midjourney|dall[-·. ]?e(?: \d)?|stable diffusion|sdxl|automatic1111|comfyui|invokeai|novelai|firefly|imagen(?: \d)?|gpt-?image|sora|runway(?:ml)?|pika labs|synthesia|heygen|veo(?: \d)?|kling|flux\.?1?|ideogram|leonardo\.ai|elevenlabs)\b/iu;
const promptKeys =
  /^(?:(?:generator )?parameters|prompt|negative[ _]prompt|sd-metadata|workflow|dream|invokeai_metadata|generation_data)$/iu;

function markOf({
  digitalSourceType,
  contentCredentials,
  entries,
}: MetadataEvidence): { short: string; long: string } | null {
  if (digitalSourceType !== null && isMachineMade(digitalSourceType.value)) {
    const { value, source } = digitalSourceType;
    return { short: `IPTC ${value}`, long: `${source} gives its digital source type as ${value}.` };
  }
  if (contentCredentials?.isAiMade === true) {
    const maker = contentCredentials.claimGenerator ?? contentCredentials.issuer ?? "its maker";
    return { short: "content credentials", long: `Its content credentials, written by ${maker}, call it AI-made.` };
  }
  const entry = entries.find(
    ({ name, value }) =>
      promptKeys.test(name) ||
      (/software|generator|creator tool|make|model|description|comment/iu.test(name) && generators.test(value)),
  );
  if (entry === undefined) return null;
  return {
    short: `${entry.name} in its metadata`,
    long: `${entry.source} holds “${shorten(entry.value, 120)}”, which image generators write.`,
  };
}
